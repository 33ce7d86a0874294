#include "reducer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include <shardcheck/model/exact/format.h>

// The trees are judged by simulation_test.cpp; here what is said of them: whether an order could
// make a difference, and what is left when a member is missing or counts twice.

namespace shardcheck::model {
namespace {

constexpr DtypeCombination f32{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};

const std::vector<Algorithm> reducing{
    Algorithm::ring,     Algorithm::direct,       Algorithm::pairwise, Algorithm::halving,
    Algorithm::doubling, Algorithm::rabenseifner, Algorithm::binomial, Algorithm::chain};

/// Every result that a tree gives for some order of the contributions.
std::set<Bits> results(const DtypeCombination& dtypes, Operator op, std::vector<Bits> brought) {
  const auto reducer = make_reducer(dtypes, op);
  std::set<Bits> found;
  std::sort(brought.begin(), brought.end());
  do {
    for (const Algorithm algorithm : reducing) {
      found.insert(canonical(dtypes.out, reducer->reduce({algorithm, 0}, brought, {})));
    }
  } while (std::next_permutation(brought.begin(), brought.end()));
  return found;
}

std::vector<Bits> patterns(Dtype dtype, const std::vector<double>& values) {
  std::vector<Bits> result;
  for (const double value : values) result.push_back(round(dtype, Number::of_double(value)));
  return result;
}

TEST(CollectiveReducer, WhatIsExactIsTheSameInEveryOrder) {
  // Halves, ones and powers near the ends of e5m2 and e4m3fn; both zeros.
  const std::vector<DtypeCombination> narrow{
      {Dtype::f8e5m2, Dtype::f16, Dtype::f8e5m2, Dtype::f8e5m2},
      {Dtype::f8e4m3fn, Dtype::bf16, Dtype::f8e4m3fn, Dtype::f8e4m3fn},
      {Dtype::f8e4m3fn, Dtype::f16, Dtype::f8e4m3fn, Dtype::f8e4m3fn}};
  int exact = 0;
  int inexact = 0;
  std::uint64_t state = 1;
  for (const DtypeCombination& dtypes : narrow) {
    for (const Operator op :
         {Operator::sum, Operator::product, Operator::average, Operator::min, Operator::max}) {
      const auto reducer = make_reducer(dtypes, op);
      for (int n = 0; n < 400; ++n) {
        std::vector<Bits> brought;
        for (int m = 0; m < 4; ++m) {
          state = state * 6364136223846793005 + 1442695040888963407;
          // Any pattern, or a multiple of 1/2 of at most 3.
          const auto half =
              static_cast<double>(static_cast<std::int64_t>(state >> 40U & 7) - 3) / 2;
          brought.push_back(n % 2 == 0 ? state >> 56U : patterns(dtypes.in, {half})[0]);
        }
        const bool is_exact = reducer->is_exact(brought);
        const std::set<Bits> found = results(dtypes, op, brought);
        is_exact ? ++exact : ++inexact;
        if (is_exact) {
          EXPECT_EQ(found.size(), 1U) << info(dtypes.in).name << " " << name(op);
        }
      }
    }
  }
  EXPECT_GT(exact, 1500);
  EXPECT_GT(inexact, 1500);
}

TEST(CollectiveReducer, ExactnessEndsWhereTheFirstBitIsLost) {
  const auto sum = make_reducer(f32, Operator::sum);
  EXPECT_TRUE(sum->is_exact(patterns(Dtype::f32, {0x1p24 - 1, 1})));
  EXPECT_FALSE(sum->is_exact(patterns(Dtype::f32, {0x1p24, 1, 1})));
  EXPECT_FALSE(sum->is_exact(patterns(Dtype::f32, {0x1p24, -0x1p24, 1})));
  EXPECT_TRUE(sum->is_exact(patterns(Dtype::f32, {0, -0.0})));
  EXPECT_FALSE(sum->is_exact(std::vector<Bits>{0x7fc00000, 0}));
  const auto product = make_reducer(f32, Operator::product);
  EXPECT_TRUE(product->is_exact(patterns(Dtype::f32, {4095, 4097, 0x1p100})));
  EXPECT_FALSE(product->is_exact(patterns(Dtype::f32, {4097, 4097, 1})));
  EXPECT_FALSE(product->is_exact(patterns(Dtype::f32, {0x1p100, 0x1p100, 0x1p-100})));
  EXPECT_FALSE(product->is_exact(patterns(Dtype::f32, {0x1p-100, 0x1p-100, 0x1p100})));
  EXPECT_FALSE(product->is_exact(patterns(Dtype::f32, {0x1p100, 0x1p100, 0})));
}

// A partial that travels in bf16 keeps 8 bits, whatever acc.
TEST(CollectiveReducer, WhatTravelsMustBeExactToo) {
  const DtypeCombination narrow{Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16};
  EXPECT_TRUE(make_reducer(narrow, Operator::sum)->is_exact(patterns(Dtype::bf16, {255, 1})));
  EXPECT_FALSE(make_reducer(narrow, Operator::sum)->is_exact(patterns(Dtype::bf16, {255, 1, 1})));
}

TEST(CollectiveReducer, AMemberMayBeMissingOrCountTwice) {
  const std::vector<Bits> brought = patterns(Dtype::f32, {1, 2, 4, 8, 16});
  const auto reducer = make_reducer(f32, Operator::sum);
  for (const Algorithm algorithm : reducing) {
    for (std::int64_t m = 0; m < 5; ++m) {
      const double own = static_cast<double>(1 << m);
      EXPECT_EQ(reducer->reduce({algorithm, 0}, brought, {m, 0}),
                patterns(Dtype::f32, {31 - own})[0]);
      EXPECT_EQ(reducer->reduce({algorithm, 0}, brought, {m, 2}),
                patterns(Dtype::f32, {31 + own})[0]);
    }
  }
}

// −0 is what is left, not a +0 that stands for what is missing.
TEST(CollectiveReducer, NothingStandsForAMissingMember) {
  const Bits minus_zero = 0x80000000;
  const std::vector<Bits> brought{0, minus_zero, minus_zero};
  EXPECT_EQ(make_reducer(f32, Operator::sum)->reduce({Algorithm::ring, 0}, brought, {0, 0}),
            minus_zero);
  const std::vector<Bits> negative = patterns(Dtype::f32, {3, -1, -2});
  EXPECT_EQ(make_reducer(f32, Operator::max)->reduce({Algorithm::ring, 0}, negative, {0, 0}),
            negative[1]);
}

}  // namespace
}  // namespace shardcheck::model
