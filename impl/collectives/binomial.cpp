#include "binomial.h"

#include <algorithm>

#include "partials.h"

namespace shardcheck::impl {
namespace {

/// Twice the distance to the farthest child that there could be: the lowest set bit of u, or for
/// the root the first power of two that is not less than P.
std::int64_t reach_of(const Group& tree) {
  if (tree.self > 0) return tree.self & -tree.self;
  std::int64_t reach = 1;
  while (reach < tree.count) reach *= 2;
  return reach;
}

std::int64_t parent_of(const Group& tree) { return tree.self - reach_of(tree); }

/// One past the last member of the subtree of a child.
std::int64_t subtree_end(const Group& tree, std::int64_t child, std::int64_t distance) {
  return std::min(child + distance, tree.count);
}

/// The starts of the blocks in the order of u.
std::span<std::int64_t> take_turned_starts(Workspace& workspace, BlockStarts starts,
                                           std::int64_t root) {
  const auto blocks = static_cast<std::int64_t>(starts.size()) - 1;
  const std::span<std::int64_t> by_u = take_starts(workspace, blocks);
  for (std::int64_t u = 0; u < blocks; ++u) {
    const auto at = static_cast<std::size_t>(u);
    by_u[at + 1] = by_u[at] + length_of(starts, (u + root) % blocks);
  }
  return by_u;
}

/// Each member's subtree comes together behind its own block, which is in place.
void gather_subtrees(const Member& member, BlockStarts starts, std::int64_t width,
                     std::byte* subtree) {
  const Group& tree = member.group;
  for (std::int64_t distance = 1; distance < reach_of(tree); distance *= 2) {
    const std::int64_t child = tree.self + distance;
    if (child >= tree.count) break;
    const std::int64_t end = start_of(starts, subtree_end(tree, child, distance));
    receive(member, child,
            subtree + (start_of(starts, child) - start_of(starts, tree.self)) * width,
            (end - start_of(starts, child)) * width);
  }
}

void receive_subtree(const Member& member, BlockStarts starts, std::int64_t width,
                     std::byte* subtree) {
  const Group& tree = member.group;
  const std::int64_t end = start_of(starts, subtree_end(tree, tree.self, reach_of(tree)));
  receive(member, parent_of(tree), subtree, (end - start_of(starts, tree.self)) * width);
}

void send_subtrees(const Member& member, BlockStarts starts, std::int64_t width,
                   const std::byte* subtree) {
  const Group& tree = member.group;
  const Workspace::Mark mark = member.workspace.mark();
  Sends sends(member, tree.count);
  for (std::int64_t distance = reach_of(tree) / 2; distance > 0; distance /= 2) {
    const std::int64_t child = tree.self + distance;
    if (child >= tree.count) continue;
    const std::int64_t start = start_of(starts, child);
    const std::int64_t end = start_of(starts, subtree_end(tree, child, distance));
    sends.add(start_send(member, child, subtree + (start - start_of(starts, tree.self)) * width,
                         (end - start) * width));
  }
  sends.wait_for_all();
  member.workspace.release(mark);
}

}  // namespace

void binomial_reduce(const Member& member, std::int64_t root, std::int64_t count,
                     const Reduction& reduction, std::byte* sums) {
  const Member node = seen_from(member, root);
  const Group& tree = node.group;
  Place own = place_of(reduction, sums, 0);
  for (std::int64_t distance = 1; distance < reach_of(tree); distance *= 2) {
    if (tree.self + distance >= tree.count) break;
    const bool is_last = tree.self == 0 && 2 * distance >= tree.count;
    receive_partials(node, tree.self + distance, reduction, Side::right, own,
                     is_last ? last_target(reduction, sums) : Target{sums, false}, count);
    own = {sums, false};
  }
  if (tree.self == 0) {
    if (tree.count == 1) put(node, reduction, own, last_target(reduction, sums), count);
    return leave_in_sums(node, reduction, sums, count);
  }
  const Workspace::Mark mark = node.workspace.mark();
  const PartialSender sender(node, reduction, count);
  node.endpoint.wait(sender.start(parent_of(tree), own, count));
  node.workspace.release(mark);
}

void binomial_broadcast(const Member& member, std::int64_t root, std::int64_t count, Dtype dtype,
                        std::byte* elements) {
  const Member node = seen_from(member, root);
  const Group& tree = node.group;
  const std::int64_t bytes = count * info(dtype).bytes;
  const Workspace::Mark mark = node.workspace.mark();
  announce(node, dtype);
  if (tree.self > 0) receive(node, parent_of(tree), elements, bytes);
  Sends sends(node, tree.count);
  for (std::int64_t distance = reach_of(tree) / 2; distance > 0; distance /= 2) {
    if (tree.self + distance < tree.count) {
      sends.add(start_send(node, tree.self + distance, elements, bytes));
    }
  }
  sends.wait_for_all();
  node.workspace.release(mark);
}

void binomial_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                         std::byte* sums, std::byte* finished) {
  Reduction reduced = reduction;
  reduced.home = finished;
  binomial_reduce(member, 0, count, reduced, sums);
  binomial_broadcast(member, 0, count, reduction.out, finished);
}

