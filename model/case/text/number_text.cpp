#include "number_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace shardcheck {
namespace {

/// Significant decimal digits of the f64 that needs the most, 2^-1022 - 2^-1074.
constexpr int digits_max = 767;

/// Exponents beyond this are far outside of every dtype, and still far from overflow.
constexpr int exponent_max = 1'000'000;

/// 0.d1d2d3… · 10^exponent, no zero at either end; the views are into the text.
struct Decimal {
  std::string_view whole;     ///< digits before the point
  std::string_view fraction;  ///< digits behind it
  int exponent = 0;           ///< behind the e
};

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A sign and digits; far out values are cut to ±exponent_max.
std::optional<int> parse_exponent(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !is_digits(text)) return std::nullopt;
  int value = 0;
  for (const char digit : text) value = std::min(value * 10 + (digit - '0'), exponent_max);
  return is_negative ? -value : value;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal decimal;
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    const std::optional<int> exponent = parse_exponent(text.substr(e + 1));
    if (!exponent) return std::nullopt;
    decimal.exponent = *exponent;
    text = text.substr(0, e);
  }
  const std::size_t point = text.find('.');
  decimal.whole = text.substr(0, point);
  if (point != std::string_view::npos) decimal.fraction = text.substr(point + 1);
  if (decimal.whole.empty() && decimal.fraction.empty()) return std::nullopt;
  if (!is_digits(decimal.whole) || !is_digits(decimal.fraction)) return std::nullopt;
  return decimal;
}

/// The digits without zeros at either end, and the power of ten of the first.
struct Digits {
  std::array<char, digits_max> digits{};
  std::size_t count = 0;
  std::int64_t first_power = 0;
  bool is_too_long = false;

  bool operator==(const Digits&) const = default;
};

Digits digits_of(const Decimal& decimal) {
  Digits all;
  std::int64_t power = static_cast<std::int64_t>(decimal.whole.size()) + decimal.exponent;
  std::size_t last_non_zero = 0;
  for (const std::string_view piece : {decimal.whole, decimal.fraction}) {
    for (const char digit : piece) {
      --power;
      if (all.count == 0 && digit == '0') continue;
      if (all.count == 0) all.first_power = power;
      if (all.count < all.digits.size()) {
        all.digits[all.count++] = digit;
        if (digit != '0') last_non_zero = all.count;
      } else if (digit != '0') {
        all.is_too_long = true;
      }
    }
  }
  std::fill(all.digits.begin() + static_cast<std::ptrdiff_t>(last_non_zero), all.digits.end(),
            '\0');
  all.count = last_non_zero;
  return all;
}

/// True if `value`, written out in full, has these digits.
bool equals(double value, const Digits& digits) {
  std::array<char, digits_max + 16> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::scientific, digits_max - 1);
  if (error != std::errc()) return false;
  const std::optional<Decimal> decimal =
      parse_decimal({text.data(), static_cast<std::size_t>(end - text.data())});
  return decimal && digits_of(*decimal) == digits;
}

std::optional<ExactNumber> parse_exact_decimal(bool is_negative, std::string_view text) {
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return std::nullopt;
  if (decimal->fraction.empty() && decimal->exponent == 0 && decimal->whole.size() <= 19) {
    std::uint64_t whole = 0;
    std::from_chars(text.data(), text.data() + decimal->whole.size(), whole);
    return normalised(is_negative, whole, 0);
  }
  const Digits digits = digits_of(*decimal);
  if (digits.is_too_long) return std::nullopt;
  if (digits.count == 0) return normalised(is_negative, 0, 0);
  std::uint64_t whole = 0;
  if (decimal->fraction.empty() && decimal->exponent == 0) {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + decimal->whole.size(), whole);
    if (error == std::errc() && end == text.data() + decimal->whole.size()) {
      return normalised(is_negative, whole, 0);
    }
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value) || value == 0 || !equals(value, digits)) return std::nullopt;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return normalised(is_negative, static_cast<std::uint64_t>(std::ldexp(fraction, 53)),
                    exponent - 53);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Behind the 0x: digits, perhaps a point, and perhaps p with a power of two.
std::optional<ExactNumber> parse_exact_hex(bool is_negative, std::string_view text) {
  int exponent = 0;
  const std::size_t p = text.find_first_of("pP");
  if (p != std::string_view::npos) {
    const std::optional<int> given = parse_exponent(text.substr(p + 1));
    if (!given) return std::nullopt;
    exponent = *given;
    text = text.substr(0, p);
  }
  std::uint64_t significand = 0;
  std::int64_t zeros = 0;  // read, and not yet in the significand
  std::int64_t shift = 0;
  bool has_point = false;
  bool has_digit = false;
  for (const char c : text) {
    if (c == '.' && !has_point) {
      has_point = true;
      continue;
    }
    const int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    has_digit = true;
    if (has_point) shift -= 4;
    ++zeros;
    if (digit == 0) continue;
    if (significand != 0) {
      if (zeros > 15 || (significand >> (64 - 4 * zeros)) != 0) return std::nullopt;
      significand <<= 4 * zeros;
    }
    significand |= static_cast<std::uint64_t>(digit);
    zeros = 0;
  }
  if (!has_digit) return std::nullopt;
  shift += 4 * zeros + exponent;
  if (significand != 0 && std::abs(shift) > exponent_max) return std::nullopt;
  return normalised(is_negative, significand, significand == 0 ? 0 : static_cast<int>(shift));
}

}  // namespace

std::optional<ExactNumber> parse_exact(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) {
    return parse_exact_hex(is_negative, text.substr(2));
  }
  return parse_exact_decimal(is_negative, text);
}

}  // namespace shardcheck
