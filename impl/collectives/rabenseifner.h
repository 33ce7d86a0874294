#pragma once

/// Rabenseifner: an all-reduce by recursive halving and then recursive doubling over p2 balanced
/// blocks. Any P, by folding (folding.h).
///
/// At each step of the halving own ⊕ received; folded rank v finishes block v. Member 2v sends S·w;
/// the others (S - c_v)·w, then G_v·w_out, G_v the sizes of the aligned groups of 1, 2, … p2/2
/// blocks that hold v; 2v+1 also the finished vector, S·w_out, back to 2v.
/// Source: Rabenseifner, Optimization of Collective Reduction Operations, 2004.
/// docs/collectives.md. Temporaries: the vector in wire.

#include "collectives.h"

namespace shardcheck::impl {

void rabenseifner_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                             std::byte* sums, std::byte* finished);

}  // namespace shardcheck::impl
