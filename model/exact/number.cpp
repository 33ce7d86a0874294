#include "number.h"

#include <cmath>
#include <utility>

#include <shardcheck/model/case/contract.h>

#include "integer.h"

namespace shardcheck::model {
namespace {

using boost::multiprecision::cpp_int;

Number make(cpp_int value, std::int64_t exponent) {
  return Number(std::make_shared<const Number::Integer>(Number::Integer{std::move(value)}),
                exponent);
}

/// `value` × 2^exponent as an integer × 2^grid. Requires: grid <= exponent.
cpp_int on_grid(const cpp_int& value, std::int64_t exponent, std::int64_t grid) {
  return value << static_cast<std::size_t>(exponent - grid);
}

struct Quotient {
  cpp_int whole;
  bool is_exact = true;
};

/// value × 2^exponent / divisor in units of 2^unit, truncated towards 0.
Quotient divided(const cpp_int& value, std::int64_t exponent, std::int64_t divisor,
                 std::int64_t unit) {
  SHARDCHECK_REQUIRE(divisor > 0, "a number is divided by a count");
  cpp_int numerator = value;
  cpp_int denominator = divisor;
  if (exponent >= unit) {
    numerator = on_grid(value, exponent, unit);
  } else {
    denominator = on_grid(denominator, unit, exponent);
  }
  Quotient result{numerator / denominator, true};
  result.is_exact = result.whole * denominator == numerator;
  return result;
}

}  // namespace

Number::Number() : Number(0) {}

Number::Number(std::int64_t significand, std::int64_t exponent)
    : integer_(std::make_shared<const Integer>(Integer{significand})), exponent_(exponent) {}

Number::Number(std::shared_ptr<const Integer> integer, std::int64_t exponent)
    : integer_(std::move(integer)), exponent_(exponent) {}

Number Number::of_unsigned(std::uint64_t significand, std::int64_t exponent) {
  return make(significand, exponent);
}

Number Number::of_double(double value) {
  SHARDCHECK_REQUIRE(std::isfinite(value), "infinities and NaN aren't numbers");
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return Number(static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53);
}

int Number::sign() const { return integer_->value.sign(); }

Number Number::magnitude() const { return sign() < 0 ? -*this : *this; }

Number Number::operator-() const { return make(-integer_->value, exponent_); }

std::int64_t Number::top_bit() const {
  SHARDCHECK_REQUIRE(sign() != 0, "0 has no top bit");
  const cpp_int digits = abs(integer_->value);
  return static_cast<std::int64_t>(msb(digits)) + exponent_;
}

Number::Units Number::magnitude_in_units_of(std::int64_t exponent) const {
  const cpp_int digits = abs(integer_->value);
  if (digits == 0) return {};
  SHARDCHECK_REQUIRE(top_bit() < exponent + 64, "the count of units fits 64 bits");
  if (exponent <= exponent_) {
    return {static_cast<std::uint64_t>(on_grid(digits, exponent_, exponent)), Rest::none};
  }
  const auto shift = static_cast<std::size_t>(exponent - exponent_);
  const cpp_int whole = digits >> shift;
  const cpp_int rest = digits - (whole << shift);
  const cpp_int half = cpp_int(1) << (shift - 1);
  const Rest part = rest == 0      ? Rest::none
                    : rest < half  ? Rest::below_half
                    : rest == half ? Rest::half
                                   : Rest::above_half;
  return {static_cast<std::uint64_t>(whole), part};
}

Number Number::quotient(std::int64_t divisor, std::int64_t exponent) const {
  return make(divided(integer_->value, exponent_, divisor, exponent).whole, exponent);
}

Number Number::quotient_to_odd(std::int64_t divisor, std::int64_t exponent) const {
  auto [whole, is_exact] = divided(integer_->value, exponent_, divisor, exponent);
  // An even count becomes the odd one next to it, away from 0: the quotient lies between them.
  if (!is_exact && !bit_test(abs(whole), 0)) whole += sign();
  return make(std::move(whole), exponent);
}

std::uint64_t Number::modulo_2_to_64() const {
  const cpp_int digits = abs(integer_->value);
  cpp_int whole = digits;
  if (exponent_ >= 0) {
    whole <<= static_cast<std::size_t>(exponent_);
  } else {
    whole >>= static_cast<std::size_t>(-exponent_);
    SHARDCHECK_REQUIRE(on_grid(whole, 0, exponent_) == digits, "the number is an integer");
  }
  const cpp_int low_bits = (cpp_int(1) << 64U) - 1;
  const auto low = static_cast<std::uint64_t>(whole & low_bits);
  return sign() < 0 ? 0 - low : low;
}

Number operator+(const Number& x, const Number& y) {
  const std::int64_t grid = std::min(x.exponent_, y.exponent_);
  return make(
      on_grid(x.integer_->value, x.exponent_, grid) + on_grid(y.integer_->value, y.exponent_, grid),
      grid);
}

Number operator-(const Number& x, const Number& y) { return x + -y; }

Number operator*(const Number& x, const Number& y) {
  return make(x.integer_->value * y.integer_->value, x.exponent_ + y.exponent_);
}

std::strong_ordering operator<=>(const Number& x, const Number& y) { return (x - y).sign() <=> 0; }

bool operator==(const Number& x, const Number& y) { return (x - y).sign() == 0; }

}  // namespace shardcheck::model
