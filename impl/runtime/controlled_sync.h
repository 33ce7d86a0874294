#pragma once

/// For a test: the runtime's atomics, mutexes, threads and parking (sync.h) as steps of a scheduler
/// that tries them in every order.
///
///     const Exploration seen = explore([] { ThreadWorld world; world.run(...); });
///     seen.stuck_count     // orders in which nobody could go on: a lost wake-up
///
/// The threads are fibers of the calling thread. Before each step a fiber says what it is about to
/// touch; the scheduler picks who goes on. Executions are enumerated depth first by running the
/// scenario again from its start with other choices. Orders that differ in steps which touch
/// different things alone are run once (sleep sets: Godefroid, Partial-Order Methods for the
/// Verification of Concurrent Systems, 1996). What a weaker memory model than the sequentially
/// consistent one allows isn't explored. A scenario must do the same when it is scheduled the same.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace shardcheck::impl::sync {

struct Exploration {
  std::int64_t execution_count = 0;
  std::int64_t twin_count = 0;  ///< of those: turned out to be another's twin on the way
  std::int64_t stuck_count = 0;
  std::int64_t steps_max = 0;  ///< of one execution
  bool is_complete = false;    ///< every order was tried, up to the limits
};

struct ExplorationLimits {
  /// Times that a thread which could go on is made to wait; -1: as often as it may be. With a limit
  /// (Musuvathi, Qadeer: Iterative Context Bounding, PLDI 2007) no order counts as another's twin.
  int preemptions = -1;
  std::int64_t executions = 2'000'000;
};

/// Ends at the first order in which nobody can go on; its threads are never freed.
Exploration explore(const std::function<void()>& scenario, ExplorationLimits limits = {});

enum class Access : std::uint8_t { read, write };

/// The calling fiber is about to touch the object; returns when it may.
void step(const void* object, Access access);
/// Not before `can_go_on`, which changes with steps on the same object alone.
void step_when(const void* object, Access access, std::function<bool()> can_go_on);

template <typename T>
class Atomic {
 public:
  Atomic() = default;
  Atomic(T value) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order = std::memory_order_seq_cst) const {
    step(this, Access::read);
    return value_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) {
    step(this, Access::write);
    value_ = value;
  }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst) {
    step(this, Access::write);
    return std::exchange(value_, value);
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order = std::memory_order_seq_cst,
                               std::memory_order = std::memory_order_seq_cst) {
    step(this, Access::write);
    if (value_ != expected) {
      expected = value_;
      return false;
    }
    value_ = value;
    return true;
  }
  bool compare_exchange_weak(T& expected, T value, std::memory_order, std::memory_order) {
    return compare_exchange_strong(expected, value);
  }
  T fetch_add(T value, std::memory_order = std::memory_order_seq_cst) {
    step(this, Access::write);
    return std::exchange(value_, static_cast<T>(value_ + value));
  }
  T fetch_sub(T value, std::memory_order = std::memory_order_seq_cst) {
    step(this, Access::write);
    return std::exchange(value_, static_cast<T>(value_ - value));
  }
  T fetch_and(T value, std::memory_order = std::memory_order_seq_cst) {
    step(this, Access::write);
    return std::exchange(value_, static_cast<T>(value_ & value));
  }

  /// No step: for conditions.
  T value() const { return value_; }

 private:
  T value_{};
};

class Mutex {
 public:
  void lock() {
    step_when(this, Access::write, [this] { return !is_locked_; });
    is_locked_ = true;
  }
  /// No step: nobody could tell it from one together with the step before.
  void unlock() { is_locked_ = false; }

 private:
  bool is_locked_ = false;
};

class Thread {
 public:
  Thread() = default;
  explicit Thread(std::function<void()> work);
  void join();

 private:
  int index_ = -1;
};

void park(const Atomic<std::uint32_t>& word, std::uint32_t value);
void unpark(const Atomic<std::uint32_t>& word);

template <typename T>
void yield_while(const Atomic<T>& atomic, T value) {
  step_when(&atomic, Access::read, [&atomic, value] { return atomic.value() != value; });
}

inline void pause() {}
inline void yield() {}
inline constexpr bool may_spin = false;

/// What the clocks show, and how often ranks look at them; for scenarios to set.
inline std::chrono::nanoseconds shown_time{0};
inline std::int64_t calls_between_looks = 512;

inline std::chrono::nanoseconds processor_time() { return shown_time; }
inline std::chrono::nanoseconds wall_time() { return shown_time; }

}  // namespace shardcheck::impl::sync
