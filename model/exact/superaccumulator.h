#pragma once

/// A sum of any number of products of doubles, exact: digits of 32 bits, each in 64 so that carries
/// can wait. Source: Kulisch, Computer Arithmetic and Validity, chapter 8; Neal, "Fast exact
/// summation using small and large superaccumulators", arXiv 1505.05571.

#include <cstdint>
#include <vector>

#include "fixed_sum.h"
#include "number.h"

namespace shardcheck::model {

/// Requires: at most 2^30 additions.
class Superaccumulator {
 public:
  /// For sums below 2^bit_count in magnitude.
  explicit Superaccumulator(std::int64_t bit_count)
      : digits_(static_cast<std::size_t>(bit_count / digit_bits + digits_of_a_term)) {}

  /// Adds significand · 2^shift. Requires: shift >= 0, |significand| < 2^107, room.
  void add(Int128 significand, std::int64_t shift) {
    const bool is_negative = significand < 0;
    const auto magnitude = static_cast<UnsignedInt128>(is_negative ? -significand : significand);
    auto digit = digits_.begin() + shift / digit_bits;
    const auto offset = static_cast<unsigned>(shift % digit_bits);
    *digit += signed_digit(magnitude << offset, is_negative);
    for (UnsignedInt128 rest = magnitude >> (digit_bits - offset); rest != 0; rest >>= digit_bits) {
      *++digit += signed_digit(rest, is_negative);
    }
  }

  /// The sum · 2^exponent.
  Number number(std::int64_t exponent) const;

 private:
  static constexpr std::int64_t digit_bits = 32;
  /// 107 bits at any offset, and one for the last carry.
  static constexpr std::int64_t digits_of_a_term = 6;

  static std::int64_t signed_digit(UnsignedInt128 bits, bool is_negative) {
    const auto digit = static_cast<std::int64_t>(static_cast<std::uint32_t>(bits));
    return is_negative ? -digit : digit;
  }

  std::vector<std::int64_t> digits_;  ///< the lowest first
};

}  // namespace shardcheck::model
