#include "number.h"

#include <gtest/gtest.h>

namespace shardcheck::model {
namespace {

TEST(Number, AddsAndMultipliesAcrossExponents) {
  EXPECT_EQ(Number(3, -1) + Number(1, -2), Number(7, -2));   // 1.5 + 0.25
  EXPECT_EQ(Number(3, -1) * Number(-5, 4), Number(-15, 3));  // 1.5 · −80 = −120
  EXPECT_EQ(Number(1, 200) - Number(1, 200), Number());
  EXPECT_EQ(Number(1, 200) + Number(1, -200) - Number(1, 200), Number(1, -200));
}

TEST(Number, ComparesByValueWhateverTheExponent) {
  EXPECT_EQ(Number(4, -2), Number(1));
  EXPECT_LT(Number(-1, 1000), Number(-1, -1000));
  EXPECT_GT(Number(1, 64), Number::of_unsigned(~std::uint64_t{0}));
}

TEST(Number, TellsWholeUnitsAndWhatIsLeft) {
  using Rest = Number::Rest;
  const Number eleven(-11);  // the sign plays no part
  EXPECT_EQ(eleven.magnitude_in_units_of(0).count, 11U);
  EXPECT_EQ(eleven.magnitude_in_units_of(-3).count, 88U);
  EXPECT_EQ(eleven.magnitude_in_units_of(1).count, 5U);  // 5·2 + 1
  EXPECT_EQ(eleven.magnitude_in_units_of(1).rest, Rest::half);
  EXPECT_EQ(eleven.magnitude_in_units_of(2).count, 2U);  // 2·4 + 3
  EXPECT_EQ(eleven.magnitude_in_units_of(2).rest, Rest::above_half);
  EXPECT_EQ(eleven.magnitude_in_units_of(3).rest, Rest::below_half);  // 8 + 3
  EXPECT_EQ(eleven.magnitude_in_units_of(0).rest, Rest::none);
}

TEST(Number, KnowsItsHighestBit) {
  EXPECT_EQ(Number(1).top_bit(), 0);
  EXPECT_EQ(Number(-255, 10).top_bit(), 17);
  EXPECT_EQ(Number(256, -8).top_bit(), 0);
}

TEST(Number, ReducesModulo2To64) {
  EXPECT_EQ(Number(-1).modulo_2_to_64(), ~std::uint64_t{0});
  EXPECT_EQ((Number(1, 64) + Number(5)).modulo_2_to_64(), 5U);
  EXPECT_EQ(Number(12, -2).modulo_2_to_64(), 3U);
}

TEST(Number, DividesAndCutsOff) {
  EXPECT_EQ(Number(7).quotient(2, 0), Number(3));
  EXPECT_EQ(Number(-7).quotient(2, 0), Number(-3));
  EXPECT_EQ(Number(7).quotient(2, -1), Number(7, -1));
  EXPECT_EQ(Number(1, -3).quotient(1, 0), Number());
  EXPECT_EQ(Number(1, 100).quotient(3, 98), Number(1, 98));  // 4/3 of 2^98
}

// What was cut off leaves an odd last digit: 8/3 = 2.67 lies between 2 and 3, 10/3 between 3 and 4.
TEST(Number, MarksWhatWasCutOffByAnOddDigit) {
  EXPECT_EQ(Number(8).quotient_to_odd(3, 0), Number(3));
  EXPECT_EQ(Number(10).quotient_to_odd(3, 0), Number(3));
  EXPECT_EQ(Number(-8).quotient_to_odd(3, 0), Number(-3));
  EXPECT_EQ(Number(8).quotient_to_odd(2, 0), Number(4));
  EXPECT_EQ(Number(1, -50).quotient_to_odd(7, 0), Number(1));
}

TEST(Number, TakesADoubleExactly) {
  EXPECT_EQ(Number::of_double(0.1), Number(3602879701896397, -55));  // 0.1 as a double
  EXPECT_EQ(Number::of_double(-0x1p-1074), Number(-1, -1074));
  EXPECT_EQ(Number::of_double(-0.0).sign(), 0);
}

TEST(NumberDeathTest, AnInfinityIsNoNumber) {
  EXPECT_DEATH(Number::of_double(1e308 * 10), "aren't numbers");
}

}  // namespace
}  // namespace shardcheck::model
