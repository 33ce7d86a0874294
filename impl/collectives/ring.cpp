#include "ring.h"

#include "partials.h"

namespace shardcheck::impl {

void ring_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                         std::byte* sums) {
  const std::int64_t width = bytes_of(storage_of(reduction.acc));
  const Group& group = member.group;
  const Workspace::Mark mark = member.workspace.mark();
  const PartialSender sender(member, reduction, longest(starts));
  Sends sends(member, group.count);
  const bool sends_as_it_lies = is_stored_as_is(reduction.wire, storage_of(reduction.acc));
  const std::int64_t next = wrapped(group, group.self + 1);
  const std::int64_t previous = wrapped(group, group.self - 1);
  const std::int64_t own_start = start_of(starts, group.self);
  const std::int64_t own_count = length_of(starts, group.self);
  std::byte* const own_sums = sums + own_start * width;
  for (std::int64_t step = 0; step + 1 < group.count; ++step) {
    const std::int64_t leaving = wrapped(group, group.self - 1 - step);
    const std::int64_t arriving = wrapped(group, group.self - 2 - step);
    std::byte* const arriving_sums = sums + start_of(starts, arriving) * width;
    const Place from = step == 0 ? place_of(reduction, sums, start_of(starts, leaving))
                                 : Place{sums + start_of(starts, leaving) * width, false};
    sends.add(sender.start(next, from, length_of(starts, leaving)));
    receive_partials(
        member, previous, reduction, Side::left,
        place_of(reduction, sums, start_of(starts, arriving)),
        arriving == group.self ? last_target(reduction, own_sums) : Target{arriving_sums, false},
        length_of(starts, arriving));
    // A block's sums stay as they are once they have left; the room for rounded ones is used again.
    if (!sends_as_it_lies) sends.wait_for_all();
  }
  sends.wait_for_all();
  if (group.count == 1) {
    put(member, reduction, place_of(reduction, sums, own_start), last_target(reduction, own_sums),
        own_count);
  }
  leave_in_sums(member, reduction, own_sums, own_count);
  member.workspace.release(mark);
}

void ring_all_gather(const Member& member, BlockStarts starts, Dtype dtype, std::byte* elements) {
  const std::int64_t width = info(dtype).bytes;
  const Group& group = member.group;
  const Workspace::Mark mark = member.workspace.mark();
  announce(member, dtype);
  Sends sends(member, group.count);
  const std::int64_t next = wrapped(group, group.self + 1);
  const std::int64_t previous = wrapped(group, group.self - 1);
  for (std::int64_t step = 0; step + 1 < group.count; ++step) {
    const std::int64_t leaving = wrapped(group, group.self - step);
    const std::int64_t arriving = wrapped(group, group.self - 1 - step);
    sends.add(start_send(member, next, elements + start_of(starts, leaving) * width,
                         length_of(starts, leaving) * width));
    receive(member, previous, elements + start_of(starts, arriving) * width,
            length_of(starts, arriving) * width);
  }
  sends.wait_for_all();
  member.workspace.release(mark);
}

namespace {

/// Bytes of a segment of two members' all-reduce: what the one has just written is still in its
/// core's cache when the other copies it.
constexpr std::int64_t segment_bytes = std::int64_t{128} << 10;

/// The ring of two, segment by segment of each block, so that a segment's all-gather goes on beside
/// the next one's reduce-scatter. Everything that is sent stays as it is: nobody waits for a send
/// before the end.
void all_reduce_of_two(const Member& member, std::int64_t count, const Reduction& reduction,
                       std::byte* sums, std::byte* finished) {
  const std::int64_t self = member.group.self;
  const std::int64_t peer = 1 - self;
  const std::int64_t sum_width = bytes_of(storage_of(reduction.acc));
  const std::int64_t out_width = info(reduction.out).bytes;
  const Workspace::Mark mark = member.workspace.mark();
  const BlockStarts starts = take_balanced_starts(member.workspace, count, 2);
  const std::int64_t segments = 1 + length_of(starts, 0) * sum_width / segment_bytes;
  const auto start_of_segment = [&](std::int64_t block, std::int64_t segment) {
    return start_of(starts, block) + length_of(starts, block) * segment / segments;
  };
  const auto length_of_segment = [&](std::int64_t block, std::int64_t segment) {
    return start_of_segment(block, segment + 1) - start_of_segment(block, segment);
  };
  const PartialSender sender(member, reduction, length_of(starts, peer));
  Sends sends(member, 2 * segments);
  const auto scatter = [&](std::int64_t segment) {
    const std::int64_t start = start_of_segment(peer, segment);
    announce(member, reduction.wire);
    sends.add(sender.start(peer, place_of(reduction, sums, start), length_of_segment(peer, segment),
                           start - start_of(starts, peer)));
  };
  const auto gather = [&](std::int64_t segment) {
    receive(member, peer, finished + start_of_segment(peer, segment) * out_width,
            length_of_segment(peer, segment) * out_width, stores_of(count * out_width));
  };
  // Both send partials 0 1, finished 0, partials 2, finished 1, … and receive in that order.
  scatter(0);
  if (segments > 1) scatter(1);
  for (std::int64_t segment = 0; segment < segments; ++segment) {
    const std::int64_t start = start_of_segment(self, segment);
    std::byte* const home = finished + start * out_width;
    receive_partials(member, peer, reduction, Side::left, place_of(reduction, sums, start),
                     {home, true}, length_of_segment(self, segment));
    announce(member, reduction.out);
    sends.add(start_send(member, peer, home, length_of_segment(self, segment) * out_width));
    if (segment + 2 < segments) scatter(segment + 2);
    if (segment > 0) gather(segment - 1);
  }
  gather(segments - 1);
  sends.wait_for_all();
  member.workspace.release(mark);
}

}  // namespace

void ring_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                     std::byte* sums, std::byte* finished) {
  if (member.group.count == 2) return all_reduce_of_two(member, count, reduction, sums, finished);
  all_reduce_by_blocks(member, count, reduction, sums, finished, ring_reduce_scatter,
                       ring_all_gather);
}

}  // namespace shardcheck::impl
