#pragma once

/// The input values of a case: a pure function of (regime, seed, tensor, index, dtypes, sizes).
///
/// That function is part of the case format. Golden tests pin it, and changing it takes a new
/// regime name. Values depend on nothing else, neither on the layouts nor on the rank count.
///
///   ints      integers times one power of two, such that for every element of C the sum of
///             |a·b| stays within what the narrowest of acc, wire and out holds exactly: every
///             partial sum in every grouping is exact. Each element's budget is split among its
///             terms; where terms outnumber the budget, zeros are explicit and rotate.
///   rounding  random significands of in's full width and exponents near 0, both signs, so that
///             products and sums round; integers: any value, sums wrap.
///   probe     one digit a contribution, in a base that leaves room to count: the value of a result
///             spells out which k were multiplied and how often, as far as the dtypes have room.
///   given     the values of the case.

#include <cstdint>

#include "case.h"

namespace shardcheck {

/// Any thread. Keeps a reference to the case.
class Inputs {
 public:
  explicit Inputs(const Case& subject);

  /// A: row in [0, i), column in [0, k). B: row in [0, k), column in [0, j). In dtype `in`.
  Bits at(Tensor tensor, std::int64_t row, std::int64_t column) const;

 private:
  const Case& case_;
  std::int64_t budget_ = 0;  ///< ints: largest sum of |a·b|, in units of the products' last place
};

}  // namespace shardcheck
