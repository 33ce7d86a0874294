#include "format.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace shardcheck::model {
namespace {

constexpr std::array<Dtype, 4> small_floats{Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::f16,
                                            Dtype::bf16};

Bits f32(float value) { return std::bit_cast<std::uint32_t>(value); }

Number value(Dtype dtype, Bits bits) { return number_of(decode(dtype, bits)); }

TEST(Format, PublishedValuesOfMlDtypesAndGfloat) {
  // bf16(256) + bf16(1) = 256, and the next bf16 after 256 is 258 (ml_dtypes).
  EXPECT_EQ(add(Dtype::bf16, round(Dtype::bf16, Number(256)), round(Dtype::bf16, Number(1))),
            round(Dtype::bf16, Number(256)));
  EXPECT_EQ(value(Dtype::bf16, round(Dtype::bf16, Number(256)) + 1), Number(258));
  // e4m3fn 464 → 448, just above → NaN; e5m2 61439.9 → 57344, 61440 → infinity (gfloat).
  EXPECT_EQ(value(Dtype::f8e4m3fn, round(Dtype::f8e4m3fn, Number(464))), Number(448));
  EXPECT_EQ(round(Dtype::f8e4m3fn, Number(464) + Number(1, -40)), 0x7fU);
  EXPECT_EQ(value(Dtype::f8e5m2, round(Dtype::f8e5m2, Number::of_double(61439.9))), Number(57344));
  EXPECT_EQ(round(Dtype::f8e5m2, Number(61440)), 0x7cU);
}

TEST(Format, PatternsOfKnownValues) {
  // OCP 8-bit Floating Point Specification 1.0, table 2; IEEE 754-2019, table 3.5.
  EXPECT_EQ(value(Dtype::f8e4m3fn, 0x7e), Number(448));
  EXPECT_EQ(value(Dtype::f8e4m3fn, 0x08), Number(1, -6));
  EXPECT_EQ(value(Dtype::f8e4m3fn, 0x01), Number(1, -9));
  EXPECT_EQ(value(Dtype::f8e5m2, 0x7b), Number(57344));
  EXPECT_EQ(value(Dtype::f8e5m2, 0x04), Number(1, -14));
  EXPECT_EQ(value(Dtype::f8e5m2, 0x01), Number(1, -16));
  EXPECT_EQ(value(Dtype::f16, 0x3c00), Number(1));
  EXPECT_EQ(value(Dtype::bf16, 0xc000), Number(-2));
  EXPECT_EQ(value(Dtype::f32, f32(0.1F)), Number::of_double(static_cast<double>(0.1F)));
}

TEST(Format, EverySmallPatternSurvivesARoundTrip) {
  for (const Dtype dtype : small_floats) {
    const int width = 8 * info(dtype).bytes;
    for (Bits bits = 0; bits < (Bits{1} << width); ++bits) {
      const Decoded decoded = decode(dtype, bits);
      if (decoded.kind != Decoded::Kind::finite || decoded.significand == 0) continue;
      ASSERT_EQ(round(dtype, number_of(decoded)), bits) << info(dtype).name;
    }
  }
}

// From the definition: between neighbours v < w everything below the middle goes to v, everything
// above to w, the middle itself to the one whose pattern is even.
TEST(Format, EverySmallPatternTakesExactlyItsHalfOfEachGap) {
  for (const Dtype dtype : small_floats) {
    const FloatFormat& format = float_format(dtype);
    const Number tiny(1, -400);
    for (Bits bits = 0; bits < format.largest; ++bits) {
      const Number middle = (value(dtype, bits) + value(dtype, bits + 1)) * Number(1, -1);
      ASSERT_EQ(round(dtype, middle - tiny), bits) << info(dtype).name;
      ASSERT_EQ(round(dtype, middle), bits % 2 == 0 ? bits : bits + 1) << info(dtype).name;
      ASSERT_EQ(round(dtype, middle + tiny), bits + 1) << info(dtype).name;
    }
  }
}

TEST(Format, WhatIsBeyondTheLargestIsInfinityOrNan) {
  for (const Dtype dtype : {Dtype::f8e5m2, Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64}) {
    const FloatFormat& format = float_format(dtype);
    const Number largest = value(dtype, format.largest);
    const Number half_gap = (largest - value(dtype, format.largest - 1)) * Number(1, -1);
    EXPECT_EQ(round(dtype, largest + half_gap - Number(1, -1200)), format.largest);
    EXPECT_EQ(round(dtype, largest + half_gap), infinity(dtype, false));
    EXPECT_EQ(round(dtype, Number(-1, 5000)), infinity(dtype, true));
    EXPECT_EQ(largest, Number::of_double(format.largest_value));
  }
  EXPECT_EQ(round(Dtype::f8e4m3fn, Number(-1, 5000)), 0x7fU);
  EXPECT_EQ(infinity(Dtype::f8e4m3fn, true), 0x7fU);
}

TEST(Format, UnderflowIsGradualAndKeepsItsSign) {
  EXPECT_EQ(round(Dtype::f32, Number(1, -149)), 1U);
  EXPECT_EQ(round(Dtype::f32, Number(1, -150)), 0U);  // a tie between 0 and the least: 0 is even
  EXPECT_EQ(round(Dtype::f32, Number(-1, -150)), 0x80000000U);
  EXPECT_EQ(round(Dtype::f32, Number(3, -150)), 2U);  // 1.5 units: a tie, 2 is even
  EXPECT_EQ(round(Dtype::f64, Number(1, -5000)), 0U);
}

TEST(Format, ZerosHaveSigns) {
  for (const Dtype dtype : small_floats) {
    const Bits minus_zero = Bits{1} << (float_format(dtype).width - 1);
    const Bits one = round(dtype, Number(1));
    const Bits minus_one = round(dtype, Number(-1));
    EXPECT_EQ(add(dtype, one, minus_one), 0U);
    EXPECT_EQ(add(dtype, minus_zero, minus_zero), minus_zero);
    EXPECT_EQ(add(dtype, minus_zero, 0), 0U);
    EXPECT_EQ(multiply(dtype, minus_zero, one), minus_zero);
    EXPECT_EQ(multiply(dtype, minus_zero, minus_one), 0U);
    EXPECT_EQ(fused_multiply_add(dtype, one, minus_one, one), 0U);
    EXPECT_EQ(fused_multiply_add(dtype, minus_zero, one, minus_zero), minus_zero);
    EXPECT_EQ(convert(dtype, Dtype::f64, minus_zero), Bits{1} << 63U);
  }
}

TEST(Format, NanIsCanonicalAndInfinitiesFollowIeee754) {
  const Bits infinite = infinity(Dtype::f32, false);
  const Bits minus_infinite = infinity(Dtype::f32, true);
  const Bits nan = 0x7fc00000;
  EXPECT_EQ(add(Dtype::f32, infinite, minus_infinite), nan);
  EXPECT_EQ(add(Dtype::f32, infinite, f32(1)), infinite);
  EXPECT_EQ(multiply(Dtype::f32, infinite, 0), nan);
  EXPECT_EQ(multiply(Dtype::f32, infinite, f32(-2)), minus_infinite);
  EXPECT_EQ(fused_multiply_add(Dtype::f32, infinite, f32(1), minus_infinite), nan);
  EXPECT_EQ(fused_multiply_add(Dtype::f32, f32(1), f32(1), minus_infinite), minus_infinite);
  EXPECT_EQ(add(Dtype::f32, 0xffc00001, f32(1)), nan);
  EXPECT_EQ(canonical(Dtype::f32, 0xff800001), nan);
  EXPECT_EQ(canonical(Dtype::f32, infinite), infinite);
  EXPECT_EQ(canonical(Dtype::f8e4m3fn, 0xff), 0x7fU);
  EXPECT_EQ(convert(Dtype::f32, Dtype::f8e4m3fn, minus_infinite), 0x7fU);
  EXPECT_EQ(convert(Dtype::f32, Dtype::bf16, minus_infinite), 0xff80U);
  const std::array<std::pair<Dtype, Bits>, 6> nans{{{Dtype::f8e4m3fn, 0x7f},
                                                    {Dtype::f8e5m2, 0x7e},
                                                    {Dtype::f16, 0x7e00},
                                                    {Dtype::bf16, 0x7fc0},
                                                    {Dtype::f32, 0x7fc00000},
                                                    {Dtype::f64, 0x7ff8000000000000}}};
  for (const auto& [dtype, bits] : nans) EXPECT_EQ(float_format(dtype).nan, bits);
}

TEST(Format, AFusedSumIsRoundedOnce) {
  // (1 + 2^-12)² = 1 + 2^-11 + 2^-24, in f32 (24 bits): rounded alone the product loses 2^-24, for
  // the tie goes to the even 1 + 2^-11; fused, 2^-24 is all that is left.
  const Bits x = round(Dtype::f32, Number(1) + Number(1, -12));
  const Bits minus = round(Dtype::f32, Number(-1) - Number(1, -11));
  EXPECT_EQ(add(Dtype::f32, multiply(Dtype::f32, x, x), minus), 0U);
  EXPECT_EQ(value(Dtype::f32, fused_multiply_add(Dtype::f32, x, x, minus)), Number(1, -24));
}

TEST(Format, AQuotientIsRoundedOnce) {
  EXPECT_EQ(divide(Dtype::f32, f32(1), 3), f32(1.0F / 3.0F));
  EXPECT_EQ(divide(Dtype::f32, f32(-0.0F), 3), f32(-0.0F));
  EXPECT_EQ(divide(Dtype::f32, 0x7fc00001, 3), 0x7fc00000U);
  EXPECT_EQ(divide(Dtype::f32, infinity(Dtype::f32, true), 3), infinity(Dtype::f32, true));
  EXPECT_EQ(divide(Dtype::f32, 3, 2), 2U);  // 1.5 units, a tie: 2 is even
  EXPECT_EQ(divide(Dtype::f32, 1, 2), 0U);  // half a unit, a tie: 0 is even
  EXPECT_EQ(divide(Dtype::f32, 5, 3), 2U);  // 1.67 units
  EXPECT_EQ(divide(Dtype::f32, 0x80000001, 1000), 0x80000000U);
  // In bf16, 8 bits: 259/2 = 129.5 is a tie between 129 and 130; 259 itself would be 260.
  EXPECT_EQ(value(Dtype::bf16, divide(Dtype::bf16, round(Dtype::bf16, Number(259)), 2)),
            Number(130));
}

// Whatever the divisor, no value is nearer to the exact quotient than what is returned.
TEST(Format, NoValueIsNearerToAQuotient) {
  for (const std::int64_t divisor : {2, 3, 5, 7, 11, 96, 1023}) {
    for (Bits x = 0; x <= float_format(Dtype::f8e4m3fn).largest; ++x) {
      const Bits found = divide(Dtype::f8e4m3fn, x, divisor);
      // |found · divisor − x|, the distance times the divisor.
      const auto distance = [&](Bits bits) {
        const Number times = value(Dtype::f8e4m3fn, bits) * Number(divisor);
        return (times - value(Dtype::f8e4m3fn, x)).magnitude();
      };
      if (found > 0) {
        EXPECT_LE(distance(found), distance(found - 1));
      }
      EXPECT_LE(distance(found), distance(found + 1));
      if (distance(found) == distance(found + 1)) {
        EXPECT_EQ(found % 2, 0U);
      }
    }
  }
}

TEST(Format, IntegerQuotientsAreTruncated) {
  EXPECT_EQ(divide(Dtype::i8, 0xf9, 2), 0xfdU);  // −7 / 2 = −3
  EXPECT_EQ(divide(Dtype::u8, 0xf9, 2), 124U);
  EXPECT_EQ(divide(Dtype::u64, ~Bits{0}, 2), ~Bits{0} >> 1U);
}

TEST(Format, IntegersWrap) {
  EXPECT_EQ(add(Dtype::i8, 127, 1), 0x80U);
  EXPECT_EQ(value(Dtype::i8, 0x80), Number(-128));
  EXPECT_EQ(value(Dtype::u8, 0x80), Number(128));
  EXPECT_EQ(multiply(Dtype::i32, 65536, 65536), 0U);
  EXPECT_EQ(multiply(Dtype::i64, ~Bits{0}, ~Bits{0}), 1U);
  EXPECT_EQ(fused_multiply_add(Dtype::u64, ~Bits{0}, 2, 3), 1U);
  EXPECT_EQ(convert(Dtype::i8, Dtype::i32, 0xff), 0xffffffffU);
  EXPECT_EQ(convert(Dtype::i64, Dtype::i32, 0x1'8000'0001), 0x80000001U);
}

TEST(Format, OrderFollowsTheValueWithMinusZeroFirst) {
  const std::vector<float> ascending{-1e30F, -1.0F, -1e-45F, -0.0F, 0.0F, 1e-45F, 1.0F, 1e30F};
  for (std::size_t n = 1; n < ascending.size(); ++n) {
    EXPECT_LT(order_of(Dtype::f32, f32(ascending[n - 1])), order_of(Dtype::f32, f32(ascending[n])));
  }
  EXPECT_LT(order_of(Dtype::i8, 0x80), order_of(Dtype::i8, 0x7f));
  EXPECT_LT(order_of(Dtype::u8, 0x7f), order_of(Dtype::u8, 0x80));
  EXPECT_LT(order_of(Dtype::i64, Bits{1} << 63U), order_of(Dtype::i64, 0));
}

}  // namespace
}  // namespace shardcheck::model
