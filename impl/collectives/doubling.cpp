#include "doubling.h"

#include <algorithm>

#include "block_run.h"
#include "folding.h"
#include "partials.h"

namespace shardcheck::impl {
namespace {

/// Each partner rounds its own operand as it rounds what it sends, so that what was sent is the
/// operand: it lies in wire, and values go on from one buffer into another.
void reduce_by_doubling(const Member& member, const Folding& folding, std::int64_t count,
                        const Reduction& reduction, std::byte* sums, std::byte* finished) {
  const Storage storage = storage_of(reduction.acc);
  const bool is_wire_stored = is_stored_as_is(reduction.wire, storage);
  const Workspace::Mark mark = member.workspace.mark();
  std::byte* room = member.workspace.take(count * info(reduction.wire).bytes);
  announce(member, reduction.wire);
  // What is sent must not lie where the step's values go. The last ones go to `finished`, the
  // others in turn to `sums` and, where they can lie there, to `room`.
  Place own = place_of(reduction, sums, 0);
  std::byte* next = sums;
  for (std::int64_t distance = 1; distance < folding.rank_count; distance *= 2) {
    const bool is_last = 2 * distance == folding.rank_count;
    const std::int64_t partner = folding.self ^ distance;
    const std::int64_t peer = member_of(folding, partner);
    Target target{next, false};
    if (is_last) target = {finished, true};
    if (!own.is_in_wire && !is_wire_stored) {
      narrow(storage, own.elements, reduction.wire, room, count);
      own = {room, true};
    } else if (own.elements == target.elements) {
      std::copy_n(own.elements, count * info(reduction.wire).bytes, room);
      own = {room, true};
    }
    const Pending sent = start_send(member, peer, own.elements, count * info(reduction.wire).bytes);
    receive_partials(member, peer, reduction, partner < folding.self ? Side::left : Side::right,
                     own, target, count);
    member.endpoint.wait(sent);
    own = {target.elements, false};
    if (is_wire_stored) next = target.elements == sums ? room : sums;
  }
  member.workspace.release(mark);
}

}  // namespace

void doubling_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                         std::byte* sums, std::byte* finished) {
  const Folding folding = folding_of(member.group);
  const Reduction folded = fold_in(member, folding, reduction, sums, count);
  if (folding.rank_count == 1) {
    put(member, folded, place_of(folded, sums, 0), {finished, true}, count);
  } else if (folding.self >= 0) {
    reduce_by_doubling(member, folding, count, folded, sums, finished);
  }
  hand_back(member, folding, reduction.out, finished, count);
}

void doubling_all_gather(const Member& member, BlockStarts starts, Dtype dtype,
                         std::byte* elements) {
  const std::int64_t width = info(dtype).bytes;
  const std::int64_t self = member.group.self;
  const Folding folding = folding_of(member.group);
  const Workspace::Mark mark = member.workspace.mark();
  announce(member, dtype);
  if (folding.self < 0) {
    member.endpoint.wait(start_send(member, self + 1, elements + start_of(starts, self) * width,
                                    length_of(starts, self) * width));
    receive_blocks(member, self + 1, starts, {self + 1, member.group.count - 1}, width, elements);
  } else {
    if (has_folded_in(folding)) {
      receive_blocks(member, self - 1, starts, {self - 1, 1}, width, elements);
    }
    gather_by_doubling(member, folding, take_folded_starts(member.workspace, folding, starts),
                       dtype, elements);
    if (has_folded_in(folding)) {
      member.endpoint.wait(start_send_blocks(member, self - 1, starts,
                                             {self, member.group.count - 1}, width, elements));
    }
  }
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
