#include "ring.h"

#include "partials.h"

namespace shardcheck::impl {

void ring_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                         std::byte* sums) {
  const std::int64_t width = bytes_of(storage_of(reduction.acc));
  const Group& group = member.group;
  const Workspace::Mark mark = member.workspace.mark();
  const PartialSender sender(member, reduction, longest(starts));
  const std::int64_t next = wrapped(group, group.self + 1);
  const std::int64_t previous = wrapped(group, group.self - 1);
  const std::int64_t own_start = start_of(starts, group.self);
  const std::int64_t own_count = length_of(starts, group.self);
  std::byte* const own_sums = sums + own_start * width;
  for (std::int64_t step = 0; step + 1 < group.count; ++step) {
    const std::int64_t leaving = wrapped(group, group.self - 1 - step);
    const std::int64_t arriving = wrapped(group, group.self - 2 - step);
    std::byte* const arriving_sums = sums + start_of(starts, arriving) * width;
    const Place from = step == 0
                           ? place_of(reduction, sums, start_of(starts, leaving))
                           : Place{sums + start_of(starts, leaving) * width, false};
    const Pending sent = sender.start(next, from, length_of(starts, leaving));
    receive_partials(
        member, previous, reduction, Side::left,
        place_of(reduction, sums, start_of(starts, arriving)),
        arriving == group.self ? last_target(reduction, own_sums) : Target{arriving_sums, false},
        length_of(starts, arriving));
    member.endpoint.wait(sent);
  }
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
  announce(member, dtype);
  const std::int64_t next = wrapped(group, group.self + 1);
  const std::int64_t previous = wrapped(group, group.self - 1);
  for (std::int64_t step = 0; step + 1 < group.count; ++step) {
    const std::int64_t leaving = wrapped(group, group.self - step);
    const std::int64_t arriving = wrapped(group, group.self - 1 - step);
    const Pending sent = start_send(member, next, elements + start_of(starts, leaving) * width,
                                    length_of(starts, leaving) * width);
    receive(member, previous, elements + start_of(starts, arriving) * width,
            length_of(starts, arriving) * width);
    member.endpoint.wait(sent);
  }
}

void ring_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                     std::byte* sums, std::byte* finished) {
  all_reduce_by_blocks(member, count, reduction, sums, finished, ring_reduce_scatter,
                       ring_all_gather);
}

}  // namespace shardcheck::impl
