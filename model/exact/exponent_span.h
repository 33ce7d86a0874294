#pragma once

/// Between which powers of two some values lie: whether integers of 64 bits can stand for them.
///
///     ExponentSpan span; span.include(1.5); span.include(-8)   // grid −1, top 4: 3 and −16

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "native.h"

namespace shardcheck::model {

/// An exponent with |value| < 2^exponent; far below any for 0, far above for what is no number.
inline std::int64_t top_of(double value) {
  if (value == 0) return -no_exponent;
  if (!std::isfinite(value)) return no_exponent;
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value) >> 52U & 0x7ffU) - 1022;
}

/// Of all values of a row or a column: multiples of 2^grid below 2^top in magnitude. All 0: grid
/// is above and top below any exponent.
struct ExponentSpan {
  std::int64_t grid = no_exponent;
  std::int64_t top = -no_exponent;

  void include(double value) {
    grid = std::min(grid, lowest_bit(value));
    top = std::max(top, top_of(value));
  }

  /// Bits of an integer that holds any of them in units of 2^grid.
  std::int64_t width() const { return top - grid; }
  /// Whether there is such an integer of 64 bits, made by one multiplication.
  bool is_fixed_point() const { return 0 < width() && width() <= 62 && std::abs(grid) <= 1022; }
};

}  // namespace shardcheck::model
