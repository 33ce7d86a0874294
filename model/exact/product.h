#pragma once

/// Exact dot products: integers at a common exponent.
///
///     dot({{0.5, 3}, {-2, 0.25}}).sum == 1, .magnitude == 2, .grid == -1
///
/// What surely fits 128 bits is summed there, the rest in a superaccumulator (fixed_sum.h,
/// superaccumulator.h); a property holds both to numbers of any size.

#include <cstdint>
#include <span>

#include "number.h"

namespace shardcheck::model {

/// Two finite factors.
struct Term {
  double a = 0;
  double b = 0;
};

struct ExactDot {
  Number sum;        ///< Σ a·b
  Number magnitude;  ///< Σ |a·b|
  /// Every product is a multiple of 2^grid, and one of them no multiple of 2^(grid+1).
  /// Requires: magnitude > 0; else 0.
  std::int64_t grid = 0;
};

/// Requires: finite factors. No terms give 0.
ExactDot dot(std::span<const Term> terms);

}  // namespace shardcheck::model
