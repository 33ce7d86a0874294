#pragma once

/// The collectives that a plan is made of: what each does, and its arguments.
///
/// The members of a group hold arrays of the same length, cut into one block a member: block b is
/// elements starts[b] … starts[b+1]. Blocks may be uneven or empty; a message of length zero is
/// sent and received like any other. In a reduce-scatter of [5 6 15 18] and [14 16 28 32] with
/// starts 0 2 4, member 0 ends with 19 22 in block 0 and member 1 with 43 50 in block 1.
///
/// Reduction trees and bytes: docs/plans.md, and the table in table.h. Every function is called by
/// all members, each on its own endpoint, and returns when its member has sent and received
/// everything. The phase and the dtype of the messages are the caller's to announce.

#include <cstddef>
#include <cstdint>
#include <span>

#include <shardcheck/model/case/dtype.h>

#include <shardcheck/impl/runtime/endpoint.h>
#include <shardcheck/impl/workspace.h>

namespace shardcheck::impl {

/// The ranks that differ on one mesh axis alone.
struct Group {
  std::int64_t first = 0;   ///< rank of member 0
  std::int64_t stride = 1;  ///< from one member's rank to the next
  std::int64_t count = 1;
  std::int64_t self = 0;  ///< this rank's member number
};

constexpr std::int64_t rank_of(const Group& group, std::int64_t member) {
  return group.first + member * group.stride;
}

/// Positions, in elements, at which the blocks start, and the end: count + 1 entries.
using BlockStarts = std::span<const std::int64_t>;

inline std::int64_t start_of(BlockStarts starts, std::int64_t block) {
  return starts[static_cast<std::size_t>(block)];
}
inline std::int64_t length_of(BlockStarts starts, std::int64_t block) {
  return start_of(starts, block + 1) - start_of(starts, block);
}

struct Reduction {
  Dtype acc = Dtype::f32;   ///< sums lie in its storage (convert.h)
  Dtype wire = Dtype::f32;  ///< a partial is rounded to it when it is sent
};

/// `sums`: this member's partials, aligned; afterwards the member's own block holds the sum of all
/// members' partials and the other blocks hold nothing of use.
using ReduceScatter = void (*)(Endpoint&, const Group&, BlockStarts, const Reduction&,
                               std::byte* sums, Workspace&);

/// `elements`: this member's own block filled; afterwards every block is.
using AllGather = void (*)(Endpoint&, const Group&, BlockStarts, std::int64_t element_bytes,
                           std::byte* elements, Workspace&);

void ring_reduce_scatter(Endpoint& endpoint, const Group& group, BlockStarts starts,
                         const Reduction& reduction, std::byte* sums, Workspace& workspace);
void ring_all_gather(Endpoint& endpoint, const Group& group, BlockStarts starts,
                     std::int64_t element_bytes, std::byte* elements, Workspace& workspace);

void direct_reduce_scatter(Endpoint& endpoint, const Group& group, BlockStarts starts,
                           const Reduction& reduction, std::byte* sums, Workspace& workspace);
void direct_all_gather(Endpoint& endpoint, const Group& group, BlockStarts starts,
                       std::int64_t element_bytes, std::byte* elements, Workspace& workspace);

}  // namespace shardcheck::impl
