#include "threads.h"

#include <algorithm>
#include <mutex>
#include <new>
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

/// If every rank has a core of its own: a wait that is over within the time that sleeping and being
/// woken would take costs no more than its length. Else handing the core over comes first.
constexpr Patience patience_on_own_core{1000, 20};
constexpr Patience patience_on_shared_core{0, 16};

std::int64_t core_count() {
  static const auto count = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  return std::max<std::int64_t>(count, 1);
}

}  // namespace

WorldOutcome run_threads(std::int64_t rank_count, bool trace,
                         const std::function<void(Endpoint&)>& rank_program,
                         const EndpointWrapper& wrap, std::chrono::milliseconds limit) {
  SHARDCHECK_REQUIRE(rank_count >= 1 && rank_count <= limits::ranks, "limits hold beforehand");
  static thread_local ThreadWorld world;
  return world.run(rank_count, trace, rank_program, wrap, limit);
}

/// While a world runs. However that ends, the next one starts from nothing.
struct ThreadWorld::Running {
  explicit Running(ThreadWorld& of) : world(of) {
    SHARDCHECK_REQUIRE(!world.is_running_, "one world at a time");
    world.is_running_ = true;
  }
  ~Running() {
    world.wrappers_.clear();
    world.program_ = nullptr;
    world.is_running_ = false;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  ThreadWorld& world;
};

WorldOutcome ThreadWorld::run(std::int64_t rank_count, bool trace,
                              const std::function<void(Endpoint&)>& rank_program,
                              const EndpointWrapper& wrap, std::chrono::milliseconds limit) {
  const Running running(*this);
  try {
    begin(rank_count, trace);
    program_ = &rank_program;
    limit_ = limit;
    wrap_endpoints(wrap);
    if (!is_cancelled_.load() && !pool_.run(rank_count, *this, patience_)) {
      fail(Ending::unsupported, -1,
           fmt::format("the system has no thread for each of {} ranks", rank_count));
    }
    wrappers_.clear();
    return end();
  } catch (const std::bad_alloc&) {
    // Before a rank has started, or after the last one has ended.
    return without_memory();
  }
}

void ThreadWorld::begin(std::int64_t rank_count, bool trace) {
  const auto count = static_cast<std::size_t>(rank_count);
  rank_count_ = rank_count;
  traces_ = trace;
  is_cancelled_.store(false);
  message_count_.store(0);
  processor_nanoseconds_.store(0);
  started_at_ = sync::wall_time();
  patience_ = rank_count <= core_count() ? patience_on_own_core : patience_on_shared_core;
  while (ranks_.size() < count) {
    ranks_.push_back(std::make_unique<ThreadRank>(*this, static_cast<std::int64_t>(ranks_.size())));
  }
  meters_.resize(count);
  for (std::size_t index = 0; index < count; ++index) {
    clear(meters_[index]);
    ranks_[index]->begin();
  }
  sleepers_.assign(count, {});
  sleeping_count_.store(0);
  finished_count_.store(0);
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
  finish();
}

/// On a rank's thread, which has used some more time since it last came here.
void ThreadWorld::time_out_if_due(std::chrono::nanoseconds processor_time) {
  const std::chrono::nanoseconds used(processor_nanoseconds_.fetch_add(processor_time.count()) +
                                      processor_time.count());
  const bool is_due = used >= limit_ * std::min(rank_count_, core_count()) ||
                      sync::wall_time() - started_at_ >= limit_ * runtime_limits::wall_time_factor;
  if (!is_due) return;
  const std::lock_guard lock(mutex_);
  if (is_cancelled_.load()) return;
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
  if (is_cancelled_.load()) return;
  outcome_.ending = ending;
  outcome_.ending_rank = rank;
  outcome_.cause = std::move(cause);
  is_cancelled_.store(true, std::memory_order_release);
  for (std::int64_t index = 0; index < rank_count_; ++index) this->rank(index).signal().notify();
}

void ThreadWorld::sleep(std::int64_t rank, const Operation& operation, std::uint32_t seen) {
  Sleeper& me = sleepers_[static_cast<std::size_t>(rank)];
  {
    const std::lock_guard lock(mutex_);
    me.operation = &operation;
    me.seen = seen;
    sleeping_count_.fetch_add(1);
    look_for_deadlock_locked();
  }
  this->rank(rank).signal().sleep_while(seen);
  const std::lock_guard lock(mutex_);
  me.operation = nullptr;
  sleeping_count_.fetch_sub(1);
}

/// Either this rank sees that somebody sleeps, or whoever falls asleep afterwards sees that it has
/// finished: both write before they read, in one order for all.
void ThreadWorld::finish() {
  finished_count_.fetch_add(1);
  if (sleeping_count_.load() == 0) return;
  const std::lock_guard lock(mutex_);
  look_for_deadlock_locked();
}

/// Whoever is awake may still do something, and so may a sleeper for whom something has happened
/// that it hasn't noticed yet. If there is neither, nothing will ever happen again.
void ThreadWorld::look_for_deadlock_locked() noexcept {
  const std::int64_t sleeping = sleeping_count_.load();
  if (sleeping == 0 || sleeping + finished_count_.load() < rank_count_) return;
  for (std::size_t index = 0; index < sleepers_.size(); ++index) {
    const Sleeper& sleeper = sleepers_[index];
    if (sleeper.operation != nullptr && ranks_[index]->signal().count() != sleeper.seen) return;
  }
  if (is_cancelled_.load()) return;
  std::string cause;
  try {
    outcome_.wait_graph = wait_graph_locked();
    cause = deadlock_cause(outcome_.wait_graph);
  } catch (const std::bad_alloc&) {
    cause = out_of_memory();
  }
  fail_locked(Ending::deadlocked, -1, std::move(cause));
}

std::vector<WaitEdge> ThreadWorld::wait_graph_locked() const {
  std::vector<WaitEdge> edges;
  for (const Sleeper& sleeper : sleepers_) {
    if (sleeper.operation == nullptr) continue;
    const OperationName& name = sleeper.operation->name;
    const ThreadRank& peer = *ranks_[static_cast<std::size_t>(name.peer)];
    edges.push_back(wait_edge(name, peer.has_finished()));
  }
  return edges;
}

}  // namespace shardcheck::impl
