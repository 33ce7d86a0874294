#pragma once

/// Which functions carry out which algorithm, with the reduction tree and the bytes of each.
///
///     entry(Algorithm::ring).all_gather(endpoint, group, starts, 4, elements, workspace);
///
/// Notation as in docs/plans.md: member r, P members, blocks of c_b elements, S in all, elements of
/// w bytes.

#include <array>
#include <string_view>

#include <shardcheck/model/case/algorithm.h>

#include "collectives.h"

namespace shardcheck::impl {

struct CollectiveAlgorithm {
  Algorithm algorithm = Algorithm::ring;
  ReduceScatter reduce_scatter = nullptr;
  AllGather all_gather = nullptr;
  std::string_view reduction_tree;        ///< of block b
  std::string_view reduce_scatter_bytes;  ///< sent by member r
  std::string_view all_gather_bytes;
};

/// In the order of plan_algorithms. An all-reduce is both, one after the other.
extern const std::array<CollectiveAlgorithm, plan_algorithms.size()> collective_algorithms;

inline const CollectiveAlgorithm& entry(Algorithm algorithm) {
  return collective_algorithms[static_cast<std::size_t>(algorithm)];
}

}  // namespace shardcheck::impl
