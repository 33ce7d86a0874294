#pragma once

/// Pairwise: P-1 steps, in step t every member sends to the t-th after it and receives from the
/// t-th before it.
///
/// Reduce-scatter: in step t block r+t goes to member r+t; the value of block b is
/// x_b ⊕ x_{b-1} ⊕ x_{b-2} ⊕ … from the left. Member r sends c_b·w to every other b.
/// All-to-all: block j goes to member j in step j - r.
/// Source: Thakur, Rabenseifner, Gropp, 2005. docs/collectives.md. Temporaries: one block in wire.

#include "collectives.h"

namespace shardcheck::impl {

void pairwise_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                             std::byte* sums);
void pairwise_all_to_all(const Member& member, const Swap& swap, Dtype dtype,
                         const std::byte* input, std::byte* output);

}  // namespace shardcheck::impl
