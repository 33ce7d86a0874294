#pragma once

/// The invariants, one function each. docs/invariants.md says what each asks and which kinds of
/// findings it has.

#include <cstdint>
#include <vector>

#include "elements.h"
#include "judgement.h"
#include "suspects.h"
#include "swaps.h"

namespace shardcheck {

Judgement judge_liveness(const Evidence& evidence);

/// `elements`: nothing if the run didn't finish.
Judgement judge_memory(const Evidence& evidence, const Elements& elements);

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

Judgement judge_ledger(const Evidence& evidence);

/// What the ranks held beyond inputs and outputs, beside what they may; empty if they don't tell.
std::vector<Temporaries> temporaries(const Evidence& evidence);

/// What no other invariant explains is plainly wrong.
Judgement judge_value(const Evidence& evidence, const Elements& elements,
                      const std::vector<Swap>& swaps, const std::vector<Suspicion>& suspicions);

/// `again`: the same case on another schedule.
Judgement judge_determinism(const Evidence& evidence, const RunRecord& again);

}  // namespace shardcheck
