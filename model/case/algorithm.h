#pragma once

/// Names of the collectives and of the algorithms that can carry them out.
///
/// What a collective means and what an algorithm does (its blocks, its reduction tree, its bytes)
/// is written in docs/collectives.md, and twice in code: in model/ from that definition and in
/// impl/ as messages.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace shardcheck {

enum class Collective : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  reduce,
  broadcast,
  gather,
  scatter,
  all_to_all,
  permute
};

inline constexpr std::array<std::string_view, 9> collective_names{
    "all_reduce", "reduce_scatter", "all_gather", "reduce", "broadcast",
    "gather",     "scatter",        "all_to_all", "permute"};

/// The first three are those that a plan is made of.
inline constexpr std::size_t plan_collective_count = 3;

constexpr std::string_view name(Collective collective) {
  return collective_names[static_cast<std::size_t>(collective)];
}

enum class Algorithm : std::uint8_t {
  ring,
  direct,
  pairwise,
  halving,
  doubling,
  rabenseifner,
  binomial,
  bruck,
  chain,
  scatter_all_gather
};

struct AlgorithmInfo {
  Algorithm algorithm = Algorithm::ring;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<AlgorithmInfo, 10> algorithms{{
    {Algorithm::ring, "ring", "P-1 steps, each rank sends to its successor"},
    {Algorithm::direct, "direct", "each pair that has something to send does so, in one message"},
    {Algorithm::pairwise, "pairwise", "P-1 steps, in step t each rank sends to the t-th after it"},
    {Algorithm::halving, "halving", "recursive halving, ranks beyond a power of two folded in"},
    {Algorithm::doubling, "doubling", "recursive doubling, ranks beyond a power of two folded in"},
    {Algorithm::rabenseifner, "rabenseifner", "recursive halving, then recursive doubling"},
    {Algorithm::binomial, "binomial", "a binomial tree below the root"},
    {Algorithm::bruck, "bruck", "Bruck's ceil(log2 P) steps"},
    {Algorithm::chain, "chain", "along the ranks, one after the other"},
    {Algorithm::scatter_all_gather, "scatter_all_gather", "binomial scatter, then ring all-gather"},
}};

constexpr std::string_view name(Algorithm algorithm) {
  return algorithms[static_cast<std::size_t>(algorithm)].name;
}

/// By Collective: its algorithms, the default first.
namespace offered {
inline constexpr std::array all_reduce{Algorithm::ring, Algorithm::direct, Algorithm::doubling,
                                       Algorithm::rabenseifner, Algorithm::binomial};
inline constexpr std::array reduce_scatter{Algorithm::ring, Algorithm::direct, Algorithm::pairwise,
                                           Algorithm::halving};
inline constexpr std::array all_gather{Algorithm::ring, Algorithm::direct, Algorithm::doubling,
                                       Algorithm::bruck};
inline constexpr std::array reduce{Algorithm::binomial, Algorithm::direct, Algorithm::chain};
inline constexpr std::array broadcast{Algorithm::binomial, Algorithm::direct, Algorithm::chain,
                                      Algorithm::scatter_all_gather};
inline constexpr std::array gather{Algorithm::direct, Algorithm::binomial};
inline constexpr std::array scatter{Algorithm::direct, Algorithm::binomial};
inline constexpr std::array all_to_all{Algorithm::direct, Algorithm::pairwise, Algorithm::bruck};
inline constexpr std::array permute{Algorithm::direct};
}  // namespace offered

/// The algorithms of a collective, the default first.
constexpr std::span<const Algorithm> algorithms_of(Collective collective) {
  switch (collective) {
    case Collective::all_reduce: return offered::all_reduce;
    case Collective::reduce_scatter: return offered::reduce_scatter;
    case Collective::all_gather: return offered::all_gather;
    case Collective::reduce: return offered::reduce;
    case Collective::broadcast: return offered::broadcast;
    case Collective::gather: return offered::gather;
    case Collective::scatter: return offered::scatter;
    case Collective::all_to_all: return offered::all_to_all;
    case Collective::permute: return offered::permute;
  }
  return {};
}

/// Whether the collective has that algorithm at all; some cases rule it out nevertheless.
constexpr bool offers(Collective collective, Algorithm algorithm) {
  for (const Algorithm one : algorithms_of(collective)) {
    if (one == algorithm) return true;
  }
  return false;
}

}  // namespace shardcheck
