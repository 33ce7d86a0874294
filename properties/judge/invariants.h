#pragma once

/// The invariants of a product, one function each; run_invariants.h has those of every case.
/// docs/invariants.md says what each asks and which kinds of findings it has.

#include <cstdint>
#include <vector>

#include "elements.h"
#include "judgement.h"
#include "suspects.h"
#include "swaps.h"

namespace shardcheck {

/// The reported steps against the case. `evidence.expectation` is the case's own.
Judgement judge_plan(const Evidence& evidence);

Judgement judge_coverage(const Evidence& evidence, const Elements& elements,
                         const std::vector<Suspicion>& suspicions);

/// Which coordinates were returned: by rank, true if they are the contract's. Findings go to
/// `judgement`.
std::vector<bool> judge_owners(const Evidence& evidence, Judgement& judgement);

/// What the values say about ownership: swapped shards, replicas that differ.
void judge_replicas(const Evidence& evidence, const std::vector<bool>& owns_rightly,
                    const std::vector<Swap>& swaps, Judgement& judgement);

/// What no other invariant explains is plainly wrong.
Judgement judge_value(const Evidence& evidence, const Elements& elements,
                      const std::vector<Swap>& swaps, const std::vector<Suspicion>& suspicions);

}  // namespace shardcheck
