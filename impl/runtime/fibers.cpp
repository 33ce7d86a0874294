#include "fibers.h"

#include <new>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/limits.h>

#include "fiber_world.h"
#include "mistakes.h"

namespace shardcheck::impl {

WorldOutcome run_fibers(std::int64_t rank_count, const Run& run, bool trace,
                        const std::function<void(Endpoint&)>& rank_program,
                        const EndpointWrapper& wrap, std::int64_t steps_allowed) {
  SHARDCHECK_REQUIRE(rank_count >= 1 && rank_count <= limits::ranks, "limits hold beforehand");
  static thread_local FiberWorld world;
  return world.run(rank_count, run, trace, rank_program, wrap, steps_allowed);
}

/// While a world runs. However that ends, the next one starts from nothing.
struct FiberWorld::Running {
  explicit Running(FiberWorld& of) : world(of) {
    SHARDCHECK_REQUIRE(!world.is_running_, "a rank program runs no world of its own");
    world.is_running_ = true;
  }
  ~Running() {
    world.wrappers_.clear();
    world.program_ = nullptr;
    world.is_running_ = false;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  FiberWorld& world;
};

WorldOutcome FiberWorld::run(std::int64_t rank_count, const Run& run, bool trace,
                             const std::function<void(Endpoint&)>& rank_program,
                             const EndpointWrapper& wrap, std::int64_t steps_allowed) {
  const Running running(*this);
  try {
    steps_allowed_ = steps_allowed;
    begin(rank_count, run, trace);
    program_ = &rank_program;
    wrap_endpoints(wrap);
    if (!is_cancelled_) run_ranks();
    wrappers_.clear();
    return end();
  } catch (const std::bad_alloc&) {
    // Before a rank has started, or after the last one has ended.
    return without_memory();
  }
}

/// Once a fiber has started nothing may keep it from its end.
void FiberWorld::run_ranks() noexcept {
  const auto rank_count = static_cast<std::int64_t>(ranks_.size());
  for (std::int64_t rank = 0; rank < rank_count; ++rank) {
    pool_.start(rank, *this);
    set_runnable(rank);
  }
  // A fiber that suspends or ends has chosen the next one.
  for (current_ = choose_rank(); current_ >= 0;) pool_.resume(current_);
  if (finished_count_ < rank_count && !is_cancelled_) fail_stuck(Ending::deadlocked);
  if (is_cancelled_) cancel_all();
}

void FiberWorld::begin(std::int64_t rank_count, const Run& run, bool trace) {
  const auto count = static_cast<std::size_t>(rank_count);
  pool_.grow(rank_count);
  schedule_.begin(run, rank_count, trace);
  operations_.clear();
  ranks_.resize(count);
  meters_.resize(count);
  for (RankState& rank : ranks_) {
    // Not `rank = {}`: that would give the memory of `arrived` back.
    rank.phase = 0;
    rank.dtype = Dtype::u8;
    rank.arrived.clear();
    rank.consumed_count = 0;
    rank.outstanding = 0;
    rank.blocked_on = nullptr;
    rank.place = -1;
    rank.has_finished = false;
  }
  for (RankMeter& meter : meters_) clear(meter);
  while (endpoints_.size() < count) {
    endpoints_.emplace_back(*this, static_cast<std::int64_t>(endpoints_.size()));
  }
  way_numbers_.assign(count * count, -1);
  ways_.clear();
  can_run_.clear();
  can_run_.reserve(count);
  traces_ = trace;
  is_cancelled_ = false;
  message_count_ = 0;
  steps_ = 0;
  finished_count_ = 0;
  outcome_ = {};
}

void FiberWorld::wrap_endpoints(const EndpointWrapper& wrap) {
  if (!wrap) return;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    try {
      wrappers_.push_back(wrap(endpoints_[rank]));
    } catch (...) {
      fail(Ending::threw, static_cast<std::int64_t>(rank), current_exception_text());
      return;
    }
  }
}

void FiberWorld::run_fiber(std::int64_t index) noexcept {
  const auto rank = static_cast<std::size_t>(index);
  try {
    if (!is_cancelled_) {
      (*program_)(wrappers_.empty() ? endpoints_[rank] : *wrappers_[rank]);
      if (!is_cancelled_) check_outstanding(index);
    }
  } catch (const Cancelled&) {
    // Why is known already.
  } catch (...) {
    fail(Ending::threw, index, current_exception_text());
  }
  ranks_[rank].has_finished = true;
  ++finished_count_;
  set_not_runnable(index);
  current_ = choose_rank();
}

WorldOutcome FiberWorld::end() {
  if (const std::optional<std::string> misfit = schedule_.misfit()) {
    // Nothing that a rank did: the schedule that was asked for is another program's.
    outcome_.ending = Ending::unsupported;
    outcome_.ending_rank = -1;
    outcome_.cause = *misfit;
    outcome_.wait_graph.clear();
  }
  outcome_.ledger = ledger_of(meters_);
  outcome_.temporary_bytes = temporary_bytes_of(meters_);
  outcome_.left_over = left_over();
  if (traces_) {
    outcome_.messages = take_messages(meters_);
    outcome_.choices = schedule_.take_choices();
  }
  return std::exchange(outcome_, {});
}

std::vector<WaitEdge> FiberWorld::wait_graph() {
  std::vector<WaitEdge> edges;
  for (const RankState& rank : ranks_) {
    if (rank.has_finished || rank.blocked_on == nullptr) continue;
    const OperationName& name = rank.blocked_on->name;
    edges.push_back(wait_edge(name, state(name.peer).has_finished));
  }
  return edges;
}

std::vector<Transfer> FiberWorld::left_over() {
  std::vector<Transfer> transfers;
  for (const Way& way : ways_) count_unreceived(transfers, way.channel);
  sort_and_merge(transfers);
  return transfers;
}

/// -1 ends the world: nobody can run, or nobody shall.
std::int64_t FiberWorld::choose_rank() noexcept {
  if (is_cancelled_ || can_run_.empty()) return -1;
  if (++steps_ > steps_allowed_) {
    fail_stuck(Ending::timed_out);
    return -1;
  }
  try {
    const std::int64_t rank = schedule_.next_rank(can_run_);
    if (rank < 0) is_cancelled_ = true;
    return rank;
  } catch (const std::bad_alloc&) {
    // What the ranks do is no cause of that: the record of choices has no room.
    fail(Ending::unsupported, -1, out_of_memory());
    return -1;
  }
}

void FiberWorld::yield(std::int64_t rank) {
  if (is_cancelled_) throw Cancelled{};
  const std::int64_t next = choose_rank();
  if (next != rank) {
    current_ = next;
    pool_.suspend(rank);
  }
  if (is_cancelled_) throw Cancelled{};
}

void FiberWorld::block(std::int64_t rank, const Operation& operation) {
  state(rank).blocked_on = &operation;
  set_not_runnable(rank);
  current_ = choose_rank();
  pool_.suspend(rank);
  state(rank).blocked_on = nullptr;
  if (is_cancelled_) throw Cancelled{};
}

void FiberWorld::set_runnable(std::int64_t rank) {
  RankState& me = state(rank);
  if (me.place >= 0) return;
  me.place = static_cast<std::int32_t>(can_run_.size());
  can_run_.push_back(static_cast<std::int32_t>(rank));
}

void FiberWorld::set_not_runnable(std::int64_t rank) {
  RankState& me = state(rank);
  if (me.place < 0) return;
  const std::int32_t last = can_run_.back();
  can_run_[static_cast<std::size_t>(me.place)] = last;
  state(last).place = me.place;
  can_run_.pop_back();
  me.place = -1;
}

/// Every rank that is inside an operation leaves it by an exception, so that its destructors run.
void FiberWorld::cancel_all() {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!ranks_[rank].has_finished) pool_.resume(static_cast<std::int64_t>(rank));
    SHARDCHECK_REQUIRE(ranks_[rank].has_finished, "a cancelled rank suspends no more");
  }
}

void FiberWorld::fail(Ending ending, std::int64_t rank, std::string cause) {
  if (is_cancelled_) return;
  is_cancelled_ = true;
  outcome_.ending = ending;
  outcome_.ending_rank = rank;
  outcome_.cause = std::move(cause);
}

/// With the ranks that wait, as far as there is memory to tell it.
void FiberWorld::fail_stuck(Ending ending) noexcept {
  std::string cause;
  try {
    outcome_.wait_graph = wait_graph();
    cause = ending == Ending::deadlocked
                ? deadlock_cause(outcome_.wait_graph)
                : fmt::format("not finished after {} scheduling steps", steps_allowed_);
  } catch (const std::bad_alloc&) {
    cause = out_of_memory();
  }
  fail(ending, -1, std::move(cause));
}

void FiberWorld::break_off(std::int64_t rank, std::string cause) {
  fail(Ending::threw, rank, std::move(cause));
  throw Cancelled{};
}

}  // namespace shardcheck::impl
