#pragma once

/// The orders that docs/collectives.md and docs/plans.md promise, written from their text as trees
/// and nothing else: no value, no rounding. What is found from the outside is held against them.

#include <cstdint>
#include <optional>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/plan/rules.h>

#include "summation_tree.h"

namespace shardcheck {

/// How many blocks the vector of an all_reduce is cut into.
std::int64_t block_count(Collective collective, Algorithm algorithm, std::int64_t members);

/// The sum of an element over members 0 … P−1. `block`: for reduce_scatter the member that keeps
/// it, for all_reduce its block's number; `root`: of a reduce. Nothing if the collective doesn't
/// reduce, or not by that algorithm.
std::optional<SummationTree> documented_tree(Collective collective, Algorithm algorithm,
                                             std::int64_t members, std::int64_t block,
                                             std::int64_t root = 0);

/// The sum over k of coordinate i·J + j as the rank returns it; nothing if there is no k.
/// Requires: the rank owns it.
std::optional<SummationTree> documented_tree(const ProductCase& subject,
                                             const model::ResolvedPlan& plan, std::int64_t rank,
                                             std::int64_t coordinate);

}  // namespace shardcheck
