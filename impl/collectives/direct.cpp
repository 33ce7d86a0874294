#include "direct.h"

#include <algorithm>

#include "partials.h"

namespace shardcheck::impl {
namespace {

/// own = x_0 ⊕ x_1 ⊕ … from the left, where x_m comes from member m and x_self is own.
void receive_and_fold(const Member& member, const Reduction& reduction, std::byte* own,
                      std::int64_t count) {
  const Group& group = member.group;
  const Storage storage = storage_of(reduction.acc);
  const Workspace::Mark mark = member.workspace.mark();
  std::byte* value = group.self == 0 ? own : member.workspace.take(count * bytes_of(storage));
  for (std::int64_t peer = 0; peer < group.count; ++peer) {
    if (peer == group.self) {
      if (peer > 0) {
        combine_stored(reduction.op, Side::right, reduction.acc, own, value, count);
      }
    } else if (peer > 0) {
      receive_partials(member, peer, reduction, Side::right, value, count);
    } else {
      receive_first_partials(member, peer, reduction, value, count);
    }
  }
  if (value != own) std::copy_n(value, count * bytes_of(storage), own);
  divide_if_average(member, reduction, own, count);
  member.workspace.release(mark);
}

}  // namespace

void direct_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                           std::byte* sums) {
  const Group& group = member.group;
  const std::int64_t width = bytes_of(storage_of(reduction.acc));
  const Workspace::Mark mark = member.workspace.mark();
  const PartialSender sender(member, reduction, starts.back());
  Sends sends(member, group.count);
  for (std::int64_t peer = 0; peer < group.count; ++peer) {
    if (peer == group.self) continue;
    const std::int64_t start = start_of(starts, peer);
    sends.add(sender.start(peer, sums + start * width, length_of(starts, peer), start));
  }
  receive_and_fold(member, reduction, sums + start_of(starts, group.self) * width,
                   length_of(starts, group.self));
  sends.wait_for_all();
  member.workspace.release(mark);
}

void direct_all_gather(const Member& member, BlockStarts starts, Dtype dtype, std::byte* elements) {
  const Group& group = member.group;
  const std::int64_t width = info(dtype).bytes;
  const Workspace::Mark mark = member.workspace.mark();
  announce(member, dtype);
  Sends sends(member, group.count);
  for (std::int64_t peer = 0; peer < group.count; ++peer) {
    if (peer == group.self) continue;
    sends.add(start_send(member, peer, elements + start_of(starts, group.self) * width,
                         length_of(starts, group.self) * width));
  }
  for (std::int64_t peer = 0; peer < group.count; ++peer) {
    if (peer == group.self) continue;
    receive(member, peer, elements + start_of(starts, peer) * width,
            length_of(starts, peer) * width);
  }
  sends.wait_for_all();
  member.workspace.release(mark);
}

void direct_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                       std::byte* sums, std::byte* finished) {
  all_reduce_by_blocks(member, count, reduction, sums, finished, direct_reduce_scatter,
                       direct_all_gather);
}

void direct_reduce(const Member& member, std::int64_t root, std::int64_t count,
                   const Reduction& reduction, std::byte* sums) {
  if (member.group.self == root) return receive_and_fold(member, reduction, sums, count);
  const Workspace::Mark mark = member.workspace.mark();
  const PartialSender sender(member, reduction, count);
  member.endpoint.wait(sender.start(root, sums, count));
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
