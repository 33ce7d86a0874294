#include "bruck.h"

#include <algorithm>

#include "block_run.h"
#include "partials.h"

namespace shardcheck::impl {
namespace {

/// What member r has under way: the block that has t members to go from the one it set out at, for
/// each t.
struct Travellers {
  std::byte* blocks;
  std::int64_t count;
  std::int64_t block_bytes;

  /// Calls with(block, place among those that go) for each block that goes on by `distance`.
  template <typename With>
  std::int64_t for_each_going(std::int64_t distance, With with) const {
    std::int64_t place = 0;
    for (std::int64_t t = distance; t < count; ++t) {
      if ((t & distance) != 0) with(blocks + t * block_bytes, place++);
    }
    return place;
  }
};

/// All blocks with bit `distance` go to the member that far on.
void move_on(const Member& member, const Travellers& all, std::int64_t distance, std::byte* room) {
  const std::int64_t members = member.group.count;
  const std::int64_t bytes = all.block_bytes;
  const std::int64_t going =
      all.for_each_going(distance, [&](const std::byte* block, std::int64_t place) {
        std::copy_n(block, bytes, room + place * bytes);
      });
  const Pending sent =
      start_send(member, (member.group.self + distance) % members, room, going * bytes);
  const auto unpack = [&](const std::byte* message) {
    all.for_each_going(distance, [&](std::byte* block, std::int64_t place) {
      std::copy_n(message + place * bytes, bytes, block);
    });
  };
  member.endpoint.receive(
      rank_of(member.group, (member.group.self + members - distance) % members),
      static_cast<std::size_t>(going * bytes),
      [&unpack](std::span<const std::byte> message) { unpack(message.data()); });
  member.endpoint.wait(sent);
}

}  // namespace

void bruck_all_gather(const Member& member, BlockStarts starts, Dtype dtype, std::byte* elements) {
  const Group& group = member.group;
  const std::int64_t width = info(dtype).bytes;
  announce(member, dtype);
  for (std::int64_t distance = 1; distance < group.count; distance *= 2) {
    const Workspace::Mark mark = member.workspace.mark();
    const std::int64_t blocks = std::min(distance, group.count - distance);
    const std::int64_t before = (group.self + group.count - distance) % group.count;
    const std::int64_t after = (group.self + distance) % group.count;
    const Pending sent =
        start_send_blocks(member, before, starts, {group.self, blocks}, width, elements);
    receive_blocks(member, after, starts, {after, blocks}, width, elements);
    member.endpoint.wait(sent);
    member.workspace.release(mark);
  }
}

void bruck_all_to_all(const Member& member, const Swap& swap, Dtype dtype, const std::byte* input,
                      std::byte* output) {
  const Group& group = member.group;
  const Workspace::Mark mark = member.workspace.mark();
  const std::int64_t bytes = length_of(swap.sent, 0) * info(dtype).bytes;
  const Travellers all{member.workspace.take(group.count * bytes), group.count, bytes};
  std::byte* room = member.workspace.take(group.count / 2 * bytes);
  announce(member, dtype);
  for (std::int64_t t = 0; t < group.count; ++t) {
    std::copy_n(input + (group.self + t) % group.count * bytes, bytes, all.blocks + t * bytes);
  }
  for (std::int64_t distance = 1; distance < group.count; distance *= 2) {
    move_on(member, all, distance, room);
  }
  // What had t to go came from the member t before this one.
  for (std::int64_t t = 0; t < group.count; ++t) {
    const std::int64_t source = (group.self + group.count - t) % group.count;
    std::copy_n(all.blocks + t * bytes, bytes, output + source * bytes);
  }
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
