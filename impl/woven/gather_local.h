#pragma once

/// A ring all-gather of A or B woven into the product: each block is multiplied as it arrives,
/// while the next one is on the way.
///
/// Where the mesh axis cuts k, a block continues every sum of C; where it cuts the outer axis, it
/// fills its own rows or columns of C. The gathered operand is never held in whole.
/// Source: docs/plans.md, "Woven steps"; Wang et al., Overlap Communication with Dependent
/// Computation via Decomposition (ASPLOS 2023).

#include <shardcheck/impl/rank/rank_run.h>

namespace shardcheck::impl {

/// C is there afterwards, not yet rounded to out. Called by all ranks.
void gather_local(RankRun& run, const Turn& turn);

}  // namespace shardcheck::impl
