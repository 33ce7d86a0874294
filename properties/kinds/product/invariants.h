#pragma once

/// The invariants of a product that no other kind of case has. docs/invariants.md says what each
/// asks and which kinds of findings it has.

#include <vector>

#include <shardcheck/properties/judge/elements.h>
#include <shardcheck/properties/judge/judgement.h>

#include "evidence.h"
#include "suspects.h"

namespace shardcheck {

/// The reported steps against the case. `evidence.expectation` is the case's own.
Judgement judge_plan(const ProductEvidence& evidence);

/// The k lists of the local products, no value looked at. Not observed if there are none.
Judgement judge_products(const ProductEvidence& evidence);

/// What a suspicion says of coverage: "coverage/k_missing".
Finding suspected(const ProductEvidence& evidence, const Elements& elements,
                  const Suspicion& suspicion);

}  // namespace shardcheck
