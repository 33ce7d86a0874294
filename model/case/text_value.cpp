#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "number_text.h"
#include "text.h"

namespace shardcheck {
namespace {

/// Longer decimals are printed as hex floats.
constexpr std::size_t decimal_bytes_max = 12;

/// How a floating dtype lays out its bits: sign, exponent, fraction.
struct FloatBits {
  int exponent_bits = 8;
  int fraction_bits = 23;
  bool has_infinity = true;  ///< if not, only all ones is NaN
};

FloatBits float_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return {4, 3, false};
    case Dtype::f8e5m2: return {5, 2, true};
    case Dtype::f16: return {5, 10, true};
    case Dtype::bf16: return {8, 7, true};
    case Dtype::f32: return {8, 23, true};
    case Dtype::f64: return {11, 52, true};
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64: break;
  }
  return {};
}

/// The power of two of the last place of subnormal values.
int exponent_least(const FloatBits& f) {
  return 2 - (1 << (f.exponent_bits - 1)) - f.fraction_bits;
}

Bits sign_bit(const FloatBits& f) { return Bits{1} << (f.exponent_bits + f.fraction_bits); }

Bits infinity_bits(const FloatBits& f) {
  return ((Bits{1} << f.exponent_bits) - 1) << f.fraction_bits;
}

Bits nan_bits(const FloatBits& f) {
  if (!f.has_infinity) return sign_bit(f) - 1;
  return infinity_bits(f) | Bits{1} << (f.fraction_bits - 1);
}

bool is_finite(const FloatBits& f, Bits magnitude) {
  return f.has_infinity ? magnitude < infinity_bits(f) : magnitude < nan_bits(f);
}

std::optional<Bits> float_from(const FloatBits& f, const ExactNumber& number) {
  const Bits sign = number.is_negative ? sign_bit(f) : 0;
  if (number.significand == 0) return sign;
  const int width = 64 - std::countl_zero(number.significand);
  const int least = exponent_least(f);
  if (width > f.fraction_bits + 1 || number.exponent < least) return std::nullopt;
  if (number.exponent - least + width <= f.fraction_bits) {
    return sign | number.significand << (number.exponent - least);
  }
  // Normal: the significand's first bit is hidden. The field counts from the last subnormal
  // exponent, so that adding the hidden bit carries into it.
  const int field = number.exponent - least + width - f.fraction_bits - 1;
  if (field >= (1 << f.exponent_bits)) return std::nullopt;
  const Bits magnitude = (static_cast<Bits>(field) << f.fraction_bits) +
                         (number.significand << (f.fraction_bits + 1 - width));
  if (!is_finite(f, magnitude)) return std::nullopt;
  return sign | magnitude;
}

std::optional<Bits> integer_from(const DtypeInfo& dtype, const ExactNumber& number) {
  if (number.significand == 0) return number.is_negative ? std::nullopt : std::optional<Bits>(0);
  const int width = 64 - std::countl_zero(number.significand);
  if (number.exponent < 0 || number.exponent + width > 64) return std::nullopt;
  const Bits magnitude = number.significand << number.exponent;
  const int bit_count = 8 * dtype.bytes;
  const Bits mask = ~Bits{0} >> (64 - bit_count);
  const Bits half = Bits{1} << (bit_count - 1);
  if (number.is_negative) {
    if (!dtype.is_signed || magnitude > half) return std::nullopt;
    return (Bits{0} - magnitude) & mask;
  }
  if (magnitude > (dtype.is_signed ? half - 1 : mask)) return std::nullopt;
  return magnitude;
}

std::string print_integer(const DtypeInfo& dtype, Bits bits) {
  if (!dtype.is_signed) return fmt::format("{}", bits);
  const int unused = 64 - 8 * dtype.bytes;
  return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
}

ExactNumber number_of(const FloatBits& f, Bits bits) {
  const Bits fraction = bits & ((Bits{1} << f.fraction_bits) - 1);
  const auto field = static_cast<int>((bits & (sign_bit(f) - 1)) >> f.fraction_bits);
  const Bits hidden = field == 0 ? 0 : Bits{1} << f.fraction_bits;
  const int exponent = exponent_least(f) + (field == 0 ? 0 : field - 1);
  return normalised((bits & sign_bit(f)) != 0, fraction | hidden, exponent);
}

/// "0x1.8p-3": one hex digit, 1, before the point.
std::string print_hex(const ExactNumber& number) {
  const int width = 64 - std::countl_zero(number.significand);
  Bits behind = width == 1 ? 0 : number.significand << (65 - width);
  std::string text = number.is_negative ? "-0x1" : "0x1";
  if (behind != 0) text += '.';
  for (; behind != 0; behind <<= 4) text += fmt::format("{:x}", behind >> 60);
  return text + fmt::format("p{:+}", number.exponent + width - 1);
}

std::string print_float(const ExactNumber& number) {
  if (number.significand == 0) return number.is_negative ? "-0" : "0";
  const double magnitude = std::ldexp(static_cast<double>(number.significand), number.exponent);
  const double value = number.is_negative ? -magnitude : magnitude;
  if (magnitude >= 1e-12 && magnitude < 1e12) {
    // The shortest decimal that reads as this value. Where the exact one is short it is the same:
    // no two decimals of at most 15 digits read as one f64.
    std::array<char, 64> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    const std::string_view decimal(text.data(), static_cast<std::size_t>(end - text.data()));
    if (error == std::errc() && decimal.size() <= decimal_bytes_max &&
        parse_exact(decimal) == number) {
      return std::string(decimal);
    }
  }
  return print_hex(number);
}

}  // namespace

std::string print_value(Dtype dtype, Bits bits) {
  if (!info(dtype).is_float) return print_integer(info(dtype), bits);
  const FloatBits f = float_bits(dtype);
  const Bits magnitude = bits & (sign_bit(f) - 1);
  if (is_finite(f, magnitude)) return print_float(number_of(f, bits));
  if (!f.has_infinity || magnitude != infinity_bits(f)) return "nan";
  return (bits & sign_bit(f)) != 0 ? "-inf" : "inf";
}

std::optional<Bits> parse_value(Dtype dtype, std::string_view text) {
  const FloatBits f = float_bits(dtype);
  if (info(dtype).is_float) {
    if (text == "nan") return nan_bits(f);
    if (text == "inf" || text == "-inf") {
      if (!f.has_infinity) return std::nullopt;
      return infinity_bits(f) | (text.front() == '-' ? sign_bit(f) : 0);
    }
  }
  const std::optional<ExactNumber> number = parse_exact(text);
  if (!number) return std::nullopt;
  return info(dtype).is_float ? float_from(f, *number) : integer_from(info(dtype), *number);
}

}  // namespace shardcheck
