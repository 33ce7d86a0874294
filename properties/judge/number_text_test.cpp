#include "number_text.h"

#include <gtest/gtest.h>

namespace shardcheck {
namespace {

TEST(NumberText, KnowsEveryNaNPatternOfTheNarrowFormats) {
  // e4m3fn has one pattern a sign; e5m2 has three, above infinity at 0x7c.
  int e4m3fn = 0;
  int e5m2 = 0;
  for (Bits bits = 0; bits < 256; ++bits) {
    e4m3fn += is_nan(Dtype::f8e4m3fn, bits) ? 1 : 0;
    e5m2 += is_nan(Dtype::f8e5m2, bits) ? 1 : 0;
  }
  EXPECT_EQ(e4m3fn, 2);
  EXPECT_EQ(e5m2, 6);
  EXPECT_FALSE(is_nan(Dtype::f8e5m2, 0x7c));
  EXPECT_FALSE(is_nan(Dtype::f32, 0x7f800000));
  EXPECT_TRUE(is_nan(Dtype::f32, 0xff800001));
  EXPECT_FALSE(is_nan(Dtype::i32, 0xffffffff));
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
