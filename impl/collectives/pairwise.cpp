#include "pairwise.h"

#include <algorithm>

#include "partials.h"

namespace shardcheck::impl {

void pairwise_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                             std::byte* sums) {
  const Group& group = member.group;
  const std::int64_t width = bytes_of(storage_of(reduction.acc));
  const Workspace::Mark mark = member.workspace.mark();
  const PartialSender sender(member, reduction, longest(starts));
  std::byte* const own_sums = sums + start_of(starts, group.self) * width;
  const std::int64_t own_count = length_of(starts, group.self);
  Place own = place_of(reduction, sums, start_of(starts, group.self));
  for (std::int64_t step = 1; step < group.count; ++step) {
    const std::int64_t to = (group.self + step) % group.count;
    const std::int64_t from = (group.self + group.count - step) % group.count;
    const bool is_last = step + 1 == group.count;
    const Pending sent =
        sender.start(to, place_of(reduction, sums, start_of(starts, to)), length_of(starts, to));
    receive_partials(member, from, reduction, Side::right, own,
                     is_last ? last_target(reduction, own_sums) : Target{own_sums, false},
                     own_count);
    own = {own_sums, false};
    member.endpoint.wait(sent);
  }
  if (group.count == 1) put(member, reduction, own, last_target(reduction, own_sums), own_count);
  leave_in_sums(member, reduction, own_sums, own_count);
  member.workspace.release(mark);
}

void pairwise_all_to_all(const Member& member, const Swap& swap, Dtype dtype,
                         const std::byte* input, std::byte* output) {
  const Group& group = member.group;
  const std::int64_t width = info(dtype).bytes;
  announce(member, dtype);
  std::copy_n(input + start_of(swap.sent, group.self) * width,
              length_of(swap.sent, group.self) * width,
              output + start_of(swap.received, group.self) * width);
  for (std::int64_t step = 1; step < group.count; ++step) {
    const std::int64_t to = (group.self + step) % group.count;
    const std::int64_t from = (group.self + group.count - step) % group.count;
    const Pending sent = start_send(member, to, input + start_of(swap.sent, to) * width,
                                    length_of(swap.sent, to) * width);
    receive(member, from, output + start_of(swap.received, from) * width,
            length_of(swap.received, from) * width);
    member.endpoint.wait(sent);
  }
}

}  // namespace shardcheck::impl
