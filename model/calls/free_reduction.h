#pragma once

/// What a reduction of floats may give where its order is free (`order=any`): sum, product and
/// average, which are those that round. Exactly what some order gives where that is little work
/// (any_order.h; an average divides what the sums came to), else a bound:
///
/// sum      the envelope of envelope.h, over the members' contributions
/// average  the same, divided by P: both roundings of a quotient are monotone
/// product  |got − exact| <= [(1 + u_acc)^(P−1) (1 + u_wire)^(P−2) − 1] · |exact|, a factor for
/// each
///          node of a tree and for each that is sent; where a partial product could overflow or
///          underflow, anything
///
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, section 3.1.

#include <cstdint>
#include <optional>
#include <span>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/expectation/allowed.h>
#include <shardcheck/model/order/envelope.h>

namespace shardcheck::model {

/// Any thread.
class FreeReduction {
 public:
  /// Requires: floats; op is sum, average or product; two members or more.
  FreeReduction(const DtypeCombination& dtypes, Operator op, std::int64_t member_count);

  /// `contributions`: of the members, dtype in; one may be missing or be there twice.
  Allowed allowed(std::span<const Bits> contributions) const;

 private:
  std::optional<Allowed> set(std::span<const Bits> contributions) const;
  Allowed bounded_sum(std::span<const Bits> contributions) const;
  Allowed bounded_product(std::span<const Bits> contributions) const;

  DtypeCombination dtypes_;
  Operator op_;
  std::int64_t member_count_;
  EnvelopeFactors in_acc_;  ///< of a sum that is not yet rounded to out
};

}  // namespace shardcheck::model
