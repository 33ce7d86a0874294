#pragma once

/// Recursive halving: members at distance p2/2, p2/4, … 1 exchange the half of the vector that the
/// other keeps. Any P, by folding (folding.h).
///
/// Reduce-scatter: at each step own ⊕ received. Member 2v sends all, S·w, to 2v+1, which finishes
/// block 2v for it, c_2v·w_out; the others send the blocks of the partner's half at each step,
/// (S - g_v)·w in all, g_v the blocks that they end with.
/// Source: Thakur, Rabenseifner, Gropp, 2005. docs/collectives.md. Temporaries: the vector in wire.

#include "collectives.h"

namespace shardcheck::impl {

void halving_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                            std::byte* sums);

}  // namespace shardcheck::impl
