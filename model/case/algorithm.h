#pragma once

/// Names of the collectives and of the algorithms that can carry them out.
///
/// What an algorithm means (its blocks, its reduction tree, its bytes) is written in docs/plans.md,
/// and twice in code: in model/ from that definition and in impl/ as messages.

#include <array>
#include <cstdint>
#include <string_view>

namespace shardcheck {

enum class Collective : std::uint8_t { all_reduce, reduce_scatter, all_gather };

inline constexpr std::array<std::string_view, 3> collective_names{"all_reduce", "reduce_scatter",
                                                                  "all_gather"};

constexpr std::string_view name(Collective collective) {
  return collective_names[static_cast<std::size_t>(collective)];
}

enum class Algorithm : std::uint8_t { ring, direct };

struct AlgorithmInfo {
  Algorithm algorithm = Algorithm::ring;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<AlgorithmInfo, 2> algorithms{{
    {Algorithm::ring, "ring", "P-1 steps, each rank sends to its successor"},
    {Algorithm::direct, "direct", "every rank sends to every other, one message a pair"},
}};

constexpr std::string_view name(Algorithm algorithm) {
  return algorithms[static_cast<std::size_t>(algorithm)].name;
}

}  // namespace shardcheck
