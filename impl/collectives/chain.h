#pragma once

/// Chain: along the members from the root on, u = r - root mod P, one after the other.
///
/// Reduce: from u = P-1 down, each adds what it received to its own and sends the value to u-1:
/// x_u ⊕ (x_{u+1} ⊕ (…)). Broadcast: from u = 0 up. Each member but the last in the chain sends S·w
/// to its neighbour.
/// Source: docs/collectives.md. Temporaries: the vector in wire.

#include "collectives.h"

namespace shardcheck::impl {

void chain_reduce(const Member& member, std::int64_t root, std::int64_t count,
                  const Reduction& reduction, std::byte* sums);
void chain_broadcast(const Member& member, std::int64_t root, std::int64_t count, Dtype dtype,
                     std::byte* elements);

}  // namespace shardcheck::impl