void binomial_gather(const Member& member, std::int64_t root, BlockStarts starts, Dtype dtype,
                     const std::byte* own, std::byte* elements) {
  const Member node = seen_from(member, root);
  const Group& tree = node.group;
  const std::int64_t width = info(dtype).bytes;
  const Workspace::Mark mark = node.workspace.mark();
  const BlockStarts by_u = take_turned_starts(node.workspace, starts, root);
  announce(node, dtype);
  const std::int64_t end = subtree_end(tree, tree.self, reach_of(tree));
  const std::int64_t bytes = (start_of(by_u, end) - start_of(by_u, tree.self)) * width;
  const bool is_in_place = tree.self == 0 && root == 0;
  std::byte* subtree = is_in_place ? elements : node.workspace.take(bytes);
  std::copy_n(own, length_of(by_u, tree.self) * width, subtree);
  gather_subtrees(node, by_u, width, subtree);
  if (tree.self > 0) {
    node.endpoint.wait(start_send(node, parent_of(tree), subtree, bytes));
  } else if (!is_in_place) {
    // Members root, root+1, … P-1 come first, then 0, 1, ….
    const std::int64_t wrapped = start_of(starts, root) * width;
    std::copy_n(subtree, bytes - wrapped, elements + wrapped);
    std::copy_n(subtree + bytes - wrapped, wrapped, elements);
  }
  node.workspace.release(mark);
}

void binomial_scatter_subtrees(const Member& member, BlockStarts starts, Dtype dtype,
                               std::byte* subtree) {
  const std::int64_t width = info(dtype).bytes;
  announce(member, dtype);
  if (member.group.self > 0) receive_subtree(member, starts, width, subtree);
  send_subtrees(member, starts, width, subtree);
}

void binomial_scatter(const Member& member, std::int64_t root, BlockStarts starts, Dtype dtype,
                      const std::byte* elements, std::byte* own) {
  const Member node = seen_from(member, root);
  const Group& tree = node.group;
  const std::int64_t width = info(dtype).bytes;
  const Workspace::Mark mark = node.workspace.mark();
  const BlockStarts by_u = take_turned_starts(node.workspace, starts, root);
  const std::int64_t end = subtree_end(tree, tree.self, reach_of(tree));
  const std::int64_t bytes = (start_of(by_u, end) - start_of(by_u, tree.self)) * width;
  const std::byte* subtree = elements;
  announce(node, dtype);
  if (tree.self > 0 || root > 0) {
    std::byte* room = node.workspace.take(bytes);
    subtree = room;
    if (tree.self > 0) {
      receive_subtree(node, by_u, width, room);
    } else {
      const std::int64_t wrapped = start_of(starts, root) * width;
      std::copy_n(elements + wrapped, bytes - wrapped, room);
      std::copy_n(elements, wrapped, room + bytes - wrapped);
    }
  }
  send_subtrees(node, by_u, width, subtree);
  std::copy_n(subtree, length_of(by_u, tree.self) * width, own);
  node.workspace.release(mark);
}

}  // namespace shardcheck::impl
