#pragma once

/// Bruck: ceil(log2 P) steps for any P.
///
/// All-gather: for d = 1, 2, 4, … < P member r sends the min(d, P - d) blocks from r on to r-d.
/// All-to-all, blocks of one size: a block is numbered by the distance t = j - r mod P that it has
/// to go; for d = 1, 2, 4, … < P all t with bit d set go on to r+d. Sum over t of popcount(t)
/// blocks are sent by each member. Source: Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient
/// Algorithms for All-to-All Communications in Multiport Message-Passing Systems, 1997.
/// docs/collectives.md. Temporaries: all-gather, the blocks of a step where they don't lie in one
/// piece; all-to-all, all blocks and half of them again.

#include "collectives.h"

namespace shardcheck::impl {

void bruck_all_gather(const Member& member, BlockStarts starts, Dtype dtype, std::byte* elements);
/// Requires: all blocks of all members are of one size.
void bruck_all_to_all(const Member& member, const Swap& swap, Dtype dtype, const std::byte* input,
                      std::byte* output);

}  // namespace shardcheck::impl
