#include "masks.h"

#include <cmath>

#include <gtest/gtest.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

TEST(Masks, AreFarEnoughApartForAccAndCountableInTheNarrowest) {
  const auto masks = masks_for({Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16}, 2);
  ASSERT_TRUE(masks) << masks.error();
  // f32 keeps 24 bits: 64 units vanish beside a number 2^31 times as large.
  EXPECT_GE(masks->huge - masks->unit, 31);
  EXPECT_EQ(masks->units_max, 64);
  EXPECT_EQ(masks_for({Dtype::f8e5m2, Dtype::f32, Dtype::f32, Dtype::f8e5m2}, 2)->units_max, 8);
}

TEST(Masks, AreProductsOfValues) {
  const DtypeCombination d{Dtype::f16, Dtype::f32, Dtype::f32, Dtype::f32};
  const Masks masks{-3, 29, 16};
  EXPECT_EQ(print_value(Dtype::f16, masked(d, masks, 2, 0, MaskedTerm::negative_huge)), "-16384");
  EXPECT_EQ(print_value(Dtype::f16, masked(d, masks, 2, 1, MaskedTerm::negative_huge)), "32768");
  EXPECT_EQ(print_value(Dtype::f16, masked(d, masks, 2, 0, MaskedTerm::unit)), "0.5");
  EXPECT_EQ(print_value(Dtype::f16, masked(d, masks, 2, 1, MaskedTerm::unit)), "0.25");
  EXPECT_EQ(print_value(Dtype::f16, masked(d, masks, 2, 0, MaskedTerm::zero)), "0");
}

TEST(Masks, CountWholeUnitsAndNothingElse) {
  const DtypeCombination d{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};
  const Masks masks{-2, 60, 16};
  const auto units = [&](const char* value) {
    return units_in(d, masks, *parse_value(Dtype::f32, value));
  };
  EXPECT_EQ(units("0"), 0);
  EXPECT_EQ(units("-0"), 0);
  EXPECT_EQ(units("0.75"), 3);
  EXPECT_EQ(units("4"), 16);
  EXPECT_EQ(units("4.25"), -1);  // more than there were
  EXPECT_EQ(units("0.125"), -1);
  EXPECT_EQ(units("-0.25"), -1);
  EXPECT_EQ(units("0x1p60"), -1);
  EXPECT_EQ(units("nan"), -1);
  EXPECT_EQ(units("inf"), -1);
}

TEST(Masks, SayWhyADtypeShowsNoOrder) {
  EXPECT_NE(masks_for({Dtype::i8, Dtype::i32, Dtype::i32, Dtype::i32}, 2).error().find("integers"),
            std::string::npos);
  // 2^-9 to 2^8 is no room for what f32 absorbs.
  EXPECT_NE(masks_for({Dtype::f8e4m3fn, Dtype::f32, Dtype::f8e4m3fn, Dtype::f32}, 1)
                .error()
                .find("wire=f8e4m3fn"),
            std::string::npos);
}

}  // namespace
}  // namespace shardcheck
