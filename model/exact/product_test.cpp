#include "product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "fixed_sum.h"

namespace shardcheck::model {
namespace {

ExactDot dot_of(const std::vector<Term>& terms) { return dot(terms); }

TEST(ExactDot, SumsProductsAtTheirCommonExponent) {
  const ExactDot result = dot_of({{0.5, 3}, {-2, 0.25}});  // 1.5 − 0.5
  EXPECT_EQ(result.sum, Number(1));
  EXPECT_EQ(result.magnitude, Number(2));
  EXPECT_EQ(result.grid, -1);
}

TEST(ExactDot, KeepsWhatCancellationWouldLose) {
  EXPECT_EQ(dot_of({{1e300, 1e8}, {1e-300, 1e-8}, {-1e300, 1e8}}).sum,
            Number::of_double(1e-300) * Number::of_double(1e-8));
}

TEST(ExactDot, OfNothingIsZero) {
  EXPECT_EQ(dot_of({}).sum, Number());
  EXPECT_EQ(dot_of({{0.0, 5}, {3, -0.0}}).magnitude, Number());
}

TEST(ExactDot, TheGridIsThatOfTheFinestProductAndNotOfTheFinestFactors) {
  // 2^20 · 2^-20 twice: the finest factors are 2^-20 both, the products are 1.
  EXPECT_EQ(dot_of({{0x1p20, 0x1p-20}, {0x1p-20, 0x1p20}}).grid, 0);
}

TEST(ExactDot, HoldsTheFullRangeOfF64) {
  const ExactDot result =
      dot_of({{0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023}, {0x1p-1074, 0x1p-1074}});
  const Number largest = Number::of_double(0x1.fffffffffffffp1023);
  EXPECT_EQ(result.sum, largest * largest + Number(1, -2148));
  EXPECT_EQ(result.grid, -2148);
}

// The sum in 128 bits and the one in cpp_int are the same: one far term forces the latter.
TEST(ExactDot, IsTheSameWithAndWithoutAFarTerm) {
  std::vector<Term> terms;
  for (int n = 0; n < 40; ++n) terms.push_back({1.0 / (n + 3), n % 3 == 0 ? -0.7 * n : 0.1 + n});
  const ExactDot near = dot_of(terms);
  Number by_hand;
  for (const Term& term : terms) {
    by_hand = by_hand + Number::of_double(term.a) * Number::of_double(term.b);
  }
  EXPECT_EQ(near.sum, by_hand);
  terms.push_back({0x1p400, 0x1p-900});
  const ExactDot far = dot_of(terms);
  EXPECT_EQ(far.sum, near.sum + Number(1, -500));
  EXPECT_EQ(far.magnitude, near.magnitude + Number(1, -500));
}

/// Whether x is a multiple of 2^exponent.
bool is_multiple(const Number& x, std::int64_t exponent) {
  // In 64-bit pieces from the top, for a unit may be thousands of bits below.
  Number left = x.magnitude();
  while (left.sign() != 0 && left.top_bit() >= exponent + 60) {
    const std::int64_t piece = left.top_bit() - 59;
    const Number::Units units = left.magnitude_in_units_of(piece);
    left = left - Number::of_unsigned(units.count, piece);
  }
  return left.sign() == 0 || left.magnitude_in_units_of(exponent).rest == Number::Rest::none;
}

/// By the definition, in numbers of any size.
void expect_equal_to_the_definition(const std::vector<Term>& terms) {
  Number sum;
  Number magnitude;
  for (const Term& term : terms) {
    const Number product = Number::of_double(term.a) * Number::of_double(term.b);
    sum = sum + product;
    magnitude = magnitude + product.magnitude();
  }
  const ExactDot result = dot_of(terms);
  ASSERT_EQ(result.sum, sum);
  ASSERT_EQ(result.magnitude, magnitude);
  if (magnitude.sign() == 0) return;
  bool is_every_one_a_multiple = true;
  bool is_every_one_even = true;
  for (const Term& term : terms) {
    const Number product = Number::of_double(term.a) * Number::of_double(term.b);
    is_every_one_a_multiple = is_every_one_a_multiple && is_multiple(product, result.grid);
    is_every_one_even = is_every_one_even && is_multiple(product, result.grid + 1);
  }
  ASSERT_TRUE(is_every_one_a_multiple);
  ASSERT_FALSE(is_every_one_even);
}

// Exponents of the factors spread over more and more binades: sums of 60 bits, of 128 and of 4000.
TEST(ExactDot, EqualsTheDefinitionHoweverFarTheTermsLieApart) {
  std::mt19937_64 random(5);
  for (const int spread : {1, 4, 16, 30, 60, 200, 900}) {
    for (const int precision : {4, 11, 24, 53}) {
      for (int turn = 0; turn < 20; ++turn) {
        const auto value = [&] {
          const auto digits = static_cast<double>(random() >> (64 - precision));
          const int exponent = static_cast<int>(random() % static_cast<std::uint64_t>(spread));
          return std::ldexp(random() % 2 == 0 ? digits : -digits,
                            exponent - spread / 2 - precision);
        };
        std::vector<Term> terms;
        for (std::uint64_t n = random() % 60; n > 0; --n) terms.push_back({value(), value()});
        expect_equal_to_the_definition(terms);
      }
    }
  }
}

TEST(ExactDot, EqualsTheDefinitionAtBothEndsOfTheRange) {
  const double largest = 0x1.fffffffffffffp1023;
  expect_equal_to_the_definition({{largest, largest}, {largest, -largest}, {0x1p-1074, 0x1p-1074}});
  expect_equal_to_the_definition(std::vector<Term>(1000, Term{-largest, largest}));
  expect_equal_to_the_definition({{-largest, largest}, {0x1p-1074, 0x1p-1074}, {1, -1}});
}

TEST(FixedSum, TellsWhetherAValueIsTheSum) {
  EXPECT_TRUE(is_equal(12, -2, 3));
  EXPECT_TRUE(is_equal(-12, -2, -3));
  EXPECT_FALSE(is_equal(12, -2, -3));
  EXPECT_FALSE(is_equal(12, -3, 3));
  EXPECT_FALSE(is_equal(13, -2, 3));
  EXPECT_TRUE(is_equal(0, -2, -0.0));
  EXPECT_FALSE(is_equal(0, -2, 0x1p-1074));
  // 2^70 + 1 is no double.
  const Int128 big = static_cast<Int128>(1) << 70;
  EXPECT_TRUE(is_equal(big, 0, 0x1p70));
  EXPECT_FALSE(is_equal(big + 1, 0, 0x1p70));
}

}  // namespace
}  // namespace shardcheck::model
