#pragma once

/// Scatter and all-gather: a broadcast that sends each element about twice.
///
/// The vector is cut balanced over u = r - root mod P, scattered from u = 0 down a binomial tree
/// and gathered on a ring over u. Member u sends to each child the blocks of its subtree, then (S -
/// c_{u+1})·w to u+1. On the ring blocks travel that a member has from its subtree already. Source:
/// van de Geijn's broadcast, in Thakur, Rabenseifner, Gropp, 2005. docs/collectives.md.
/// Temporaries: none but the starts of the blocks.

#include "collectives.h"

namespace shardcheck::impl {

void scatter_all_gather_broadcast(const Member& member, std::int64_t root, std::int64_t count,
                                  Dtype dtype, std::byte* elements);

}  // namespace shardcheck::impl
