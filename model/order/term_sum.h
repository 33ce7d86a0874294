#pragma once

/// The sum of the products of one element as it is in no arithmetic: exact where they are finite,
/// and what IEEE 754 makes of the others whatever their order.

#include <span>

#include <shardcheck/model/exact/product.h>

namespace shardcheck::model {

/// The terms of one element: exact where they are finite, and what the others amount to.
struct TermSum {
  ExactDot finite;
  bool nan = false;  ///< a product is NaN
  bool positive_infinity = false;
  bool negative_infinity = false;

  bool is_finite() const { return !nan && !positive_infinity && !negative_infinity; }
};

TermSum sum_of(std::span<const Term> terms);

}  // namespace shardcheck::model
