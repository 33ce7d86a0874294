#pragma once

/// Exact numbers: integer × 2^exponent, of any size. Whatever the model says about rounding is said
/// about such a number first.
///
///     Number(3, -1) + Number(1, -2) == Number(7, -2)   // 1.5 + 0.25 = 1.75
///
/// Built on Boost.Multiprecision's cpp_int, whose header costs 1.5 s a translation unit and
/// therefore stays behind integer.h, for this folder's .cpp files alone.

#include <compare>
#include <cstdint>
#include <memory>

namespace shardcheck::model {

/// A value: copies share their digits. Any thread.
class Number {
 public:
  struct Integer;

  Number();  ///< 0
  explicit Number(std::int64_t significand, std::int64_t exponent = 0);
  Number(std::shared_ptr<const Integer> integer, std::int64_t exponent);
  static Number of_unsigned(std::uint64_t significand, std::int64_t exponent = 0);
  /// Requires: finite.
  static Number of_double(double value);

  int sign() const;  ///< -1, 0 or 1
  Number magnitude() const;
  Number operator-() const;

  /// floor(log2 |x|). Requires: not 0.
  std::int64_t top_bit() const;

  /// What is left of |x| after whole units were taken out, as a part of one unit.
  enum class Rest : std::uint8_t { none, below_half, half, above_half };
  struct Units {
    std::uint64_t count = 0;
    Rest rest = Rest::none;
  };
  /// |x| in units of 2^exponent. Requires: fewer than 2^64 of them.
  Units magnitude_in_units_of(std::int64_t exponent) const;

  /// x / divisor, truncated towards 0 to a multiple of 2^exponent. `to_odd`: then, where something
  /// was cut off, an odd one. Requires: divisor > 0.
  Number quotient(std::int64_t divisor, std::int64_t exponent) const;
  Number quotient_to_odd(std::int64_t divisor, std::int64_t exponent) const;

  /// x mod 2^64, two's complement. Requires: x is an integer.
  std::uint64_t modulo_2_to_64() const;

  friend Number operator+(const Number& x, const Number& y);
  friend Number operator-(const Number& x, const Number& y);
  friend Number operator*(const Number& x, const Number& y);
  friend std::strong_ordering operator<=>(const Number& x, const Number& y);
  friend bool operator==(const Number& x, const Number& y);

 private:
  std::shared_ptr<const Integer> integer_;
  std::int64_t exponent_ = 0;
};

}  // namespace shardcheck::model
