#include "product.h"

#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace shardcheck::model
