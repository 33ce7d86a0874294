#include "doubling.h"

#include "block_run.h"
#include "folding.h"
#include "partials.h"

namespace shardcheck::impl {
namespace {

void reduce_by_doubling(const Member& member, const Folding& folding, std::int64_t count,
                        const Reduction& reduction, std::byte* sums) {
  const Storage storage = storage_of(reduction.acc);
  const std::int64_t bytes = count * info(reduction.wire).bytes;
  const Workspace::Mark mark = member.workspace.mark();
  std::byte* rounded = member.workspace.take(bytes);
  announce(member, reduction.wire);
  for (std::int64_t distance = 1; distance < folding.rank_count; distance *= 2) {
    const std::int64_t partner = folding.self ^ distance;
    const std::int64_t peer = member_of(folding, partner);
    narrow(storage, sums, reduction.wire, rounded, count);
    const Pending sent = start_send(member, peer, rounded, bytes);
    widen(reduction.wire, rounded, storage, sums, count);
    receive_partials(member, peer, reduction, partner < folding.self ? Side::left : Side::right,
                     sums, count);
    member.endpoint.wait(sent);
  }
  member.workspace.release(mark);
}

}  // namespace

void doubling_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                         std::byte* sums, std::byte* finished) {
  const Folding folding = folding_of(member.group);
  fold_in(member, folding, reduction, sums, count);
  if (folding.self >= 0) {
    reduce_by_doubling(member, folding, count, reduction, sums);
    divide_if_average(member, reduction, sums, count);
    round_to_out(reduction, sums, count, finished);
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
