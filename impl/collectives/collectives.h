#pragma once

/// The collectives, as one member of a group sees them: their arguments, and what all share.
///
/// Where a vector is divided, it is cut into one block a member: block b is elements
/// starts[b] … starts[b+1]. Blocks may be uneven or empty; a message of length zero is sent and
/// received like any other. In a reduce-scatter of [5 6 15 18] and [14 16 28 32] with starts 0 2 4,
/// member 0 ends with 19 22 in block 0 and member 1 with 43 50 in block 1.
///
/// Every function is called by all members, each on its own endpoint, and returns when its member
/// has sent and received everything. It announces the dtype of what it sends. Which algorithms
/// there are: table.h. Source: docs/collectives.md.

#include <cstddef>
#include <cstdint>
#include <span>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/dtype.h>

#include <shardcheck/impl/runtime/endpoint.h>
#include <shardcheck/impl/runtime/workspace.h>

namespace shardcheck::impl {

/// Some ranks, numbered from 0 as members.
struct Group {
  std::int64_t first = 0;   ///< rank of member 0
  std::int64_t stride = 1;  ///< from one member's rank to the next
  std::int64_t count = 1;
  std::int64_t self = 0;  ///< this rank's member number
  /// The ranks one by one, where they have no one stride; else empty.
  std::span<const std::int64_t> ranks = {};
  std::int64_t shift = 0;  ///< the number of member 0 before the group was turned
};

inline std::int64_t rank_of(const Group& group, std::int64_t member) {
  std::int64_t number = member + group.shift;
  if (number >= group.count) number -= group.count;
  return group.ranks.empty() ? group.first + number * group.stride
                             : group.ranks[static_cast<std::size_t>(number)];
}

/// The number of a member, counted on round the group from either end.
inline std::int64_t wrapped(const Group& group, std::int64_t number) {
  return (number % group.count + group.count) % group.count;
}

/// The same ranks, numbered from `root` on.
Group turned(const Group& group, std::int64_t root);

/// One member's side of a collective.
struct Member {
  Endpoint& endpoint;
  Group group;
  std::int64_t phase = 0;
  Workspace& workspace;
};

/// The same member in the turned group.
inline Member seen_from(const Member& member, std::int64_t root) {
  return {member.endpoint, turned(member.group, root), member.phase, member.workspace};
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
  Dtype acc = Dtype::f32;   ///< partials lie in its storage (convert.h)
  Dtype wire = Dtype::f32;  ///< a partial is rounded to it when it is sent
  Dtype out = Dtype::f32;   ///< a finished value is rounded to it when it is sent
  Operator op = Operator::sum;
  /// This member's partials as its input has them, in dtype wire: `sums` is then room alone. They
  /// are sent and combined from there, and stay as they are until the call has returned.
  const std::byte* own = nullptr;
  /// Reduce-scatter, and reduce at its root: where this member's finished values go, in dtype out,
  /// instead of staying in `sums`. Overlaps no own partials but those of the same elements.
  std::byte* home = nullptr;
};

/// `sums`: this member's partials, which may be overwritten. `finished`: room for as many elements
/// of dtype out, all of them the result afterwards; `sums` itself if out is stored as it is.
using AllReduce = void (*)(const Member&, std::int64_t count, const Reduction&, std::byte* sums,
                           std::byte* finished);

/// `sums`: this member's partials; afterwards its own block holds the result, in storage and not
/// yet rounded to out (unless it came by message), and the other blocks hold nothing of use.
using ReduceScatter = void (*)(const Member&, BlockStarts, const Reduction&, std::byte* sums);

/// `elements`: this member's own block filled; afterwards every block is.
using AllGather = void (*)(const Member&, BlockStarts, Dtype, std::byte* elements);

/// `sums`: this member's partials; afterwards the root's hold the result, in storage and not yet
/// rounded to out, and the others nothing of use.
using Reduce = void (*)(const Member&, std::int64_t root, std::int64_t count, const Reduction&,
                        std::byte* sums);

/// `elements`: filled at the root; afterwards at every member.
using Broadcast = void (*)(const Member&, std::int64_t root, std::int64_t count, Dtype,
                           std::byte* elements);

/// `own`: this member's block. `elements`: the root's alone, every block afterwards.
using Gather = void (*)(const Member&, std::int64_t root, BlockStarts, Dtype, const std::byte* own,
                        std::byte* elements);

/// `elements`: the root's alone, every block filled. `own`: this member's block afterwards.
using Scatter = void (*)(const Member&, std::int64_t root, BlockStarts, Dtype,
                         const std::byte* elements, std::byte* own);

/// What one member sends and receives; both have one block a member.
struct Swap {
  BlockStarts sent;      ///< block j goes to member j
  BlockStarts received;  ///< block s comes from member s
};

using AllToAll = void (*)(const Member&, const Swap&, Dtype, const std::byte* input,
                          std::byte* output);

/// Whom one member sends to and receives from; -1: nobody.
struct Hop {
  std::int64_t destination = -1;
  std::int64_t source = -1;
};

using Permute = void (*)(const Member&, const Hop&, std::int64_t count, Dtype,
                         const std::byte* input, std::byte* output);

/// The most elements of one block.
std::int64_t longest(BlockStarts starts);

/// Room in the workspace for the starts of some blocks; the first is 0.
std::span<std::int64_t> take_starts(Workspace& workspace, std::int64_t blocks);

/// Of blocks of count / blocks elements each, the first count mod blocks one element longer.
std::span<std::int64_t> take_balanced_starts(Workspace& workspace, std::int64_t count,
                                             std::int64_t blocks);

/// An all-reduce as a reduce-scatter and an all-gather of balanced blocks.
void all_reduce_by_blocks(const Member& member, std::int64_t count, const Reduction& reduction,
                          std::byte* sums, std::byte* finished, ReduceScatter reduce_scatter,
                          AllGather all_gather);

}  // namespace shardcheck::impl
