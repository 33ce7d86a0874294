#pragma once

/// What the judge looks at, of a product.

#include <shardcheck/model/product/expectation.h>

#include <shardcheck/properties/judge/judgement.h>

namespace shardcheck {

using ProductEvidence = EvidenceOf<model::ProductExpectation>;

}  // namespace shardcheck
