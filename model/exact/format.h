#pragma once

/// The fourteen dtypes as data, and what arithmetic in them means: take the exact result, round it
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
  Bits largest = 0;          ///< pattern of the largest finite value
  double largest_value = 0;  ///< that value; every value of every format is a double
  Bits nan = 0;              ///< the canonical NaN
};

inline constexpr std::array<FloatFormat, 6> float_formats{{
    {4, -9, 8, false, 0x7e, 448.0, 0x7f},                          // f8e4m3fn
    {3, -16, 8, true, 0x7b, 57344.0, 0x7e},                        // f8e5m2
    {11, -24, 16, true, 0x7bff, 65504.0, 0x7e00},                  // f16
    {8, -133, 16, true, 0x7f7f, 0x1.fep127, 0x7fc0},               // bf16
    {24, -149, 32, true, 0x7f7fffff, 0x1.fffffep127, 0x7fc00000},  // f32
    {53, -1074, 64, true, 0x7fefffffffffffff, 0x1.fffffffffffffp1023, 0x7ff8000000000000},  // f64
}};

/// Requires: a float.
constexpr const FloatFormat& float_format(Dtype dtype) {
  return float_formats[static_cast<std::size_t>(dtype) - static_cast<std::size_t>(Dtype::f8e4m3fn)];
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
