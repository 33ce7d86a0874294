#pragma once

/// Exact sums of products of integers in one machine integer: the fast way, where it is known that
/// they fit. Factors are integers in units of powers of two that the caller knows.
///
///     FixedSum<std::int64_t> sum; sum.add(3, -5); sum.add(1, 2)   // sum −13, magnitude 17

#include <bit>
#include <cstdint>

#include "product.h"

namespace shardcheck::model {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UnsignedInt128;

/// The exponent of the lowest 1 bit. Requires: not 0.
inline int lowest_one(UnsignedInt128 bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  return low != 0 ? std::countr_zero(low)
                  : 64 + std::countr_zero(static_cast<std::uint64_t>(bits >> 64U));
}

/// Requires: Σ|a·b| < 2^62 or 2^126, as the type has room.
template <class Integer>
struct FixedSum {
  Integer sum = 0;
  Integer magnitude = 0;
  Integer bits = 0;  ///< every product's magnitude, or-ed

  void add(std::int64_t a, std::int64_t b) {
    const Integer product = static_cast<Integer>(a) * b;
    const Integer positive = product < 0 ? -product : product;
    sum += product;
    magnitude += positive;
    bits |= positive;
  }
};

/// The same as exact numbers. Factors were in units whose product is 2^grid.
ExactDot exact_dot(const FixedSum<Int128>& sum, std::int64_t grid);

/// Whether value = sum · 2^grid.
bool is_equal(Int128 sum, std::int64_t grid, double value);

}  // namespace shardcheck::model
