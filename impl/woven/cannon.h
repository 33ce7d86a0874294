#pragma once

/// Cannon's product on a square grid: blocks of A and B are skewed, then multiplied and shifted by
/// one as often as the grid is wide, each shift on the way while the blocks before it are
/// multiplied.
///
/// Source: docs/plans.md, "Woven steps"; Cannon, A cellular computer to implement the Kalman filter
/// algorithm (1969).

#include <shardcheck/impl/rank/rank_run.h>

namespace shardcheck::impl {

/// C is there afterwards, not yet rounded to out. Called by all ranks.
void cannon(RankRun& run, const Turn& turn);

}  // namespace shardcheck::impl
