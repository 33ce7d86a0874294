#pragma once

/// How one thread is told that something has happened, however it waits: it spins, yields, then
/// sleeps.
///
///     for (;;) {
///       const std::uint32_t seen = signal.count();   // first: what happens after a look changes
///       it if (/* what is waited for has happened, or nothing will */) return; if
///       (!signal.differs_soon(seen, patience)) signal.sleep_while(seen);
///     }
///
/// Whoever does something of interest calls notify() afterwards. The lowest bit of the one word
/// says that the thread sleeps, so that only then a notifier asks the system to wake it; the count
/// stands above it.

#include <cstdint>

#include "sync.h"

namespace shardcheck::impl {

/// How often a waiting thread looks again before it yields, and yields before it sleeps.
struct Patience {
  int spins = 0;
  int yields = 0;
};

class Signal {
 public:
  /// Of notifications. Changes with each.
  std::uint32_t count() const { return word_.load(std::memory_order_acquire) & ~sleeps; }

  /// Any thread.
  void notify() {
    if ((word_.fetch_add(one, std::memory_order_acq_rel) & sleeps) != 0) sync::unpark(word_);
  }

  /// Whether the count differs from `seen` before patience is at its end.
  bool differs_soon(std::uint32_t seen, Patience patience) const {
    if constexpr (!sync::may_spin) return false;
    for (int spin = 0; spin < patience.spins; ++spin) {
      if (count() != seen) return true;
      sync::pause();
    }
    for (int yield = 0; yield < patience.yields; ++yield) {
      if (count() != seen) return true;
      sync::yield();
    }
    return false;
  }

  /// Returns once the count differs from `seen`. The one thread that waits, alone.
  void sleep_while(std::uint32_t seen) {
    std::uint32_t word = seen;
    if (!word_.compare_exchange_strong(word, seen | sleeps, std::memory_order_acq_rel)) return;
    while (word_.load(std::memory_order_acquire) == (seen | sleeps)) {
      sync::park(word_, seen | sleeps);
    }
    word_.fetch_and(~sleeps, std::memory_order_acq_rel);
  }

 private:
  static constexpr std::uint32_t sleeps = 1;
  static constexpr std::uint32_t one = 2;

  sync::Atomic<std::uint32_t> word_ = 0;
};

}  // namespace shardcheck::impl
