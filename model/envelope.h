#pragma once

/// A proven bound, for sums whose order is free (docs/plans.md leaves them so with `order=any` and
/// `fma=any`): whatever the tree,
///
///     |sum − Σ a·b| <= [(1 + u_product)^a (1 + u_acc)^b (1 + u_wire)^c − 1] · Σ |a·b| + underflow
///
/// with a, b, c the most roundings that a term can pass through and u = 2^−precision. A rounding is
/// monotone: the results are those between the roundings to out of the two ends. Everything in
/// exact numbers; where (1 + u)^n isn't worth its digits, the larger 1 + nu + (nu)² stands for it.
///
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, sections 2.1 and 3.1, with one
/// absolute term for each rounding that can underflow.

#include <cstdint>

#include <shardcheck/model/case/dtype.h>

#include "allowed.h"
#include "term_sum.h"

namespace shardcheck::model {

/// The most roundings that a term can pass through.
struct Roundings {
  std::int64_t products = 1;         ///< 0 where products are surely fused
  std::int64_t sums = 0;             ///< in acc
  std::int64_t wire = 0;             ///< to wire
  std::int64_t wire_everywhere = 0;  ///< to wire, those of all terms together
};

/// The bound of one case: what does not depend on an element.
struct EnvelopeFactors {
  DtypeCombination dtypes;
  bool uses_wire = false;
  Number of_magnitude;  ///< Σ|a·b| times this,
  Number underflow;     ///< plus this, bounds every partial sum
};

/// `terms_max`: the most terms of an element. Requires: floats.
EnvelopeFactors envelope_factors(const DtypeCombination& dtypes, const Roundings& roundings,
                                 std::int64_t terms_max);

/// NaN and infinities follow rules that don't depend on the order, except that finite terms that
/// may overflow allow NaN as well.
Allowed envelope(const EnvelopeFactors& factors, const TermSum& sum);

}  // namespace shardcheck::model
