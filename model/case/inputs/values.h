#pragma once

/// What the regimes of input values are made of (docs/case-format.md, "Input values"): the hash,
/// and numbers as bits of a dtype. Products and collectives draw from the same.

#include <algorithm>
#include <bit>
#include <cstdint>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/number_bits.h>

namespace shardcheck {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

/// The seed of one tensor's values: the regime by its number; A is tensor 1, B is 2.
inline std::uint64_t tensor_seed(std::uint64_t seed, std::uint64_t regime, std::uint64_t tensor) {
  return mixed(seed + golden * (2 * regime + tensor));
}

inline std::uint64_t hashed(std::uint64_t seed, std::int64_t index) {
  return mixed(seed + golden * (static_cast<std::uint64_t>(index) + 1));
}

inline std::uint64_t hashed(std::uint64_t seed, std::int64_t row, std::int64_t column) {
  return hashed(hashed(seed, row), column);
}

inline std::int64_t ceil_of(std::int64_t numerator, std::int64_t denominator) {
  return (numerator + denominator - 1) / denominator;
}

/// Integers up to 2^this are values of the dtype, and of an integer none that wraps.
inline int exact_bits(Dtype dtype) {
  if (info(dtype).is_float) return float_bits(dtype).fraction_bits + 1;
  return 8 * info(dtype).bytes - (info(dtype).is_signed ? 1 : 0);
}

/// The powers of two that are values of a dtype: 2^least to 2^greatest.
struct Powers {
  int least = 0;
  int greatest = 0;
};

inline Powers powers_of(Dtype dtype) {
  if (!info(dtype).is_float) return {0, exact_bits(dtype) - 1};
  const FloatBits& f = float_bits(dtype);
  return {exponent_least(f), exponent_greatest(f)};
}

/// Bits that hold any sum of count terms below 1.
inline int carry_bits(std::int64_t count) {
  return count <= 1 ? 0 : 64 - std::countl_zero(static_cast<std::uint64_t>(count - 1));
}

inline Bits encoded(Dtype dtype, bool is_negative, std::uint64_t significand, int exponent) {
  const bool has_sign =
      significand != 0 || !info(dtype).is_float || has_negative_zero(float_bits(dtype));
  const auto bits = bits_of(dtype, normalised(is_negative && has_sign, significand, exponent));
  SHARDCHECK_REQUIRE(bits.has_value(), "each regime keeps to the values of `in`");
  return *bits;
}

/// A float of magnitude 2^exponent up to, not including, 2^(exponent + 1): below its leading bit
/// the lowest of `bits`, as many as there are at that exponent. Requires: 2^exponent is a value.
inline Bits encoded_between_powers(Dtype dtype, bool is_negative, std::uint64_t bits,
                                   int exponent) {
  const FloatBits& f = float_bits(dtype);
  const int fraction_bits = std::min(f.fraction_bits, exponent - exponent_least(f));
  const std::uint64_t hidden = std::uint64_t{1} << fraction_bits;
  std::uint64_t significand = hidden | (bits & (hidden - 1));
  // All ones at the top may be NaN.
  if (exponent == exponent_greatest(f)) significand &= ~std::uint64_t{1};
  return encoded(dtype, is_negative, significand, exponent - fraction_bits);
}

}  // namespace shardcheck
