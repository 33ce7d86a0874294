#include "number_text.h"

#include <gtest/gtest.h>

namespace shardcheck {
namespace {

TEST(NumberText, TakesAllNaNsForOneAndNothingElse) {
  // e5m2 has three NaNs a sign, above infinity at 0x7c.
  EXPECT_TRUE(is_same(Dtype::f8e5m2, 0x7d, 0xff));
  EXPECT_FALSE(is_same(Dtype::f8e5m2, 0x7c, 0x7d));
  EXPECT_TRUE(is_same(Dtype::f32, 0x7f800001, 0xffc00000));
  EXPECT_FALSE(is_same(Dtype::f32, 0, 0x80000000));
  EXPECT_FALSE(is_same(Dtype::i32, 0x7fffffff, 0xffffffff));
}

TEST(NumberText, CountsStepsAcrossZeroAndSigns) {
  EXPECT_EQ(steps_between(Dtype::f32, 0x80000000, 0), 1);           // -0 to +0
  EXPECT_EQ(steps_between(Dtype::f32, 0x3f800000, 0x3f800002), 2);  // from 1 up
  EXPECT_EQ(steps_between(Dtype::f32, 0xbf800000, 0xbf800002), -2);
  EXPECT_EQ(steps_between(Dtype::i32, 0xffffffff, 1), 2);  // -1 to 1
  EXPECT_EQ(steps_between(Dtype::u32, 0xffffffff, 1), -0xfffffffeLL);
  EXPECT_EQ(steps_between(Dtype::i64, 1, 0), -1);
}

TEST(NumberText, ShowsTheBitsOfAFloat) {
  EXPECT_EQ(with_hex(Dtype::f32, 0x41b00000), "22 (0x1.6p+4)");
  EXPECT_EQ(with_hex(Dtype::bf16, 0x41b0), "22 (0x1.6p+4)");
  EXPECT_EQ(with_hex(Dtype::f16, 0x4d80), "22 (0x1.6p+4)");
  EXPECT_EQ(with_hex(Dtype::i32, 22), "22");
  EXPECT_EQ(with_hex(Dtype::f32, 0x7f800000), "inf");
}

}  // namespace
}  // namespace shardcheck
