#pragma once

/// Ring: P-1 steps, in each of which every member sends to its successor.
///
/// Reduce-scatter: the value of block b sets out at member b+1 and takes in one partial a step
/// until it is home: ((x_{b+1} ⊕ x_{b+2}) ⊕ …) ⊕ x_b. Member r sends (S - c_r)·w to r+1.
/// All-gather: every block travels on and stops before the member that started with it. Member r
/// sends (S - c_{r+1})·w to r+1.
/// All-reduce: the one, then the other.
/// Source: Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations in
/// MPICH, 2005; Patarasuk and Yuan, 2009. docs/collectives.md. Temporaries: one block in wire.

#include "collectives.h"

namespace shardcheck::impl {

void ring_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                         std::byte* sums);
void ring_all_gather(const Member& member, BlockStarts starts, Dtype dtype, std::byte* elements);
void ring_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                     std::byte* sums, std::byte* finished);

}  // namespace shardcheck::impl
