#include "direct.h"

#include <algorithm>

#include "partials.h"

namespace shardcheck::impl {
namespace {

/// x_0 ⊕ x_1 ⊕ … from the left, where x_m comes from member m and x_self is own. `sums`: room for
/// the values, or `own` itself. Only where own is combined later than at once and lies in `sums`
/// do the values before it need room of their own.
void receive_and_fold(const Member& member, const Reduction& reduction, Place own, std::byte* sums,
                      std::int64_t count) {
  const Group& group = member.group;
  const std::int64_t last = group.count - 1;
  const Workspace::Mark mark = member.workspace.mark();
  const auto target_of = [&](std::int64_t peer, std::byte* room) {
    return peer == last ? last_target(reduction, room) : Target{room, false};
  };
  if (group.count == 1) {
    put(member, reduction, own, last_target(reduction, sums), count);
  } else if (group.self <= 1) {
    receive_partials(member, 1 - group.self, reduction, group.self == 0 ? Side::right : Side::left,
                     own, target_of(1, sums), count);
    for (std::int64_t peer = 2; peer < group.count; ++peer) {
      receive_partials(member, peer, reduction, Side::right, {sums, false}, target_of(peer, sums),
                       count);
    }
  } else {
    std::byte* value = own.elements != sums
                           ? sums
                           : member.workspace.take(count * bytes_of(storage_of(reduction.acc)));
    receive_first_partials(member, 0, reduction, value, count);
    for (std::int64_t peer = 1; peer < group.count; ++peer) {
      if (peer == group.self) {
        combine(member, reduction, Side::right, own, {value, false}, target_of(peer, value), count);
      } else {
        receive_partials(member, peer, reduction, Side::right, {value, false},
                         target_of(peer, value), count);
      }
    }
    if (reduction.home == nullptr && value != sums) {
      std::copy_n(value, count * bytes_of(storage_of(reduction.acc)), sums);
    }
  }
  leave_in_sums(member, reduction, sums, count);
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
    sends.add(sender.start(peer, place_of(reduction, sums, start), length_of(starts, peer), start));
  }
  const std::int64_t own = start_of(starts, group.self);
  receive_and_fold(member, reduction, place_of(reduction, sums, own), sums + own * width,
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
  const Place own = place_of(reduction, sums, 0);
  if (member.group.self == root) return receive_and_fold(member, reduction, own, sums, count);
  const Workspace::Mark mark = member.workspace.mark();
  const PartialSender sender(member, reduction, count);
  member.endpoint.wait(sender.start(root, own, count));
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
