#pragma once

/// The dtypes as data, and what arithmetic in them means: take the exact result, round it
/// once to the nearest value, ties to the even one. One generic rounding for every float; integers
/// wrap modulo 2^width.
///
///     round(Dtype::bf16, Number(257)) == 0x4380   // 256: the next bf16 is 258, and 256 is even
///
/// Sources: IEEE 754-2019, sections 4.3.1 (rounding), 6.1 (infinities), 6.2 (NaN), 6.3 (signs of
/// zero); OCP 8-bit Floating Point Specification 1.0, section 5.

#include <array>
#include <cstdint>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>

#include "number.h"

namespace shardcheck::model {

/// A floating format. Its positive values, in order, have the patterns 0, 1, 2, ... `largest`: 0,
/// the least positive value 2^unit_exponent, ...; infinity, if there is one, comes next.
struct FloatFormat {
  int precision = 0;      ///< significant bits
  int unit_exponent = 0;  ///< exponent of the least positive value
  int width = 0;          ///< bits
  bool has_infinity = true;
  bool has_negative_zero = true;
  Bits largest = 0;          ///< pattern of the largest finite value
  double largest_value = 0;  ///< that value; every value of every format is a double
  Bits nan = 0;              ///< the canonical NaN
};

namespace formats {

constexpr double power_of_two(int exponent) {
  double power = 1;
  for (int n = 0; n < exponent; ++n) power *= 2;
  for (int n = 0; n > exponent; --n) power /= 2;
  return power;
}

/// From where the fields lie: exponents are biased by half their range, less one unless the format
/// has no negative zero.
constexpr FloatFormat made(const FloatBits& fields) {
  FloatFormat format;
  const int bias =
      (1 << (fields.exponent_bits - 1)) - (shardcheck::has_negative_zero(fields) ? 1 : 0);
  format.precision = fields.fraction_bits + 1;
  format.unit_exponent = 1 - bias - fields.fraction_bits;
  format.width = 1 + fields.exponent_bits + fields.fraction_bits;
  format.has_infinity = shardcheck::has_infinity(fields);
  format.has_negative_zero = shardcheck::has_negative_zero(fields);
  const Bits sign = Bits{1} << (format.width - 1);
  const Bits greatest_exponent = ((Bits{1} << fields.exponent_bits) - 1) << fields.fraction_bits;
  switch (fields.specials) {
    case FloatBits::Specials::ieee:
      format.largest = greatest_exponent - 1;
      format.nan = greatest_exponent | Bits{1} << (fields.fraction_bits - 1);
      break;
    case FloatBits::Specials::fn:
      format.largest = sign - 2;
      format.nan = sign - 1;
      break;
    case FloatBits::Specials::fnuz:
      format.largest = sign - 1;
      format.nan = sign;
      break;
  }
  // Pattern and value: (hidden 1, fraction) × 2^(unit + biased exponent - 1).
  const Bits fraction = format.largest & ((Bits{1} << fields.fraction_bits) - 1);
  const auto biased = static_cast<int>(format.largest >> fields.fraction_bits);
  format.largest_value = static_cast<double>(fraction | Bits{1} << fields.fraction_bits) *
                         power_of_two(format.unit_exponent + biased - 1);
  return format;
}

inline constexpr std::array<FloatFormat, dtypes.size()> by_dtype = [] {
  std::array<FloatFormat, dtypes.size()> made_of{};
  for (std::size_t index = 0; index < dtypes.size(); ++index) {
    if (dtypes[index].is_float) made_of[index] = made(dtypes[index].float_bits);
  }
  return made_of;
}();

}  // namespace formats

/// Requires: a float.
constexpr const FloatFormat& float_format(Dtype dtype) {
  return formats::by_dtype[static_cast<std::size_t>(dtype)];
}

/// What a pattern stands for: (-1)^is_negative × significand × 2^exponent if finite.
struct Decoded {
  enum class Kind : std::uint8_t { finite, infinity, nan };

  Kind kind = Kind::finite;
  bool is_negative = false;  ///< zeros have a sign too
  std::uint64_t significand = 0;
  int exponent = 0;
};

Decoded decode(Dtype dtype, Bits bits);

/// Requires: finite.
Number number_of(const Decoded& decoded);

bool is_nan(Dtype dtype, Bits bits);

/// The pattern itself, or the one canonical NaN for any NaN.
Bits canonical(Dtype dtype, Bits bits);

/// Infinity of the given sign; NaN in a format that has none. Requires: a float.
Bits infinity(Dtype dtype, bool is_negative);

/// Floats: the nearest value, ties to even; beyond the largest, infinity or NaN; an exact 0 gives
/// +0, a tiny negative number −0. Integers: modulo 2^width. Requires: an integer if `dtype` is one.
Bits round(Dtype dtype, const Number& exact);

/// x + y, x · y, x · y + z, rounded once. All operands and the result in `dtype`.
Bits add(Dtype dtype, Bits x, Bits y);
Bits multiply(Dtype dtype, Bits x, Bits y);
Bits fused_multiply_add(Dtype dtype, Bits x, Bits y, Bits z);

/// x / divisor, rounded once; integers are truncated towards 0. Requires: 1 <= divisor <= 2^32.
Bits divide(Dtype dtype, Bits x, std::int64_t divisor);

/// Requires: both floats or both integers.
Bits convert(Dtype from, Dtype to, Bits bits);

/// Ascends with the value; −0 just before +0. NaN has no place in it.
std::uint64_t order_of(Dtype dtype, Bits bits);

}  // namespace shardcheck::model
