#include <algorithm>

#include "direct.h"
#include "partials.h"

namespace shardcheck::impl {

void direct_broadcast(const Member& member, std::int64_t root, std::int64_t count, Dtype dtype,
                      std::byte* elements) {
  const std::int64_t bytes = count * info(dtype).bytes;
  if (member.group.self != root) return receive(member, root, elements, bytes);
  const Workspace::Mark mark = member.workspace.mark();
  announce(member, dtype);
  Sends sends(member, member.group.count);
  for (std::int64_t peer = 0; peer < member.group.count; ++peer) {
    if (peer != root) sends.add(start_send(member, peer, elements, bytes));
  }
  sends.wait_for_all();
  member.workspace.release(mark);
}

void direct_gather(const Member& member, std::int64_t root, BlockStarts starts, Dtype dtype,
                   const std::byte* own, std::byte* elements) {
  const Group& group = member.group;
  const std::int64_t width = info(dtype).bytes;
  announce(member, dtype);
  if (group.self != root) {
    return member.endpoint.wait(
        start_send(member, root, own, length_of(starts, group.self) * width));
  }
  for (std::int64_t peer = 0; peer < group.count; ++peer) {
    std::byte* block = elements + start_of(starts, peer) * width;
    const std::int64_t bytes = length_of(starts, peer) * width;
    if (peer == root) {
      std::copy_n(own, bytes, block);
    } else {
      receive(member, peer, block, bytes);
    }
  }
}

void direct_scatter(const Member& member, std::int64_t root, BlockStarts starts, Dtype dtype,
                    const std::byte* elements, std::byte* own) {
  const Group& group = member.group;
  const std::int64_t width = info(dtype).bytes;
  const std::int64_t own_bytes = length_of(starts, group.self) * width;
  if (group.self != root) return receive(member, root, own, own_bytes);
  const Workspace::Mark mark = member.workspace.mark();
  announce(member, dtype);
  Sends sends(member, group.count);
  for (std::int64_t peer = 0; peer < group.count; ++peer) {
    if (peer == root) continue;
    sends.add(start_send(member, peer, elements + start_of(starts, peer) * width,
                         length_of(starts, peer) * width));
  }
  std::copy_n(elements + start_of(starts, root) * width, own_bytes, own);
  sends.wait_for_all();
  member.workspace.release(mark);
}

void direct_all_to_all(const Member& member, const Swap& swap, Dtype dtype, const std::byte* input,
                       std::byte* output) {
  const Group& group = member.group;
  const std::int64_t width = info(dtype).bytes;
  const Workspace::Mark mark = member.workspace.mark();
  announce(member, dtype);
  Sends sends(member, group.count);
  for (std::int64_t peer = 0; peer < group.count; ++peer) {
    if (peer == group.self) continue;
    sends.add(start_send(member, peer, input + start_of(swap.sent, peer) * width,
                         length_of(swap.sent, peer) * width));
  }
  for (std::int64_t peer = 0; peer < group.count; ++peer) {
    std::byte* block = output + start_of(swap.received, peer) * width;
    const std::int64_t bytes = length_of(swap.received, peer) * width;
    if (peer == group.self) {
      std::copy_n(input + start_of(swap.sent, peer) * width, bytes, block);
    } else {
      receive(member, peer, block, bytes);
    }
  }
  sends.wait_for_all();
  member.workspace.release(mark);
}

void direct_permute(const Member& member, const Hop& hop, std::int64_t count, Dtype dtype,
                    const std::byte* input, std::byte* output) {
  const std::int64_t self = member.group.self;
  const std::int64_t bytes = count * info(dtype).bytes;
  announce(member, dtype);
  const bool sends = hop.destination >= 0 && hop.destination != self;
  Pending sent;
  if (sends) sent = start_send(member, hop.destination, input, bytes);
  if (hop.source == self) {
    std::copy_n(input, bytes, output);
  } else if (hop.source >= 0) {
    receive(member, hop.source, output, bytes);
  }
  if (sends) member.endpoint.wait(sent);
}

}  // namespace shardcheck::impl
