#include "exact_result.h"

#include <initializer_list>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::model {
namespace {

constexpr DtypeCombination bf16{Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16};

bool rounded(Operator op, std::initializer_list<std::string_view> contributions,
             std::string_view result) {
  std::vector<Bits> bits;
  for (const std::string_view text : contributions) bits.push_back(*parse_value(Dtype::bf16, text));
  return is_rounded(bf16, op, bits, *parse_value(Dtype::bf16, result));
}

TEST(ExactResult, DiffersWhereSomethingWasRounded) {
  EXPECT_FALSE(rounded(Operator::sum, {"1", "2", "-5"}, "-2"));
  EXPECT_TRUE(rounded(Operator::sum, {"256", "1"}, "256"));
  EXPECT_FALSE(rounded(Operator::product, {"3", "-0.5"}, "-1.5"));
  EXPECT_TRUE(rounded(Operator::product, {"129", "129"}, "16640"));
  EXPECT_FALSE(rounded(Operator::average, {"1", "2"}, "1.5"));
  EXPECT_TRUE(rounded(Operator::average, {"1", "0", "0"}, "0.333984375"));
}

TEST(ExactResult, IsNotAskedForWhereNothingRoundsOrNothingIsFinite) {
  EXPECT_FALSE(rounded(Operator::max, {"256", "1"}, "1"));
  EXPECT_FALSE(rounded(Operator::sum, {"inf", "1"}, "2"));
  EXPECT_FALSE(rounded(Operator::sum, {"1", "1"}, "nan"));
  const DtypeCombination i8{Dtype::i8, Dtype::i8, Dtype::i8, Dtype::i8};
  const std::vector<Bits> wraps{100, 100};
  EXPECT_FALSE(is_rounded(i8, Operator::sum, wraps, 200));
}

}  // namespace
}  // namespace shardcheck::model
