#include "scatter_all_gather.h"

#include "binomial.h"
#include "partials.h"
#include "ring.h"

namespace shardcheck::impl {

void scatter_all_gather_broadcast(const Member& member, std::int64_t root, std::int64_t count,
                                  Dtype dtype, std::byte* elements) {
  const Member node = seen_from(member, root);
  const Workspace::Mark mark = node.workspace.mark();
  const BlockStarts starts = take_balanced_starts(node.workspace, count, node.group.count);
  binomial_scatter_subtrees(node, starts, dtype,
                            elements + start_of(starts, node.group.self) * info(dtype).bytes);
  ring_all_gather(node, starts, dtype, elements);
  node.workspace.release(mark);
}

}  // namespace shardcheck::impl
