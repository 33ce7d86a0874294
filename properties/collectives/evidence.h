#pragma once

/// What the invariants of collectives look at, and those that are theirs alone;
/// judge/run_invariants.h has the others. docs/invariants.md says what each asks.

#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/collective/expect.h>
#include <shardcheck/properties/judge/elements.h>
#include <shardcheck/properties/judge/judgement.h>
#include <shardcheck/properties/judge/run_record.h>

namespace shardcheck {

struct CollectiveEvidence {
  const CallsCase& subject;  ///< as far as the backend promises anything
  const model::CollectiveExpectation& expectation;
  const Promises& promises;
  const RunRecord& run;
};

/// Coordinates, exactly and in order. By rank, true if they are; findings go to `judgement`.
std::vector<bool> judge_owners(const CollectiveEvidence& evidence, Judgement& judgement);

/// Members of a group that return the same elements return the same bits.
void judge_replicas(const CollectiveEvidence& evidence, const std::vector<bool>& owns_rightly,
                    Judgement& judgement);

Elements judge_elements(const CollectiveEvidence& evidence, const std::vector<bool>& owns_rightly);

Judgement judge_value(const CollectiveEvidence& evidence, const Elements& elements);

}  // namespace shardcheck
