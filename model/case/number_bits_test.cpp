#include "number_bits.h"

#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace shardcheck {
namespace {

double value_of(const ExactNumber& number) {
  const double magnitude = std::ldexp(static_cast<double>(number.significand), number.exponent);
  return number.is_negative ? -magnitude : magnitude;
}

/// IEEE 754-2019, 3.4: (-1)^S · 2^(E - bias) · (1 + T / 2^t), and for E = 0 2^(1 - bias) · T / 2^t.
double defined_value(Bits bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto t =
      static_cast<double>(bits & ((Bits{1} << fraction_bits) - 1)) / std::ldexp(1.0, fraction_bits);
  const auto e = static_cast<int>((bits >> fraction_bits) & ((Bits{1} << exponent_bits) - 1));
  const double magnitude = e == 0 ? std::ldexp(t, 1 - bias) : std::ldexp(1 + t, e - bias);
  return (bits >> (exponent_bits + fraction_bits)) != 0 ? -magnitude : magnitude;
}

void expect_every_pattern_as_defined(Dtype dtype, int exponent_bits, int fraction_bits) {
  const FloatBits f = float_bits(dtype);
  for (Bits bits = 0; bits < Bits{1} << (1 + exponent_bits + fraction_bits); ++bits) {
    if (!is_finite(f, bits & (sign_bit(f) - 1))) continue;
    const ExactNumber number = number_of(f, bits);
    ASSERT_EQ(value_of(number), defined_value(bits, exponent_bits, fraction_bits)) << bits;
    ASSERT_EQ(bits_of(dtype, number), bits);
  }
}

TEST(NumberBits, EveryNarrowPatternIsTheNumberOfTheDefinition) {
  expect_every_pattern_as_defined(Dtype::f8e4m3fn, 4, 3);
  expect_every_pattern_as_defined(Dtype::f8e5m2, 5, 2);
  expect_every_pattern_as_defined(Dtype::f16, 5, 10);
  expect_every_pattern_as_defined(Dtype::bf16, 8, 7);
}

TEST(NumberBits, WidePatternsAreTheMachinesOwnNumbers) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 100000; ++n) {
    const std::uint64_t bits = random();
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(single)) {
      const ExactNumber number = number_of(float_bits(Dtype::f32), bits & 0xffffffffU);
      ASSERT_EQ(value_of(number), static_cast<double>(single));
      ASSERT_EQ(bits_of(Dtype::f32, number), bits & 0xffffffffU);
    }
    const auto wide = std::bit_cast<double>(bits);
    if (std::isfinite(wide)) {
      ASSERT_EQ(value_of(number_of(float_bits(Dtype::f64), bits)), wide);
      ASSERT_EQ(bits_of(Dtype::f64, number_of(float_bits(Dtype::f64), bits)), bits);
    }
  }
}

TEST(NumberBits, NonFinitePatternsAreThoseOfTheStandards) {
  // OCP FP8 1.0, table 2: E4M3 has S.1111.111 for NaN and S.1111.110 = 448; E5M2 has S.11111.00
  // for infinity and S.11111.{01,10,11} for NaN.
  EXPECT_EQ(nan_bits(float_bits(Dtype::f8e4m3fn)), 0x7fU);
  EXPECT_EQ(nan_bits(float_bits(Dtype::f8e5m2)), 0x7eU);
  EXPECT_EQ(infinity_bits(float_bits(Dtype::f8e5m2)), 0x7cU);
  EXPECT_EQ(nan_bits(float_bits(Dtype::f16)), 0x7e00U);
  EXPECT_EQ(nan_bits(float_bits(Dtype::bf16)), 0x7fc0U);
  EXPECT_EQ(nan_bits(float_bits(Dtype::f32)), 0x7fc00000U);
  EXPECT_EQ(nan_bits(float_bits(Dtype::f64)), 0x7ff8000000000000U);
  EXPECT_EQ(bits_of(Dtype::f8e4m3fn, {false, 7, 6}), 0x7eU);          // 448
  EXPECT_EQ(bits_of(Dtype::f8e4m3fn, {false, 15, 5}), std::nullopt);  // 480 would be the NaN
  EXPECT_EQ(bits_of(Dtype::f8e5m2, {false, 7, 13}), 0x7bU);           // 57344
  EXPECT_EQ(bits_of(Dtype::f8e5m2, {false, 1, 16}), std::nullopt);
}

TEST(NumberBits, NothingIsRounded) {
  EXPECT_EQ(bits_of(Dtype::f16, {false, 2049, 0}), std::nullopt);  // 12 significant bits
  EXPECT_EQ(bits_of(Dtype::f16, {false, 1, -24}), 1U);
  EXPECT_EQ(bits_of(Dtype::f16, {false, 1, -25}), std::nullopt);
  // 704: beyond the largest value, and its field would run into the sign.
  EXPECT_EQ(bits_of(Dtype::f8e4m3fn, {false, 11, 6}), std::nullopt);
  EXPECT_EQ(bits_of(Dtype::f8e4m3fn, {false, 7, 6}), 0x7eU);
  EXPECT_EQ(bits_of(Dtype::f8e4m3fn, {false, 15, 5}), std::nullopt);
  EXPECT_EQ(bits_of(Dtype::i8, {true, 1, 7}), 0x80U);
  EXPECT_EQ(bits_of(Dtype::i8, {false, 1, 7}), std::nullopt);
  EXPECT_EQ(bits_of(Dtype::u8, {false, 1, 7}), 0x80U);
  EXPECT_EQ(bits_of(Dtype::u8, {true, 1, 0}), std::nullopt);
  EXPECT_EQ(bits_of(Dtype::i32, {false, 1, -1}), std::nullopt);
  EXPECT_EQ(bits_of(Dtype::u64, {false, ~std::uint64_t{0}, 0}), ~std::uint64_t{0});
}

}  // namespace
}  // namespace shardcheck
