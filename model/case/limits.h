#pragma once

/// Upper bounds, in one place. They hold before anything is allocated.

#include <cstdint>

namespace shardcheck::limits {

inline constexpr std::int64_t ranks = 1024;
inline constexpr std::int64_t mesh_axes = 8;
inline constexpr std::int64_t elements_per_tensor = std::int64_t{1} << 26;
/// All ranks' inputs and outputs of one case; an output has room for the whole of C on each rank.
inline constexpr std::int64_t bytes_per_case = std::int64_t{4} << 30;
inline constexpr std::int64_t line_bytes = std::int64_t{64} << 20;
inline constexpr std::int64_t plan_steps = 64;
/// Collectives in a row in a case of collectives alone.
inline constexpr std::int64_t calls = 4;
/// `plan=auto` is a search whose states multiply with every mesh axis; beyond, a plan is spelled
/// out.
inline constexpr std::int64_t auto_mesh_axes = 4;
inline constexpr std::int64_t trace_choices = std::int64_t{1} << 20;
/// `given` values of A and B together that a failing case is rewritten to hold.
inline constexpr std::int64_t given_values_when_minimised = 64;
inline constexpr std::int64_t mismatches_printed = 10;

}  // namespace shardcheck::limits
