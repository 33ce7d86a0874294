#include "rabenseifner.h"

#include "folding.h"
#include "partials.h"

namespace shardcheck::impl {

void rabenseifner_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                             std::byte* sums, std::byte* finished) {
  const Folding folding = folding_of(member.group);
  const Workspace::Mark mark = member.workspace.mark();
  fold_in(member, folding, reduction, sums, count);
  if (folding.self >= 0) {
    const BlockStarts starts = take_balanced_starts(member.workspace, count, folding.rank_count);
    halve(member, folding, starts, reduction, sums);
    const std::int64_t own = start_of(starts, folding.self);
    const std::int64_t own_count = length_of(starts, folding.self);
    std::byte* own_sums = sums + own * bytes_of(storage_of(reduction.acc));
    divide_if_average(member, reduction, own_sums, own_count);
    round_to_out(reduction, own_sums, own_count, finished + own * info(reduction.out).bytes);
    gather_by_doubling(member, folding, starts, reduction.out, finished);
  }
  hand_back(member, folding, reduction.out, finished, count);
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
