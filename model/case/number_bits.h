#pragma once

/// Exact numbers m·2^e as the bits of a dtype: a matter of placing fields, nothing is ever rounded.
///
///     3·2^-1 in f16 -> 0x3e00     1·2^20 in f16 -> nothing
///
/// Sources: IEEE 754-2019, section 3.4; OCP 8-bit Floating Point Specification 1.0, section 5.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dtype.h"
#include "element.h"

namespace shardcheck {

struct ExactNumber {
  bool is_negative = false;
  std::uint64_t significand = 0;  ///< odd, or 0
  int exponent = 0;               ///< 0 if the significand is

  bool operator==(const ExactNumber&) const = default;
};

/// significand · 2^exponent with an odd significand.
ExactNumber normalised(bool is_negative, std::uint64_t significand, int exponent);

/// How a floating dtype lays out its bits: sign, exponent, fraction.
struct FloatBits {
  int exponent_bits = 8;
  int fraction_bits = 23;
  bool has_infinity = true;  ///< if not, only all ones is NaN
};

/// In the order of Dtype's enumerators; integers, which come first, have no fields.
inline constexpr std::array<FloatBits, dtypes.size()> float_bits_by_dtype{{
    {0, 0, false},
    {0, 0, false},
    {0, 0, false},
    {0, 0, false},
    {0, 0, false},
    {0, 0, false},
    {0, 0, false},
    {0, 0, false},
    {4, 3, false},  // f8e4m3fn
    {5, 2, true},   // f8e5m2
    {5, 10, true},  // f16
    {8, 7, true},   // bf16
    {8, 23, true},  // f32
    {11, 52, true}  // f64
}};

/// Requires: a floating dtype.
constexpr const FloatBits& float_bits(Dtype dtype) {
  return float_bits_by_dtype[static_cast<std::size_t>(dtype)];
}

/// The power of two of the smallest subnormal value.
int exponent_least(const FloatBits& f);

/// The power of two of the greatest power of two that is a value.
int exponent_greatest(const FloatBits& f);

Bits sign_bit(const FloatBits& f);
Bits infinity_bits(const FloatBits& f);
Bits nan_bits(const FloatBits& f);  ///< the canonical one: quiet, positive, nothing else set

/// Of bits without their sign.
bool is_finite(const FloatBits& f, Bits magnitude);

/// Requires: finite bits.
ExactNumber number_of(const FloatBits& f, Bits bits);

/// Nothing if `number` is not a value of `dtype`. Integers have no -0.
std::optional<Bits> bits_of(Dtype dtype, const ExactNumber& number);

}  // namespace shardcheck
