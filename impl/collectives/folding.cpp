#include "folding.h"

#include "partials.h"

namespace shardcheck::impl {

Folding folding_of(const Group& group) {
  Folding folding;
  while (2 * folding.rank_count <= group.count) folding.rank_count *= 2;
  folding.folded_in_count = group.count - folding.rank_count;
  if (group.self >= 2 * folding.folded_in_count) {
    folding.self = group.self - folding.folded_in_count;
  } else {
    folding.self = group.self % 2 == 1 ? group.self / 2 : -1;
  }
  return folding;
}

std::span<std::int64_t> take_folded_starts(Workspace& workspace, const Folding& folding,
                                           BlockStarts starts) {
  const std::span<std::int64_t> folded = take_starts(workspace, folding.rank_count);
  for (std::int64_t v = 0; v < folding.rank_count; ++v) {
    folded[static_cast<std::size_t>(v) + 1] = start_of(starts, member_of(folding, v) + 1);
  }
  return folded;
}

Reduction fold_in(const Member& member, const Folding& folding, const Reduction& reduction,
                  std::byte* sums, std::int64_t count) {
  const std::int64_t self = member.group.self;
  Reduction folded = reduction;
  if (has_folded_in(folding)) {
    receive_partials(member, self - 1, reduction, Side::left, place_of(reduction, sums, 0),
                     {sums, false}, count);
    folded.own = nullptr;
  } else if (folding.self < 0) {
    const Workspace::Mark mark = member.workspace.mark();
    const PartialSender sender(member, reduction, count);
    member.endpoint.wait(sender.start(self + 1, place_of(reduction, sums, 0), count));
    member.workspace.release(mark);
  }
  return folded;
}

void halve(const Member& member, const Folding& folding, BlockStarts starts,
           const Reduction& reduction, std::byte* sums) {
  const std::int64_t width = bytes_of(storage_of(reduction.acc));
  const Workspace::Mark mark = member.workspace.mark();
  const PartialSender sender(member, reduction, starts.back());
  const auto place_at = [&](std::int64_t distance, std::int64_t start) {
    const bool is_first = 2 * distance == folding.rank_count;
    return is_first ? place_of(reduction, sums, start) : Place{sums + start * width, false};
  };
  for (std::int64_t distance = folding.rank_count / 2; distance > 0; distance /= 2) {
    const std::int64_t partner = folding.self ^ distance;
    const std::int64_t leaving = start_of(starts, partner & -distance);
    const std::int64_t leaving_end = start_of(starts, (partner & -distance) + distance);
    const std::int64_t kept = start_of(starts, folding.self & -distance);
    const std::int64_t kept_end = start_of(starts, (folding.self & -distance) + distance);
    const std::int64_t peer = member_of(folding, partner);
    std::byte* const kept_sums = sums + kept * width;
    const Pending sent = sender.start(peer, place_at(distance, leaving), leaving_end - leaving);
    receive_partials(member, peer, reduction, Side::right, place_at(distance, kept),
                     distance == 1 ? last_target(reduction, kept_sums) : Target{kept_sums, false},
                     kept_end - kept);
    member.endpoint.wait(sent);
  }
  const std::int64_t own = start_of(starts, folding.self);
  const std::int64_t own_count = length_of(starts, folding.self);
  if (folding.rank_count == 1) {
    put(member, reduction, place_of(reduction, sums, own),
        last_target(reduction, sums + own * width), own_count);
  }
  leave_in_sums(member, reduction, sums + own * width, own_count);
  member.workspace.release(mark);
}

void gather_by_doubling(const Member& member, const Folding& folding, BlockStarts starts,
                        Dtype dtype, std::byte* elements) {
  const std::int64_t width = info(dtype).bytes;
  announce(member, dtype);
  for (std::int64_t distance = 1; distance < folding.rank_count; distance *= 2) {
    const std::int64_t partner = folding.self ^ distance;
    const std::int64_t leaving = start_of(starts, folding.self & -distance);
    const std::int64_t leaving_end = start_of(starts, (folding.self & -distance) + distance);
    const std::int64_t arriving = start_of(starts, partner & -distance);
    const std::int64_t arriving_end = start_of(starts, (partner & -distance) + distance);
    const std::int64_t peer = member_of(folding, partner);
    const Pending sent =
        start_send(member, peer, elements + leaving * width, (leaving_end - leaving) * width);
    receive(member, peer, elements + arriving * width, (arriving_end - arriving) * width);
    member.endpoint.wait(sent);
  }
}

void hand_back(const Member& member, const Folding& folding, Dtype dtype, std::byte* elements,
               std::int64_t count) {
  const std::int64_t bytes = count * info(dtype).bytes;
  if (has_folded_in(folding)) {
    announce(member, dtype);
    member.endpoint.wait(start_send(member, member.group.self - 1, elements, bytes));
  } else if (folding.self < 0) {
    receive(member, member.group.self + 1, elements, bytes);
  }
}

}  // namespace shardcheck::impl
