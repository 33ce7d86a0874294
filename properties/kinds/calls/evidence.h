#pragma once

/// What the judge looks at, of collectives alone.

#include <shardcheck/model/calls/expectation.h>

#include <shardcheck/properties/judge/judgement.h>

namespace shardcheck {

using CallsEvidence = EvidenceOf<model::CallsExpectation>;

}  // namespace shardcheck
