#pragma once

/// Upper bounds of one world, in one place: what ends a program that would never end by itself.
///
/// They bound programs that keep calling their endpoint. A rank that loops without a call can only
/// be ended from outside, by whoever supervises the process.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace shardcheck::impl::runtime_limits {

/// Scheduling choices of a world of fibers. A ring all-reduce of 1,024 ranks takes 10 million.
inline constexpr std::int64_t scheduling_steps = std::int64_t{1} << 26;
/// A world of threads: processor time of all its ranks, divided by the cores that they can be on at
/// once. On a machine of one's own that is the time that passes; a process that is stopped, or one
/// among many, isn't held to what others take.
inline constexpr std::chrono::seconds thread_world{60};
/// So many times as much may pass by the clock on the wall.
inline constexpr std::int64_t wall_time_factor = 10;
/// Operations of one rank that are started and not yet waited for.
inline constexpr std::int64_t operations_outstanding = std::int64_t{1} << 16;
/// Priority changes of one `pct` schedule; more are drawn for nobody.
inline constexpr std::int64_t change_points = 1024;
/// Stack of a fiber. A throw alone needs over 100 KiB under AddressSanitizer.
inline constexpr std::size_t fiber_stack_bytes = std::size_t{512} << 10;

}  // namespace shardcheck::impl::runtime_limits
