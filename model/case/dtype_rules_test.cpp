#include "dtype_rules.h"

#include <gtest/gtest.h>

namespace shardcheck {
namespace {

TEST(DtypeRules, TheTableHasAsManyCombinationsAsTheRulesGive) {
  // Floats: (in, acc) with acc f16 3, bf16 3, f32 5, f64 6; times wires 3, 3, 5, 6; times 6 outs
  // = (9 + 9 + 25 + 36) * 6 = 474. Integers: (in, acc) with acc i32 5, i64 7, u32 3, u64 4; times
  // (wire, out) 1, 3, 1, 3 = 5 + 21 + 3 + 12 = 41.
  EXPECT_EQ(legal_combinations().size(), 474U + 41U);
}

TEST(DtypeRules, AnAccumulatorHoldsEveryInput) {
  EXPECT_TRUE(is_legal({Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16}));
  EXPECT_FALSE(is_legal({Dtype::f16, Dtype::bf16, Dtype::bf16, Dtype::bf16}));
  EXPECT_FALSE(is_legal({Dtype::f64, Dtype::f32, Dtype::f32, Dtype::f32}));
  EXPECT_FALSE(is_legal({Dtype::u32, Dtype::i32, Dtype::i32, Dtype::i32}));
  EXPECT_TRUE(is_legal({Dtype::u8, Dtype::i32, Dtype::i32, Dtype::i32}));
}

TEST(DtypeRules, IntegersNeverTravelOrEndWiderThanTheyWereSummed) {
  EXPECT_TRUE(is_legal({Dtype::i32, Dtype::i64, Dtype::i64, Dtype::i32}));
  EXPECT_FALSE(is_legal({Dtype::i32, Dtype::i64, Dtype::i32, Dtype::i64}));
  EXPECT_FALSE(is_legal({Dtype::i32, Dtype::i32, Dtype::i64, Dtype::i32}));
}

TEST(DtypeRules, FloatsAndIntegersDoNotMix) {
  EXPECT_FALSE(is_legal({Dtype::i8, Dtype::f32, Dtype::f32, Dtype::f32}));
  EXPECT_FALSE(is_legal({Dtype::f32, Dtype::f32, Dtype::f32, Dtype::i32}));
}

TEST(DtypeRules, EveryDefaultIsLegal) {
  for (const DtypeInfo& in : dtypes) {
    const Dtype acc = default_acc(in.dtype);
    EXPECT_TRUE(is_legal({in.dtype, acc, acc, default_out(in.dtype, acc)})) << in.name;
  }
}

}  // namespace
}  // namespace shardcheck
