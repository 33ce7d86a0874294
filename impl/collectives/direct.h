#pragma once

/// Direct: each pair of members that has something to send does so, in one message.
///
/// Reduce-scatter: each member sends block b to member b, c_b·w; the value is x_0 ⊕ x_1 ⊕ … from
/// the left, all but x_b rounded to wire. Reduce: the same at the root for the whole vector; the
/// others send S·w. The order of the members is kept, whatever the root.
/// All-gather: c_r·w to every other. All-reduce: reduce-scatter, then all-gather. Broadcast: the
/// root sends S·w to each. Gather, scatter: c_r·w to the root, c_b·w from it. All-to-all: each
/// block to its member. Permute: the vector to its destination.
/// Source: the definitions; docs/collectives.md. Temporaries: the partials in wire where they don't
/// lie so already, and the running value.

#include "collectives.h"

namespace shardcheck::impl {

void direct_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                           std::byte* sums);
void direct_all_gather(const Member& member, BlockStarts starts, Dtype dtype, std::byte* elements);
void direct_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                       std::byte* sums, std::byte* finished);
void direct_reduce(const Member& member, std::int64_t root, std::int64_t count,
                   const Reduction& reduction, std::byte* sums);
void direct_broadcast(const Member& member, std::int64_t root, std::int64_t count, Dtype dtype,
                      std::byte* elements);
void direct_gather(const Member& member, std::int64_t root, BlockStarts starts, Dtype dtype,
                   const std::byte* own, std::byte* elements);
void direct_scatter(const Member& member, std::int64_t root, BlockStarts starts, Dtype dtype,
                    const std::byte* elements, std::byte* own);
void direct_all_to_all(const Member& member, const Swap& swap, Dtype dtype, const std::byte* input,
                       std::byte* output);
void direct_permute(const Member& member, const Hop& hop, std::int64_t count, Dtype dtype,
                    const std::byte* input, std::byte* output);

}  // namespace shardcheck::impl
