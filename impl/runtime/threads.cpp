#include "threads.h"

#include <thread>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/float_environment.h>
#include <shardcheck/model/case/limits.h>

#include "mistakes.h"
#include "thread_world.h"

namespace shardcheck::impl {
namespace {

/// How often a waiting rank looks again before it yields, if every rank has a core of its own.
constexpr std::int64_t spins_before_yield = 200;

}  // namespace

WorldOutcome run_threads(std::int64_t rank_count, bool trace,
                         const std::function<void(Endpoint&)>& rank_program,
                         const EndpointWrapper& wrap, std::chrono::milliseconds limit) {
  SHARDCHECK_REQUIRE(rank_count >= 1 && rank_count <= limits::ranks, "limits hold beforehand");
  static thread_local ThreadWorld world;
  return world.run(rank_count, trace, rank_program, wrap, limit);
}

WorldOutcome ThreadWorld::run(std::int64_t rank_count, bool trace,
                              const std::function<void(Endpoint&)>& rank_program,
                              const EndpointWrapper& wrap, std::chrono::milliseconds limit) {
  SHARDCHECK_REQUIRE(!is_running_, "one world at a time");
  is_running_ = true;
  program_ = &rank_program;
  begin(rank_count, trace);
  wrap_endpoints(wrap);
  if (!is_cancelled_) {
    limit_ = limit;
    if (!pool_.run(rank_count, *this, limit)) {
      fail(Ending::unsupported, -1,
           fmt::format("the system has no thread for each of {} ranks", rank_count));
    }
  }
  wrappers_.clear();
  is_running_ = false;
  return end();
}

void ThreadWorld::begin(std::int64_t rank_count, bool trace) {
  const auto count = static_cast<std::size_t>(rank_count);
  rank_count_ = rank_count;
  traces_ = trace;
  is_cancelled_ = false;
  message_count_ = 0;
  spins_ = rank_count <= static_cast<std::int64_t>(std::thread::hardware_concurrency())
               ? spins_before_yield
               : 0;
  while (ranks_.size() < count) {
    ranks_.push_back(std::make_unique<ThreadRank>(*this, static_cast<std::int64_t>(ranks_.size())));
  }
  meters_.resize(count);
  for (std::size_t index = 0; index < count; ++index) {
    clear(meters_[index]);
    ranks_[index]->begin();
  }
  sleepers_.assign(count, {});
  sleeping_count_ = 0;
  finished_count_ = 0;
  outcome_ = {};
}

void ThreadWorld::wrap_endpoints(const EndpointWrapper& wrap) {
  if (!wrap) return;
  for (std::int64_t index = 0; index < rank_count_; ++index) {
    try {
      wrappers_.push_back(wrap(rank(index)));
    } catch (...) {
      fail(Ending::threw, index, current_exception_text());
      return;
    }
  }
}

void ThreadWorld::run_thread(std::int64_t index) noexcept {
  const auto place = static_cast<std::size_t>(index);
  SHARDCHECK_REQUIRE(float_environment_problem().empty(),
                     "a rank's thread starts with the mode of the thread that made it");
  Endpoint& endpoint = wrappers_.empty() ? rank(index) : *wrappers_[place];
  rank(index).run(*program_, endpoint);
  finish(index);
}

void ThreadWorld::time_out() noexcept {
  const std::lock_guard lock(mutex_);
  if (is_cancelled_) return;
  outcome_.wait_graph = wait_graph_locked();
  fail_locked(Ending::timed_out, -1, fmt::format("not finished after {} ms", limit_.count()));
}

WorldOutcome ThreadWorld::end() {
  for (std::int64_t index = 0; index < rank_count_; ++index) {
    rank(index).count_left_over(outcome_.left_over);
  }
  sort_and_merge(outcome_.left_over);
  outcome_.ledger = ledger_of(meters_);
  outcome_.temporary_bytes = temporary_bytes_of(meters_);
  if (traces_) outcome_.messages = take_messages(meters_);
  return std::exchange(outcome_, {});
}

void ThreadWorld::fail(Ending ending, std::int64_t rank, std::string cause) {
  const std::lock_guard lock(mutex_);
  fail_locked(ending, rank, std::move(cause));
}

void ThreadWorld::fail_locked(Ending ending, std::int64_t rank, std::string cause) {
  if (is_cancelled_) return;
  outcome_.ending = ending;
  outcome_.ending_rank = rank;
  outcome_.cause = std::move(cause);
  is_cancelled_ = true;
  for (std::int64_t index = 0; index < rank_count_; ++index) this->rank(index).wake();
}

void ThreadWorld::sleep(std::int64_t rank, const Operation& operation, std::uint32_t events_seen) {
  Sleeper& me = sleepers_[static_cast<std::size_t>(rank)];
  {
    const std::lock_guard lock(mutex_);
    me.operation = &operation;
    me.events_seen = events_seen;
    ++sleeping_count_;
    look_for_deadlock_locked();
  }
  this->rank(rank).sleep_until_events_differ(events_seen);
  const std::lock_guard lock(mutex_);
  me.operation = nullptr;
  --sleeping_count_;
}

void ThreadWorld::finish(std::int64_t rank) {
  const std::lock_guard lock(mutex_);
  sleepers_[static_cast<std::size_t>(rank)].has_finished = true;
  ++finished_count_;
  look_for_deadlock_locked();
}

/// Whoever is awake may still do something, and so may a sleeper for whom something has happened
/// that it hasn't noticed yet. If there is neither, nothing will ever happen again.
void ThreadWorld::look_for_deadlock_locked() {
  if (sleeping_count_ == 0 || sleeping_count_ + finished_count_ < rank_count_) return;
  for (std::size_t index = 0; index < sleepers_.size(); ++index) {
    const Sleeper& sleeper = sleepers_[index];
    if (sleeper.operation != nullptr && ranks_[index]->events() != sleeper.events_seen) return;
  }
  if (is_cancelled_) return;
  outcome_.wait_graph = wait_graph_locked();
  fail_locked(Ending::deadlocked, -1, deadlock_cause(outcome_.wait_graph));
}

std::vector<WaitEdge> ThreadWorld::wait_graph_locked() const {
  std::vector<WaitEdge> edges;
  for (const Sleeper& sleeper : sleepers_) {
    if (sleeper.operation == nullptr) continue;
    const OperationName& name = sleeper.operation->name;
    edges.push_back(wait_edge(name, sleepers_[static_cast<std::size_t>(name.peer)].has_finished));
  }
  return edges;
}

}  // namespace shardcheck::impl
