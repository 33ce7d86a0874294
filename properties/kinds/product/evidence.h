#pragma once

/// What the invariants look at, of a product.

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/product_expectation.h>

#include <shardcheck/properties/judge/judgement.h>

namespace shardcheck {

struct ProductEvidence {
  /// Requires: evidence of a product.
  explicit ProductEvidence(const Evidence& of)
      : expectation(static_cast<const model::ProductExpectation&>(of.expectation)),
        subject(expectation.subject),
        promises(of.promises),
        run(of.run) {}

  const model::ProductExpectation& expectation;
  const ProductCase& subject;  ///< as far as the backend promises anything
  const Promises& promises;
  const RunRecord& run;
};

}  // namespace shardcheck
