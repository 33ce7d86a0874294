#pragma once

/// Exact numbers m·2^e as the bits of a dtype: a matter of placing fields, nothing is ever rounded.
///
///     3·2^-1 in f16 -> 0x3e00     1·2^20 in f16 -> nothing
///
/// Sources: IEEE 754-2019, section 3.4; OCP 8-bit Floating Point Specification 1.0, section 5.

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

/// The power of two of the smallest subnormal value.
int exponent_least(const FloatBits& f);

/// The power of two of the greatest power of two that is a value.
int exponent_greatest(const FloatBits& f);

Bits sign_bit(const FloatBits& f);
Bits infinity_bits(const FloatBits& f);  ///< Requires: it has one
Bits nan_bits(const FloatBits& f);       ///< the canonical one: quiet, positive, nothing else set
Bits largest_bits(const FloatBits& f);   ///< of the greatest finite value

bool is_finite(const FloatBits& f, Bits bits);

/// Requires: finite bits.
ExactNumber number_of(const FloatBits& f, Bits bits);

/// Nothing if `number` is not a value of `dtype`. Integers, and some floats, have no -0.
std::optional<Bits> bits_of(Dtype dtype, const ExactNumber& number);

}  // namespace shardcheck
