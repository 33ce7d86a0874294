#pragma once

/// When is a sum exact in every order? If every product is a multiple of 2^grid and Σ|a·b| is at
/// most 2^(grid + precision), then every partial sum of every grouping is an integer of at most
/// `precision` bits in units of 2^grid. It then is a value of each format that it passes through,
/// if these hold such numbers at all: 2^grid no finer than their unit, the sum no larger than their
/// largest value.
///
///     f32: Σ|a·b| <= 2^24 for integers

#include <cstdint>

#include <shardcheck/model/case/dtype.h>

#include <shardcheck/model/exact/product.h>

namespace shardcheck::model {

/// Of the formats that a partial sum passes through, the narrowest in each respect.
struct ExactLimits {
  int precision = 0;
  int unit_exponent = 0;
  double largest = 0;
};

/// acc, and wire if a partial is ever sent. Requires: floats.
ExactLimits exact_limits(const DtypeCombination& dtypes, bool uses_wire);

/// The most that Σ|a·b| may be, for products that are multiples of 2^grid; less than 0: never
/// exact.
double largest_exact_sum(const ExactLimits& limits, std::int64_t grid);

bool is_exact_in_every_order(const ExactLimits& limits, const ExactDot& dot);

}  // namespace shardcheck::model
