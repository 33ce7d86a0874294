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
  const std::int64_t own_count = length_of(starts, self);
  std::byte* const own_sums = sums + start_of(starts, self) * width;
  const Folding folding = folding_of(member.group);
  const Workspace::Mark mark = member.workspace.mark();
  Reduction folded = fold_in(member, folding, reduction, sums, starts.back());
  if (folding.self < 0) {
    if (reduction.home != nullptr) {
      receive(member, self + 1, reduction.home, own_count * info(reduction.out).bytes);
    } else {
      Reduction finished = reduction;
      finished.wire = reduction.out;
      receive_first_partials(member, self + 1, finished, own_sums, own_count);
    }
  } else {
    // The block of the one that is folded in comes out beside this member's own.
    if (has_folded_in(folding)) folded.home = nullptr;
    halve(member, folding, take_folded_starts(member.workspace, folding, starts), folded, sums);
    if (has_folded_in(folding)) {
      send_finished(member, reduction, sums + start_of(starts, self - 1) * width,
                    length_of(starts, self - 1));
      if (reduction.home != nullptr) round_to_out(reduction, own_sums, own_count, reduction.home);
    }
  }
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
