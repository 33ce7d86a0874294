#pragma once

/// The input values of a case: a pure function of (regime, seed, tensor, index, dtypes, sizes).
///
/// That function is part of the case format. Golden tests pin it, and changing it takes a new
/// regime name. Values depend on nothing else, neither on the layouts nor on the rank count.
///
///   ints      small integers, such that for every element of C the sum of |a·b| stays within what
///             the narrowest of acc, wire and out holds exactly: every partial sum in every
///             grouping is exact. Each element's budget is split among its terms; where terms
///             outnumber the budget, zeros are explicit and rotate.
///   rounding  random significands of in's full width and exponents near 0, both signs, so that
///             products and sums round; integers: any value, sums wrap.
///   probe     one digit a contribution, in a base that leaves room to count: the value of a result
///             spells out which k were multiplied and how often, as far as the dtypes have room.
///   wide, cancel, special   input_regimes.h
///   given     the values of the case.
///
/// docs/case-format.md states the function in full.

#include <cstdint>

#include <shardcheck/model/case/product_case.h>
#include "regimes.h"

namespace shardcheck {

/// Any thread. Keeps a reference to the case.
class Inputs {
 public:
  explicit Inputs(const ProductCase& subject);

  /// A: row in [0, i), column in [0, k). B: row in [0, k), column in [0, j). In dtype `in`.
  Bits at(Tensor tensor, std::int64_t row, std::int64_t column) const;

 private:
  /// What one tensor's values need beside their hash.
  struct Recipe {
    std::uint64_t seed = 0;      ///< hashed with the indices
    std::int64_t magnitude = 1;  ///< ints: the greatest
    int exponent_low = 0;        ///< rounding: the least; probe: that of digit 0
    int exponent_count = 1;      ///< rounding: how many from there on
  };

  void plan_rotation(std::int64_t terms_max);
  void plan_ints();
  void plan_rounding();
  void plan_probe();

  const Recipe& recipe(Tensor tensor) const { return tensor == Tensor::a ? a_ : b_; }
  InputPlace place(Tensor tensor, std::int64_t k, std::int64_t outer) const;
  bool is_shown(Tensor tensor, std::int64_t k, std::int64_t outer) const;
  Bits ints(Tensor tensor, std::int64_t k, std::int64_t outer, std::uint64_t hash) const;
  Bits rounding(Tensor tensor, std::int64_t k, std::int64_t outer, std::uint64_t hash) const;
  Bits probe(Tensor tensor, std::int64_t k, std::int64_t outer) const;

  const ProductCase& case_;
  Recipe a_;
  Recipe b_;

  // Of `classes_` classes of k (k modulo their number), an element of C sees one at most.
  std::int64_t classes_ = 1;
  std::int64_t row_classes_ = 1;     ///< row i of A shows the classes that are i modulo this
  std::int64_t column_classes_ = 1;  ///< likewise column j of B, after division by row_classes_

  // probe: a digit has `digit_bits_` bits and place u + digits_a_·v, u from A and v from B.
  int digit_bits_ = 1;
  std::int64_t digits_a_ = 1;
  std::int64_t digits_b_ = 1;
};

}  // namespace shardcheck
