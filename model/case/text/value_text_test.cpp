#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

TEST(Value, DecimalsAndHexFloatsAreReadExactly) {
  EXPECT_EQ(parse_value(Dtype::f32, "1"), 0x3f800000U);
  EXPECT_EQ(parse_value(Dtype::f32, "-2.5"), 0xc0200000U);
  EXPECT_EQ(parse_value(Dtype::f32, "25e-1"), 0x40200000U);
  EXPECT_EQ(parse_value(Dtype::f32, "0x1.4p1"), 0x40200000U);
  EXPECT_EQ(parse_value(Dtype::f32, "0x0.05p7"), 0x40200000U);
  EXPECT_EQ(parse_value(Dtype::f32, "00002.500"), 0x40200000U);
  EXPECT_EQ(parse_value(Dtype::f32, "16777216"), 0x4b800000U);
  EXPECT_EQ(parse_value(Dtype::f32, "0.100000001490116119384765625"), 0x3dcccccdU);
  EXPECT_EQ(parse_value(Dtype::f64, "9007199254740993"), std::nullopt);  // 2^53 + 1
  EXPECT_EQ(parse_value(Dtype::f32, "0.1"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::f64, "0.1"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::f32, "16777217"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::f64, "1e400"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::f64, "1e-400"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::f64, "0e999999999999"), 0U);
  EXPECT_EQ(parse_value(Dtype::f64, "1e999999999999999999999"), std::nullopt);
}

TEST(Value, TheLongestDecimalIsReadAndOneMoreDigitIsRefused) {
  // 2^-1074 = 5^1074 / 10^1074: 751 digits behind 323 zeros.
  const double least = std::ldexp(1.0, -1074);
  char text[1200];
  std::snprintf(text, sizeof text, "%.1074f", least);
  EXPECT_EQ(parse_value(Dtype::f64, text), 1U);
  EXPECT_EQ(parse_value(Dtype::f64, std::string(text) + "000"), 1U);
  EXPECT_EQ(parse_value(Dtype::f64, std::string(text) + "0001"), std::nullopt);
  // 2^-1022 - 2^-1074 has the most significant digits of all, 767.
  std::snprintf(text, sizeof text, "%.1074f", std::ldexp(1.0, -1022) - least);
  EXPECT_EQ(parse_value(Dtype::f64, text), 0xfffffffffffffU);
  EXPECT_EQ(parse_value(Dtype::f64, std::string(text) + "1"), std::nullopt);
}

TEST(Value, IntegersAreExactToSixtyFourBits) {
  EXPECT_EQ(parse_value(Dtype::i64, "-9223372036854775808"), std::uint64_t{1} << 63);
  EXPECT_EQ(parse_value(Dtype::i64, "9223372036854775807"), ~(std::uint64_t{1} << 63));
  EXPECT_EQ(parse_value(Dtype::i64, "9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::u64, "18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(parse_value(Dtype::u64, "18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::i8, "-128"), 0x80U);
  EXPECT_EQ(parse_value(Dtype::i8, "128"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::u8, "-1"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::i32, "1.5"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::i32, "1e3"), 1000U);
  EXPECT_EQ(print_value(Dtype::i64, std::uint64_t{1} << 63), "-9223372036854775808");
  EXPECT_EQ(print_value(Dtype::u64, ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(print_value(Dtype::i8, 0xff), "-1");
}

TEST(Value, SpecialValuesHaveOneSpelling) {
  EXPECT_EQ(parse_value(Dtype::f32, "nan"), 0x7fc00000U);
  EXPECT_EQ(parse_value(Dtype::f32, "-nan"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::f32, "NaN"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::f32, "inf"), 0x7f800000U);
  EXPECT_EQ(parse_value(Dtype::f32, "-inf"), 0xff800000U);
  EXPECT_EQ(parse_value(Dtype::f8e4m3fn, "inf"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::i32, "nan"), std::nullopt);
  EXPECT_EQ(parse_value(Dtype::f32, "-0"), 0x80000000U);
  EXPECT_EQ(parse_value(Dtype::i32, "-0"), std::nullopt);
  EXPECT_EQ(print_value(Dtype::f16, 0xfe01), "nan");
  EXPECT_EQ(print_value(Dtype::f8e4m3fn, 0x80), "-0");
  EXPECT_EQ(print_value(Dtype::f8e5m2, 0xfc), "-inf");
}

TEST(Value, WhatIsNoNumberIsRefused) {
  for (const char* text :
       {"",   "-",   "+1",   " 1",    "1 ",      "1,",  ".",     "-.",  "1e",  "1e+", "e1",
        "0x", "0x.", "0x1p", "1.2.3", "0x1.2.3", "0b1", "1_000", "--1", "1p3", "x"}) {
    EXPECT_EQ(parse_value(Dtype::f64, text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_value(Dtype::f64, std::string("1\0", 2)), std::nullopt);
}

TEST(Value, ShortDecimalsArePrintedAsSuchAndLongOnesInHex) {
  EXPECT_EQ(print_value(Dtype::f32, 0x40200000), "2.5");
  EXPECT_EQ(print_value(Dtype::f32, 0x3dcccccd), "0x1.99999ap-4");
  EXPECT_EQ(print_value(Dtype::f32, 0x00000001), "0x1p-149");
  EXPECT_EQ(print_value(Dtype::f32, 0xff7fffff), "-0x1.fffffep+127");
  EXPECT_EQ(print_value(Dtype::f64, std::bit_cast<std::uint64_t>(-1024.125)), "-1024.125");
  EXPECT_EQ(print_value(Dtype::f64, std::bit_cast<std::uint64_t>(0.1)), "0x1.999999999999ap-4");
}

TEST(Value, WhatIsPrintedIsReadBack) {
  std::mt19937_64 random(7);
  for (const DtypeInfo& dtype : dtypes) {
    const std::string nan = "nan";
    for (int n = 0; n < 20000; ++n) {
      const Bits bits = random() >> (64 - 8 * dtype.bytes);
      const std::string text = print_value(dtype.dtype, bits);
      const auto read = parse_value(dtype.dtype, text);
      ASSERT_TRUE(read) << dtype.name << " " << text;
      if (text != nan) {
        ASSERT_EQ(*read, bits) << dtype.name << " " << text;
      }
    }
  }
}

TEST(Value, FloatsReadLikeTheLibraryReadsThem) {
  // strtod rounds, hence only texts that are exact, as printf writes them in full.
  std::mt19937_64 random(9);
  for (int n = 0; n < 3000; ++n) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    char text[1200];
    std::snprintf(text, sizeof text, "%.1100e", value);
    ASSERT_EQ(parse_value(Dtype::f64, text), std::bit_cast<std::uint64_t>(value)) << text;
    std::snprintf(text, sizeof text, "%a", value);
    ASSERT_EQ(parse_value(Dtype::f64, text), std::bit_cast<std::uint64_t>(value)) << text;
  }
}

}  // namespace
}  // namespace shardcheck
