#include "collectives.h"

#include <algorithm>

#include "partials.h"

namespace shardcheck::impl {

Group turned(const Group& group, std::int64_t root) {
  Group from_root = group;
  from_root.shift = (group.shift + root) % group.count;
  from_root.self = (group.self - root + group.count) % group.count;
  return from_root;
}

std::int64_t longest(BlockStarts starts) {
  std::int64_t elements = 0;
  for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
    elements = std::max(elements, starts[block + 1] - starts[block]);
  }
  return elements;
}

std::span<std::int64_t> take_starts(Workspace& workspace, std::int64_t blocks) {
  auto* starts = reinterpret_cast<std::int64_t*>(
      workspace.take_for_lists((blocks + 1) * static_cast<std::int64_t>(sizeof(std::int64_t))));
  starts[0] = 0;
  return {starts, static_cast<std::size_t>(blocks) + 1};
}

std::span<std::int64_t> take_balanced_starts(Workspace& workspace, std::int64_t count,
                                             std::int64_t blocks) {
  const std::span<std::int64_t> starts = take_starts(workspace, blocks);
  for (std::int64_t block = 0; block < blocks; ++block) {
    const auto at = static_cast<std::size_t>(block);
    starts[at + 1] = starts[at] + count / blocks + (block < count % blocks ? 1 : 0);
  }
  return starts;
}

void all_reduce_by_blocks(const Member& member, std::int64_t count, const Reduction& reduction,
                          std::byte* sums, std::byte* finished, ReduceScatter reduce_scatter,
                          AllGather all_gather) {
  const Workspace::Mark mark = member.workspace.mark();
  const BlockStarts starts = take_balanced_starts(member.workspace, count, member.group.count);
  Reduction scattered = reduction;
  scattered.home = finished + start_of(starts, member.group.self) * info(reduction.out).bytes;
  reduce_scatter(member, starts, scattered, sums);
  all_gather(member, starts, reduction.out, finished);
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
