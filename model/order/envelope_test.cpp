#include "envelope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <shardcheck/model/exact/format.h>
#include "exact_sums.h"

namespace shardcheck::model {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

DtypeCombination all(Dtype dtype) { return {dtype, dtype, dtype, dtype}; }

Allowed envelope_of(const DtypeCombination& dtypes, const Roundings& roundings,
                    const std::vector<Term>& terms) {
  const auto count = static_cast<std::int64_t>(terms.size());
  return envelope(envelope_factors(dtypes, roundings, count), sum_of(terms));
}

// One f32 product, one rounding: within 2^-24 of the exact 1/3 · 3 in doubles, which is 1.
TEST(Envelope, OneRoundingAllowsTheNeighboursOfTheExactValueAtMost) {
  const Allowed allowed = envelope_of(all(Dtype::f32), {.products = 1}, {{1.0 / 3, 3}});
  EXPECT_TRUE(allows(allowed, Dtype::f32, 0x3f800000));
  EXPECT_TRUE(allows(allowed, Dtype::f32, 0x3f7fffff));  // 1 − 2^-24
  EXPECT_FALSE(allows(allowed, Dtype::f32, 0x3f7ffffd));
  EXPECT_FALSE(allows(allowed, Dtype::f32, 0x3f800002));
}

TEST(Envelope, NoTermsOrZerosAlonePinPlusZero) {
  for (const std::vector<Term>& terms :
       {std::vector<Term>{}, std::vector<Term>{{0, 5}, {-0.0, 1}}}) {
    const Allowed allowed = envelope_of(all(Dtype::f32), {.sums = 2}, terms);
    EXPECT_EQ(allowed.low, 0U);
    EXPECT_EQ(allowed.high, 0U);
    EXPECT_FALSE(allowed.nan);
  }
}

TEST(Envelope, NanAndOpposedInfinitiesAllowNothingElse) {
  EXPECT_TRUE(envelope_of(all(Dtype::f32), {}, {{NAN, 1}}).only_nan);
  EXPECT_TRUE(envelope_of(all(Dtype::f32), {}, {{infinite, 0}}).only_nan);
  EXPECT_TRUE(envelope_of(all(Dtype::f32), {}, {{infinite, 1}, {infinite, -1}}).only_nan);
}

TEST(Envelope, AnInfinityIsTheResultUnlessFiniteTermsMayOverflow) {
  const Allowed one = envelope_of(all(Dtype::f32), {.sums = 1}, {{-infinite, 1}, {5, 5}});
  EXPECT_EQ(one.low, 0xff800000U);
  EXPECT_EQ(one.high, 0xff800000U);
  EXPECT_FALSE(one.nan);
  EXPECT_TRUE(envelope_of(all(Dtype::f32), {.sums = 1}, {{-infinite, 1}, {0x1p100, 0x1p100}}).nan);
}

TEST(Envelope, WhatMayOverflowAllowsEverything) {
  const Allowed allowed =
      envelope_of(all(Dtype::f16), {.sums = 1}, {{60000, 1}, {60000, 1}, {-60000, 1}});
  EXPECT_TRUE(allowed.nan);
  EXPECT_TRUE(allows(allowed, Dtype::f16, 0x7c00));
  EXPECT_TRUE(allows(allowed, Dtype::f16, 0));
}

TEST(Envelope, BeyondTheRangeOfOutThereIsNanWhereThereIsNoInfinity) {
  DtypeCombination dtypes = all(Dtype::f32);
  dtypes.out = Dtype::f8e4m3fn;
  EXPECT_TRUE(envelope_of(dtypes, {.sums = 1}, {{1000, 1}}).only_nan);
  EXPECT_FALSE(envelope_of(dtypes, {.sums = 1}, {{400, 1}}).nan);
}

// Three sums in bf16 alone: 256 + 1 + 1 + 1 in sequence stays 256, three below the exact 259.
TEST(Envelope, CountsTheSumsInTheAccumulator) {
  const DtypeCombination dtypes{Dtype::bf16, Dtype::bf16, Dtype::bf16, Dtype::f32};
  const Allowed allowed =
      envelope_of(dtypes, {.products = 0, .sums = 3}, {{256, 1}, {1, 1}, {1, 1}, {1, 1}});
  EXPECT_TRUE(allows(allowed, Dtype::f32, 0x43800000));   // 256
  EXPECT_FALSE(allows(allowed, Dtype::f32, 0x43780000));  // 248: eleven below
}

/// Every sum of `values` over all binary trees, each operand as it is or rounded to wire: by
/// splitting the set in two in every way, from the definition, in the generic arithmetic.
std::vector<Bits> every_sum(const DtypeCombination& dtypes, const std::vector<Bits>& values) {
  if (values.size() == 1) {
    const Bits sent =
        convert(dtypes.wire, dtypes.acc, convert(dtypes.acc, dtypes.wire, values.front()));
    return {values.front(), sent};
  }
  std::vector<Bits> result;
  for (std::size_t mask = 1; mask + 1 < (std::size_t{1} << values.size()); ++mask) {
    std::vector<Bits> left;
    std::vector<Bits> right;
    for (std::size_t n = 0; n < values.size(); ++n) {
      ((mask >> n & 1U) != 0 ? left : right).push_back(values[n]);
    }
    for (const Bits x : every_sum(dtypes, left)) {
      for (const Bits y : every_sum(dtypes, right)) {
        const Bits sum = add(dtypes.acc, x, y);
        result.push_back(sum);
        result.push_back(convert(dtypes.wire, dtypes.acc, convert(dtypes.acc, dtypes.wire, sum)));
      }
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Four terms a · 1, values of acc.
void expect_sums_within(const DtypeCombination& dtypes, const std::vector<double>& values) {
  std::vector<Term> terms;
  std::vector<Bits> leaves;
  for (const double value : values) {
    leaves.push_back(round(dtypes.acc, Number::of_double(value)));
    terms.push_back({value, 1});
  }
  const auto additions = static_cast<std::int64_t>(values.size()) - 1;
  const TermSum sum = sum_of(terms);
  const Allowed allowed = envelope(
      envelope_factors(
          dtypes,
          {.products = 0, .sums = additions, .wire = additions, .wire_everywhere = 2 * additions},
          additions + 1),
      sum);
  const std::vector<Bits> sums = every_sum(dtypes, leaves);
  for (const Bits bits : sums) {
    const Bits result = convert(dtypes.acc, dtypes.out, bits);
    EXPECT_TRUE(allows(allowed, dtypes.out, result)) << std::hex << result;
  }
  if (is_exact_in_every_order(exact_limits(dtypes, true), sum.finite)) {
    EXPECT_EQ(sums, std::vector<Bits>{round(dtypes.acc, sum.finite.sum)});
  }
}

TEST(Envelope, HoldsWhatEveryTreeGives) {
  const std::vector<std::vector<double>> data{
      {1, 256, 1, 3},      {257, -256, 1, 0.5},     {1, 2, 3, 4},
      {448, 1, 1, 1},      {0x1p-9, 0x1p-9, 1, -1}, {16, 0.0625, 3, -16},
      {0x1p-14, 3, 5, 7},  {200, 100, 50, 98},      {0x1p-20, -0x1p-20, 0x1p-22, 0x1p-23},
      {100, 28, -100, -28}};
  for (const Dtype wire : {Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::bf16, Dtype::f16, Dtype::f32}) {
    for (const std::vector<double>& values : data) {
      expect_sums_within({Dtype::f32, Dtype::f32, wire, Dtype::f32}, values);
      expect_sums_within({Dtype::f32, Dtype::f32, wire, Dtype::bf16}, values);
    }
  }
  // A narrow accumulator: bf16 rounds 256 + 1, 257 isn't among its values.
  for (const std::vector<double>& values :
       {std::vector<double>{1, 256, 1, 3}, std::vector<double>{256, 1, 1, 1},
        std::vector<double>{128, 129, 255, -3}, std::vector<double>{1, 0x1p-8, 0x1p-8, 0x1p-8}}) {
    expect_sums_within({Dtype::bf16, Dtype::bf16, Dtype::bf16, Dtype::f32}, values);
    expect_sums_within({Dtype::bf16, Dtype::bf16, Dtype::f8e5m2, Dtype::f32}, values);
  }
}

// 16 + 15 + ... in e4m3fn (4 bits): Σ <= 2^4 is exact, one more is not.
TEST(ExactSums, TheLimitIsThePrecisionOfTheNarrowestFormat) {
  const DtypeCombination dtypes{Dtype::f32, Dtype::f32, Dtype::f8e4m3fn, Dtype::f32};
  const auto is_exact = [&](const std::vector<Term>& terms, bool uses_wire) {
    return is_exact_in_every_order(exact_limits(dtypes, uses_wire), dot(terms));
  };
  EXPECT_TRUE(is_exact({{15, 1}, {1, -1}}, true));
  EXPECT_FALSE(is_exact({{15, 1}, {1, -2}, {1, 1}}, true));
  EXPECT_TRUE(is_exact({{15, 1}, {1, -2}, {1, 1}}, false));
  EXPECT_FALSE(is_exact({{0x1p-10, 1}}, true));  // below the unit 2^-9
  EXPECT_FALSE(is_exact({{512, 1}}, true));      // above 448
  EXPECT_TRUE(is_exact({{512, 1}}, false));
  EXPECT_TRUE(is_exact({}, true));
}

}  // namespace
}  // namespace shardcheck::model
