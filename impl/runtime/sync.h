#pragma once

/// What the thread runtime takes from the system to share, sleep and wake: atomics, a mutex, a
/// thread, parking on a word, clocks. Nothing in the runtime of threads uses others.
///
/// A test compiles the same sources with SHARDCHECK_CONTROLLED_SYNC and gets all of it from
/// controlled_sync.h, where each step is a choice of a scheduler that tries them all.

#ifdef SHARDCHECK_CONTROLLED_SYNC
#include "controlled_sync.h"
#else

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

namespace shardcheck::impl::sync {

template <typename T>
using Atomic = std::atomic<T>;
using Mutex = std::mutex;
using Thread = std::thread;

static_assert(sizeof(Atomic<std::uint32_t>) == sizeof(std::uint32_t), "a futex is a plain word");

/// Sleeps while the word is `value`; may return early.
inline void park(const Atomic<std::uint32_t>& word, std::uint32_t value) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

/// Wakes the one thread that may be parked on the word.
inline void unpark(const Atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

/// For the other thread of a core, while this one spins.
inline void pause() { __builtin_ia32_pause(); }

inline void yield() { std::this_thread::yield(); }

template <typename T>
void yield_while(const Atomic<T>& atomic, T value) {
  while (atomic.load(std::memory_order_acquire) == value) yield();
}

inline constexpr bool may_spin = true;

/// That this thread has used.
inline std::chrono::nanoseconds processor_time() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

inline std::chrono::nanoseconds wall_time() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

/// Calls of an endpoint from one look at the clocks to the next.
inline constexpr std::int64_t calls_between_looks = 512;

}  // namespace shardcheck::impl::sync

#endif
