#pragma once

/// A ring reduce-scatter woven into the product: each block of C is multiplied when it is due,
/// while the block before it is on its way round.
///
/// The rank's partial is never held in whole. The sums follow the tree of the ring.
/// Source: docs/plans.md, "Woven steps"; Wang et al., Overlap Communication with Dependent
/// Computation via Decomposition (ASPLOS 2023).

#include <shardcheck/impl/rank/rank_run.h>

namespace shardcheck::impl {

/// The rank's block of C is there afterwards, not yet rounded to out. Called by all ranks.
void local_scatter(RankRun& run, const Turn& turn);

}  // namespace shardcheck::impl
