#pragma once

/// A proven bound, for sums whose order is free (docs/plans.md, "Free orders") and whose sets are
/// out of reach: whatever the tree,
///
///     |sum − Σ a·b| <= [(1 + u_acc)^(a + b) (1 + u_wire)^c − 1] · Σ |a·b| + underflow
///
/// with a, b, c the most roundings of products, of sums and to wire that a term can pass through
/// (c counts that of a partial as it is sent) and u = 2^−precision.
///
/// Proof. Rounding x to a format gives x(1 + δ) + ε with |δ| <= u and |ε| <= η, half the format's
/// unit, one of the two being 0. A sum of two values of a format that lies below the normal range
/// is a value of it, so that ε is 0 but for a product, a fused sum and a rounding to wire. Hence
/// the root of a tree is Σ t·Π(1 + δ) + Σ ε·Π(1 + δ) over the terms t and the roundings that
/// underflow, each product over the roundings between it and the root. A product of n factors
/// between 1 − u and 1 + u differs from 1 by (1 + u)^n − 1 at most, for 1 − (1 − u)^n <= (1 + u)^n
/// − 1. So the first sum is off by [(1 + u)^n − 1] · Σ|t|, and the second is at most the number of
/// roundings that can underflow, times η, times (1 + u)^n. The same holds of every node with its
/// own terms: no partial sum is larger than Σ|t| plus the bound, and if that is no larger than the
/// largest value, nothing overflows. Rounding to out is monotone: the results are those between the
/// roundings of the bound's two ends.
///
/// All of it in exact numbers; where (1 + u)^n isn't worth its digits, the larger 1 + nu + (nu)²
/// stands for it. The bound is reached but for a factor below 2: 1 and then n values just above u,
/// added in turn, each round up by nearly u (free_order_test.cpp).
///
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, sections 2.1 and 3.1; Hauser,
/// "Handling floating-point exceptions in numeric programs", 1996, for sums that don't underflow.

#include <cstdint>

#include <shardcheck/model/case/dtype.h>

#include <shardcheck/model/expectation/allowed.h>
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
