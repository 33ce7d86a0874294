#include "allowed.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace shardcheck::model {
namespace {

constexpr Bits one = 0x3f800000;
constexpr Bits two = 0x40000000;
constexpr Bits minus_zero = 0x80000000;
constexpr Bits nan = 0x7fc00000;

Allowed range(Bits low, Bits high) {
  return {.grade = Grade::envelope, .low = low, .high = high, .set = {}};
}

TEST(Allowed, OneResultMeansExactlyItsBits) {
  EXPECT_TRUE(allows(range(0, 0), Dtype::f32, 0));
  EXPECT_FALSE(allows(range(0, 0), Dtype::f32, minus_zero));
  EXPECT_FALSE(allows(range(0, 0), Dtype::f32, nan));
}

TEST(Allowed, ARangeFollowsTheOrderOfValues) {
  const Allowed allowed = range(minus_zero, one);
  EXPECT_TRUE(allows(allowed, Dtype::f32, minus_zero));
  EXPECT_TRUE(allows(allowed, Dtype::f32, 0));
  EXPECT_TRUE(allows(allowed, Dtype::f32, one));
  EXPECT_FALSE(allows(allowed, Dtype::f32, one + 1));
  EXPECT_FALSE(allows(allowed, Dtype::f32, minus_zero + 1));
  EXPECT_TRUE(allows(range(0xffffffff, 1), Dtype::i32, 0));  // −1 to 1
}

TEST(Allowed, AnyNanIsTheSameNan) {
  const Allowed allowed{.nan = true, .only_nan = true, .low = nan, .high = nan, .set = {}};
  EXPECT_TRUE(allows(allowed, Dtype::f32, nan));
  EXPECT_TRUE(allows(allowed, Dtype::f32, 0xff800001));
  EXPECT_FALSE(allows(allowed, Dtype::f32, one));
  const Allowed without_bounds{.nan = true, .only_nan = true, .set = {}};
  EXPECT_FALSE(allows(without_bounds, Dtype::f32, 0));
}

TEST(Allowed, ASetAllowsItsMembersAlone) {
  Allowed allowed{.grade = Grade::any_order, .set = {one, two}};
  EXPECT_TRUE(allows(allowed, Dtype::f32, two));
  EXPECT_FALSE(allows(allowed, Dtype::f32, one + 1));
  EXPECT_FALSE(allows(allowed, Dtype::f32, 0));
}

TEST(Allowed, DisjointMeansNoCommonResult) {
  const auto disjoint = [](const Allowed& x, const Allowed& y) {
    EXPECT_EQ(are_disjoint(Dtype::f32, x, y), are_disjoint(Dtype::f32, y, x));
    return are_disjoint(Dtype::f32, x, y);
  };
  const auto set = [](std::vector<Bits> values) {
    return Allowed{.grade = Grade::any_order,
                   .low = values.front(),
                   .high = values.back(),
                   .set = std::move(values)};
  };
  EXPECT_FALSE(disjoint(range(one, two), range(two, two + 1)));
  EXPECT_TRUE(disjoint(range(one, two), range(two + 1, two + 2)));
  EXPECT_TRUE(disjoint(range(minus_zero, minus_zero), range(0, 0)));
  // The ranges overlap, the values don't.
  EXPECT_TRUE(disjoint(set({one, two}), set({one + 1, two + 1})));
  EXPECT_FALSE(disjoint(set({one, two}), set({one + 1, two})));
  EXPECT_TRUE(disjoint(set({one, two}), range(one + 1, two - 1)));
  EXPECT_FALSE(disjoint(set({one, two}), range(one + 1, two)));
  Allowed with_nan = set({one});
  with_nan.nan = true;
  const Allowed only_nan{.nan = true, .only_nan = true, .set = {}};
  EXPECT_FALSE(disjoint(with_nan, only_nan));
  EXPECT_TRUE(disjoint(set({one}), only_nan));
}

TEST(Allowed, SaysWhatItAllows) {
  EXPECT_EQ(describe(range(one, one), Dtype::f32), "1");
  EXPECT_EQ(describe(range(one, two), Dtype::f32), "between 1 and 2");
  Allowed with_nan = range(one, two);
  with_nan.nan = true;
  EXPECT_EQ(describe(with_nan, Dtype::f32), "between 1 and 2 or nan");
  EXPECT_EQ(describe({.nan = true, .only_nan = true, .set = {}}, Dtype::f32), "nan");
  EXPECT_EQ(describe({.grade = Grade::any_order, .set = {one, two}}, Dtype::f32), "1 or 2");
  Allowed many{.grade = Grade::any_order, .low = one, .high = one + 8, .set = {}};
  for (Bits value = one; value <= one + 8; ++value) many.set.push_back(value);
  EXPECT_EQ(describe(many, Dtype::f32), "9 values between 1 and 0x1.00001p+0");
}

}  // namespace
}  // namespace shardcheck::model
