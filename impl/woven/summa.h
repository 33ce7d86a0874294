#pragma once

/// SUMMA: C is summed panel by panel of k, each sent along the grid by those that hold it, while
/// the panel before it is multiplied.
///
/// A panel is what one part of A's k and one part of B's have in common. At most one is on the way
/// beyond the one at work, and empty ones are left out.
/// Source: docs/plans.md, "Woven steps"; van de Geijn, Watts, SUMMA: Scalable Universal Matrix
/// Multiplication Algorithm (1997).

#include <shardcheck/impl/rank/rank_run.h>

namespace shardcheck::impl {

/// C is there afterwards, not yet rounded to out. Called by all ranks.
void summa(RankRun& run, const Turn& turn);

}  // namespace shardcheck::impl
