#include "rabenseifner.h"

#include "folding.h"
#include "partials.h"

namespace shardcheck::impl {

void rabenseifner_all_reduce(const Member& member, std::int64_t count, const Reduction& reduction,
                             std::byte* sums, std::byte* finished) {
  const Folding folding = folding_of(member.group);
  const Workspace::Mark mark = member.workspace.mark();
  Reduction folded = fold_in(member, folding, reduction, sums, count);
  if (folding.self >= 0) {
    const BlockStarts starts = take_balanced_starts(member.workspace, count, folding.rank_count);
    folded.home = finished + start_of(starts, folding.self) * info(reduction.out).bytes;
    halve(member, folding, starts, folded, sums);
    gather_by_doubling(member, folding, starts, reduction.out, finished);
  }
  hand_back(member, folding, reduction.out, finished, count);
  member.workspace.release(mark);
}

}  // namespace shardcheck::impl
