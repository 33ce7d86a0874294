#include "schedule.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/limits.h>

#include "runtime_limits.h"

namespace shardcheck::impl {
namespace {

/// Change points are drawn below 2, 4, ... 2^this.
constexpr std::uint64_t change_point_magnitudes = 16;

}  // namespace

void Schedule::begin(const Run& run, std::int64_t rank_count, bool record) {
  SHARDCHECK_REQUIRE(run.kind != Run::Kind::threads, "threads are scheduled by the system");
  run_ = &run;
  state_ = run.seed;
  steps_ = 0;
  replayed_ = 0;
  misfit_.clear();
  records_ = record;
  choices_.clear();
  if (run.kind == Run::Kind::pct) draw_priorities(rank_count);
}

std::int64_t Schedule::next_rank(std::span<const std::int32_t> can_run) {
  SHARDCHECK_REQUIRE(!can_run.empty(), "someone can run");
  if (!misfit_.empty()) return -1;
  if (can_run.size() == 1 && run_->kind != Run::Kind::pct) return can_run.front();
  std::int64_t rank = -1;
  switch (run_->kind) {
    case Run::Kind::fibers: rank = can_run[draw_below(can_run.size())]; break;
    case Run::Kind::pct: rank = highest_priority(can_run); break;
    case Run::Kind::trace: rank = recorded_rank(can_run); break;
    case Run::Kind::threads: break;
  }
  if (can_run.size() > 1) record(rank);
  return rank;
}

bool Schedule::choose() {
  bool choice = false;
  if (run_->kind == Run::Kind::trace) {
    const std::optional<std::int64_t> recorded = next_recorded();
    if (!recorded) return false;
    if (*recorded != 0 && *recorded != 1) {
      misfit_ = fmt::format("the trace does not fit: choice {} is {}, 0 or 1 is needed",
                            replayed_ - 1, *recorded);
      return false;
    }
    choice = *recorded == 1;
  } else {
    choice = (draw() >> 63) != 0;
  }
  record(choice ? 1 : 0);
  return choice;
}

std::optional<std::string> Schedule::misfit() const {
  if (!misfit_.empty()) return misfit_;
  if (run_->kind != Run::Kind::trace || replayed_ == run_->trace.size()) return std::nullopt;
  return fmt::format("the trace does not fit: the run ended after {} of its {} choices", replayed_,
                     run_->trace.size());
}

std::vector<std::int64_t> Schedule::take_choices() {
  if (static_cast<std::int64_t>(choices_.size()) > limits::trace_choices) choices_.clear();
  return std::exchange(choices_, {});
}

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
std::uint64_t Schedule::draw() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31);
}

/// Requires: bound < 2^32.
std::uint64_t Schedule::draw_below(std::uint64_t bound) { return ((draw() >> 32) * bound) >> 32; }

void Schedule::draw_priorities(std::int64_t rank_count) {
  priorities_.resize(static_cast<std::size_t>(rank_count));
  std::iota(priorities_.begin(), priorities_.end(), 0);
  for (std::size_t last = priorities_.size(); last > 1; --last) {
    std::swap(priorities_[last - 1], priorities_[draw_below(last)]);
  }
  lowest_priority_ = 0;
  change_points_.clear();
  const std::int64_t change_count = std::min(run_->depth - 1, runtime_limits::change_points);
  for (std::int64_t change = 0; change < change_count; ++change) {
    const std::uint64_t magnitude = 1 + draw_below(change_point_magnitudes);
    change_points_.push_back(draw_below(std::uint64_t{1} << magnitude));
  }
  std::sort(change_points_.begin(), change_points_.end(), std::greater<>());
}

std::int64_t Schedule::highest_priority(std::span<const std::int32_t> can_run) {
  const auto priority = [&](std::int32_t rank) -> std::int64_t& {
    return priorities_[static_cast<std::size_t>(rank)];
  };
  const auto highest = [&] {
    return *std::max_element(can_run.begin(), can_run.end(), [&](std::int32_t a, std::int32_t b) {
      return priority(a) < priority(b);
    });
  };
  while (!change_points_.empty() && change_points_.back() <= steps_) {
    change_points_.pop_back();
    priority(highest()) = --lowest_priority_;
  }
  ++steps_;
  return highest();
}

std::int64_t Schedule::recorded_rank(std::span<const std::int32_t> can_run) {
  const std::optional<std::int64_t> recorded = next_recorded();
  if (!recorded) return -1;
  if (std::find(can_run.begin(), can_run.end(), *recorded) != can_run.end()) return *recorded;
  misfit_ = fmt::format("the trace does not fit: choice {} is rank {}, which can't run",
                        replayed_ - 1, *recorded);
  return -1;
}

std::optional<std::int64_t> Schedule::next_recorded() {
  if (!misfit_.empty()) return std::nullopt;
  if (replayed_ < run_->trace.size()) return run_->trace[replayed_++];
  misfit_ = fmt::format("the trace does not fit: it ends after {} choices, the run goes on",
                        run_->trace.size());
  return std::nullopt;
}

void Schedule::record(std::int64_t choice) {
  // One beyond the limit, so that take_choices() can tell.
  if (records_ && static_cast<std::int64_t>(choices_.size()) <= limits::trace_choices) {
    choices_.push_back(choice);
  }
}

}  // namespace shardcheck::impl
