#pragma once

/// Binomial tree over u = r - root mod P: the parent of u clears its lowest set bit; the children
/// are u+1, u+2, u+4, …, nearest first, as far as they lie below that bit and below P. The subtree
/// of u is u, u+1, … up to there.
///
/// Reduce: own ⊕ child, child by child; each member but the root sends S·w to its parent.
/// Broadcast: S·w to each child. All-reduce: reduce to member 0, then broadcast of the finished
/// values. Gather, scatter: an edge carries the blocks of the child's subtree.
/// Source: Thakur, Rabenseifner, Gropp, 2005. docs/collectives.md. Temporaries: reduce, the vector
/// in wire; gather and scatter, the blocks of the subtree, at the root only if it isn't member 0.

#include "collectives.h"

namespace shardcheck::impl {

void binomial_reduce(const Member& member, std::int64_t root, std::int64_t count,
                     const Reduction& reduction, std::byte* sums);
void binomial_broadcast(const Member& member, std::int64_t root, std::int64_t count, Dtype dtype,
                        std::byte* elements);
void binomial_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                         std::byte* sums, std::byte* finished);
void binomial_gather(const Member& member, std::int64_t root, BlockStarts starts, Dtype dtype,
                     const std::byte* own, std::byte* elements);
void binomial_scatter(const Member& member, std::int64_t root, BlockStarts starts, Dtype dtype,
                      const std::byte* elements, std::byte* own);

/// A scatter from member 0 in which each member keeps the blocks of its whole subtree. `subtree`:
/// where its own block, the first of them, stands.
void binomial_scatter_subtrees(const Member& member, BlockStarts starts, Dtype dtype,
                               std::byte* subtree);

}  // namespace shardcheck::impl
