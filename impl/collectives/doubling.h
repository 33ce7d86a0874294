#pragma once

/// Recursive doubling: members at distance 1, 2, … p2/2 exchange all that they have. Any P, by
/// folding (folding.h).
///
/// All-reduce: at each step lower ⊕ higher; both keep the value, so that each rounds its own
/// operand to wire too. Member 2v sends S·w; the others S·w to each of log2 p2 partners, and 2v+1
/// the finished vector, S·w_out, back to 2v. All-gather: 2v sends its block; folded rank v at each
/// step the blocks of its aligned group of d folded ranks; 2v+1 all but block 2v back to 2v.
/// Source: Thakur, Rabenseifner, Gropp, 2005. docs/collectives.md. Temporaries: all-reduce, the
/// vector in wire; all-gather, what goes back if it doesn't lie in one piece.

#include "collectives.h"

namespace shardcheck::impl {

void doubling_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                         std::byte* sums, std::byte* finished);
void doubling_all_gather(const Member& member, BlockStarts starts, Dtype dtype,
                         std::byte* elements);

}  // namespace shardcheck::impl
