#pragma once

/// Which functions carry out which algorithm of which collective, with the reduction tree and the
/// bytes of each.
///
///     entry(collective_table().all_gather, Algorithm::ring).run(member, starts, dtype, elements);
///
/// A changed copy can take its place (collective_backend.h). Notation as in docs/collectives.md:
/// member r, P members, blocks of c_b elements, S in all, elements of w bytes; u = r - root mod P;
/// v the folded rank, p2 of them, g_v the size of its blocks, L = log2 p2.

#include <algorithm>
#include <array>
#include <string_view>

#include <shardcheck/model/case/algorithm.h>
#include <shardcheck/model/case/contract.h>

#include "collectives.h"

namespace shardcheck::impl {

template <typename Function>
struct CollectiveEntry {
  Algorithm algorithm = Algorithm::ring;
  Function run = nullptr;
  std::string_view value;  ///< of an element of block b, or of the whole; empty: moved as it is
  std::string_view bytes;  ///< sent by member r
};

template <typename Function, std::size_t count>
using CollectiveEntries = std::array<CollectiveEntry<Function>, count>;

struct CollectiveTable {
  CollectiveEntries<AllReduce, 5> all_reduce;
  CollectiveEntries<ReduceScatter, 4> reduce_scatter;
  CollectiveEntries<AllGather, 4> all_gather;
  CollectiveEntries<Reduce, 3> reduce;
  CollectiveEntries<Broadcast, 4> broadcast;
  CollectiveEntries<Gather, 2> gather;
  CollectiveEntries<Scatter, 2> scatter;
  CollectiveEntries<AllToAll, 3> all_to_all;
  CollectiveEntries<Permute, 1> permute;
};

const CollectiveTable& collective_table();

/// Nothing if the collective has no such algorithm.
template <typename Function, std::size_t count>
const CollectiveEntry<Function>* find_entry(const CollectiveEntries<Function, count>& entries,
                                            Algorithm algorithm) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& one) { return one.algorithm == algorithm; });
  return found == entries.end() ? nullptr : &*found;
}

/// Whether a function of the collective is one of ours, and so knows Reduction::own and ::home. One
/// that stands in for it may know `sums` alone.
template <typename Function, std::size_t count>
bool is_ours(const CollectiveEntries<Function, count>& ours, Function run) {
  return std::any_of(ours.begin(), ours.end(), [&](const auto& one) { return one.run == run; });
}

/// Requires: the collective has the algorithm.
template <typename Function, std::size_t count>
const CollectiveEntry<Function>& entry(const CollectiveEntries<Function, count>& entries,
                                       Algorithm algorithm) {
  const CollectiveEntry<Function>* found = find_entry(entries, algorithm);
  SHARDCHECK_REQUIRE(found != nullptr, "a case's algorithm is one of its collective");
  return *found;
}

}  // namespace shardcheck::impl
