#include "number_text.h"

#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck {

namespace {

/// Where a float's exponent stands. Written here rather than taken from the model, which the judge
/// would otherwise need for printing alone.
struct FloatFields {
  int significand_bits = 23;
  int bias = 127;
  Bits largest_finite = 0;
};

FloatFields fields(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return {3, 7, 0x7e};
    case Dtype::f8e5m2: return {2, 15, 0x7b};
    case Dtype::f16: return {10, 15, 0x7bff};
    case Dtype::bf16: return {7, 127, 0x7f7f};
    case Dtype::f32: return {23, 127, 0x7f7fffff};
    case Dtype::f64: return {52, 1023, 0x7fefffffffffffff};
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64: return {};
  }
  return {};
}

Bits sign_bit(Dtype dtype) { return Bits{1} << static_cast<unsigned>(8 * info(dtype).bytes - 1); }

/// A number that rises with the value. Two's complement and offset binary make it unsigned.
Bits rank_of(Dtype dtype, Bits bits) {
  const Bits sign = sign_bit(dtype);
  if (!info(dtype).is_signed) return bits;
  if (!info(dtype).is_float) return bits ^ sign;
  return (bits & sign) != 0 ? sign - 1 - (bits & ~sign) : bits + sign;
}

double finite_value(Dtype dtype, Bits bits) {
  const FloatFields format = fields(dtype);
  const Bits magnitude = bits & ~sign_bit(dtype);
  const auto shift = static_cast<unsigned>(format.significand_bits);
  const auto exponent = static_cast<int>(magnitude >> shift);
  const Bits fraction = magnitude & ((Bits{1} << shift) - 1);
  const Bits significand = exponent == 0 ? fraction : fraction | (Bits{1} << shift);
  const int scale = (exponent == 0 ? 1 : exponent) - format.bias - format.significand_bits;
  const double value = std::ldexp(static_cast<double>(significand), scale);
  return (bits & sign_bit(dtype)) != 0 ? -value : value;
}

}  // namespace

bool is_nan(Dtype dtype, Bits bits) {
  if (!info(dtype).is_float) return false;
  // Infinity, where there is one, directly follows the largest finite value.
  const Bits beyond = dtype == Dtype::f8e4m3fn ? 0 : 1;
  return (bits & ~sign_bit(dtype)) > fields(dtype).largest_finite + beyond;
}

bool is_same(Dtype dtype, Bits left, Bits right) {
  return left == right || (is_nan(dtype, left) && is_nan(dtype, right));
}

std::int64_t steps_between(Dtype dtype, Bits from, Bits to) {
  constexpr auto most = static_cast<Bits>(std::numeric_limits<std::int64_t>::max());
  const Bits low = rank_of(dtype, from);
  const Bits high = rank_of(dtype, to);
  if (low <= high) return static_cast<std::int64_t>(std::min(high - low, most));
  return -static_cast<std::int64_t>(std::min(low - high, most));
}

std::string with_hex(Dtype dtype, Bits bits) {
  const std::string plain = print_value(dtype, bits);
  if (!info(dtype).is_float || (bits & ~sign_bit(dtype)) > fields(dtype).largest_finite) {
    return plain;
  }
  const std::string hex = fmt::format("{:a}", finite_value(dtype, bits));
  return hex == plain ? plain : fmt::format("{} ({})", plain, hex);
}

}  // namespace shardcheck
