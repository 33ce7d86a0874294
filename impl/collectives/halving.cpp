#include "halving.h"

#include "folding.h"
#include "partials.h"

namespace shardcheck::impl {
namespace {

/// Sends the finished block of the member before this one.
void send_finished(const Member& member, const Reduction& reduction, const std::byte* sums,
                   std::int64_t count) {
  const std::int64_t bytes = count * info(reduction.out).bytes;
  const std::byte* finished = sums;
  if (!is_stored_as_is(reduction.out, storage_of(reduction.acc))) {
    std::byte* rounded = member.workspace.take(bytes);
    round_to_out(reduction, sums, count, rounded);
    finished = rounded;
  }
  announce(member, reduction.out);
  member.endpoint.wait(start_send(member, member.group.self - 1, finished, bytes));
}

}  // namespace

void halving_reduce_scatter(const Member& member, BlockStarts starts, const Reduction& reduction,
                            std::byte* sums) {
  const std::int64_t width = bytes_of(storage_of(reduction.acc));
  const std::int64_t self = member.group.self;
  const Folding folding = folding_of(member.group);
  const Workspace::Mark mark = member.workspace.mark();
  fold_in(member, folding, reduction, sums, starts.back());
  if (folding.self < 0) {
    Reduction finished = reduction;
    finished.wire = reduction.out;
    receive_first_partials(member, self + 1, finished, sums + start_of(starts, self) * width,
                           length_of(starts, self));
  } else {
    const BlockStarts folded = take_folded_starts(member.workspace, folding, starts);
    halve(member, folding, folded, reduction, sums);
    divide_if_average(member, reduction, sums + start_of(folded, folding.self) * width,
                      length_of(folded, folding.self));
    if (has_folded_in(folding)) {
      send_finished(member, reduction, sums + start_of(starts, self - 1) * width,
                    length_of(starts, self - 1));
    }
  }
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
