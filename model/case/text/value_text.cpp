#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include <shardcheck/model/case/number_bits.h>
#include <shardcheck/model/case/text.h>
#include "number_text.h"

namespace shardcheck {
namespace {

/// Longer decimals are printed as hex floats.
constexpr std::size_t decimal_bytes_max = 12;

std::string print_integer(const DtypeInfo& dtype, Bits bits) {
  if (!dtype.is_signed) return fmt::format("{}", bits);
  const int unused = 64 - 8 * dtype.bytes;
  return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
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
  const FloatBits& f = float_bits(dtype);
  if (is_finite(f, bits)) return print_float(number_of(f, bits));
  const Bits magnitude = bits & (sign_bit(f) - 1);
  if (!has_infinity(f) || magnitude != infinity_bits(f)) return "nan";
  return (bits & sign_bit(f)) != 0 ? "-inf" : "inf";
}

std::optional<Bits> parse_value(Dtype dtype, std::string_view text) {
  if (info(dtype).is_float) {
    const FloatBits& f = float_bits(dtype);
    if (text == "nan") return nan_bits(f);
    if (text == "inf" || text == "-inf") {
      if (!has_infinity(f)) return std::nullopt;
      return infinity_bits(f) | (text.front() == '-' ? sign_bit(f) : 0);
    }
  }
  const std::optional<ExactNumber> number = parse_exact(text);
  return number ? bits_of(dtype, *number) : std::nullopt;
}

}  // namespace shardcheck
