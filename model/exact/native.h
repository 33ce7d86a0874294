#pragma once

/// The formats' values held in double, with roundings that cost nanoseconds: what a replay of a
/// whole case runs on. Every value of every float format is a double. Never a definition: format.h
/// is that, and a property proves each function here equal to it (native_test.cpp).
///
///     round_to(float_format(Dtype::bf16), 257.0) == 256.0

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "format.h"

namespace shardcheck::model {

/// 2^exponent. Requires: it is a normal double.
inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

/// Far above the exponent of any double.
inline constexpr std::int64_t no_exponent = 1 << 20;

/// The exponent of the lowest 1 bit; `no_exponent` for 0, and for what is no number.
inline std::int64_t lowest_bit(double value) {
  if (value == 0 || !std::isfinite(value)) return no_exponent;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52U) - 1);
  const auto biased = static_cast<std::int64_t>(bits >> 52U & 0x7ffU);
  const std::int64_t unit = std::max<std::int64_t>(biased, 1) - 1075;
  return fraction == 0 ? unit + 52 : unit + std::countr_zero(fraction);
}

/// The value of a pattern of a float format.
inline double value_of(Dtype dtype, Bits bits) {
  if (dtype == Dtype::f64) return std::bit_cast<double>(bits);
  if (dtype == Dtype::f32) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  const Decoded decoded = decode(dtype, bits);
  double magnitude = 0;
  switch (decoded.kind) {
    case Decoded::Kind::finite:
      magnitude = static_cast<double>(decoded.significand) * power_of_two(decoded.exponent);
      break;
    case Decoded::Kind::infinity: magnitude = std::numeric_limits<double>::infinity(); break;
    case Decoded::Kind::nan: return std::numeric_limits<double>::quiet_NaN();
  }
  return decoded.is_negative ? -magnitude : magnitude;
}

/// What stands beyond the largest value of a format.
inline double beyond_largest(const FloatFormat& format, double sign) {
  return format.has_infinity ? std::copysign(std::numeric_limits<double>::infinity(), sign)
                             : std::numeric_limits<double>::quiet_NaN();
}

/// The value of `format` nearest to x, ties to even; infinity or NaN beyond the largest.
inline double round_to(const FloatFormat& format, double x) {
  if (format.precision == 53) return x;
  if (format.precision == 24) return static_cast<double>(static_cast<float>(x));
  const double magnitude = std::fabs(x);
  if (magnitude < power_of_two(format.unit_exponent + format.precision - 1)) {
    // Subnormal there: at this offset the last place of a double is the format's unit, so that the
    // addition itself rounds.
    const double offset = power_of_two(format.unit_exponent + 52);
    const double rounded = (magnitude + offset) - offset;
    if (rounded == 0 && !format.has_negative_zero) return 0;
    return std::copysign(rounded, x);
  }
  if (!(magnitude <= std::numeric_limits<double>::max())) {
    return magnitude != magnitude ? x : beyond_largest(format, x);
  }
  const int dropped = 53 - format.precision;
  auto bits = std::bit_cast<std::uint64_t>(magnitude);
  bits += (std::uint64_t{1} << (dropped - 1)) - 1 + ((bits >> dropped) & 1U);
  bits = bits >> dropped << dropped;
  const auto rounded = std::bit_cast<double>(bits);
  if (rounded > format.largest_value) return beyond_largest(format, x);
  return std::copysign(rounded, x);
}

/// The pattern of x. Requires: x is a value of the format, infinity only if it has one, or NaN,
/// which becomes the canonical one.
inline Bits pattern_of(const FloatFormat& format, double x) {
  if (x != x) return format.nan;
  if (x == 0 && !format.has_negative_zero) return 0;
  if (format.precision == 24) return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  const auto bits = std::bit_cast<std::uint64_t>(x);
  if (format.precision == 53) return bits;
  const Bits sign = (bits >> 63U) << (format.width - 1);
  const double magnitude = std::fabs(x);
  if (magnitude > format.largest_value) return sign | (format.largest + 1);
  const double least_normal = power_of_two(format.unit_exponent + format.precision - 1);
  if (magnitude < least_normal) {
    return sign | static_cast<Bits>(magnitude * power_of_two(-format.unit_exponent));
  }
  // A double's exponent field starts lower than the format's by a whole number of binades.
  const int dropped = 53 - format.precision;
  const Bits binades_below = std::bit_cast<std::uint64_t>(least_normal) >> dropped;
  const Bits first_normal = Bits{1} << (format.precision - 1);
  return sign |
         ((std::bit_cast<std::uint64_t>(magnitude) >> dropped) - binades_below + first_normal);
}

/// x·y + z rounded once to `format`. Requires: x, y, z are values of a format of at most 11
/// significant bits, so that x·y is a double.
inline double fused_in_narrow(const FloatFormat& format, double x, double y, double z) {
  const double product = x * y;
  const double sum = product + z;
  if (!(std::fabs(sum) <= std::numeric_limits<double>::max())) return round_to(format, sum);
  // What the sum lost (Knuth's TwoSum). Where something was lost, the sum becomes the odd one of
  // its two neighbours, which lies on no tie of a narrower format: rounding twice is harmless.
  const double back = sum - product;
  const double lost = (product - (sum - back)) + (z - back);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (lost != 0 && (bits & 1U) == 0) bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return round_to(format, std::bit_cast<double>(bits));
}

}  // namespace shardcheck::model
