#include <shardcheck/model/calls/free_reduction.h>

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace shardcheck::model {
namespace {

constexpr DtypeCombination f32{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};

Bits bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

std::vector<float> results(Operator op, const std::vector<float>& contributions) {
  std::vector<Bits> patterns;
  for (const float value : contributions) patterns.push_back(bits_of(value));
  const FreeReduction free(f32, op, static_cast<std::int64_t>(contributions.size()));
  const Allowed allowed = free.allowed(patterns);
  EXPECT_EQ(allowed.grade, Grade::any_order);
  std::vector<float> values;
  for (const Bits bits : allowed.set) {
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  return values;
}

// 2^24 + 1 is a tie of f32 that goes to 2^24.
TEST(FreeReduction, ASumIsWhatSomeOrderGives) {
  EXPECT_EQ(results(Operator::sum, {0x1p24F, 1, 1}), (std::vector<float>{0x1p24F, 0x1p24F + 2}));
}

TEST(FreeReduction, AnAverageDividesWhatTheSumsCameTo) {
  EXPECT_EQ(results(Operator::average, {0x1p24F, 1, 1, 0}),
            (std::vector<float>{0x1p22F, 0x1p22F + 0.5F}));
}

// With e = 2^-23: (1 + e)·(1 + e) = 1 + 2e + e² rounds to 1 + 2e; times 1.5 that is 1.5 + 3e. 1.5 ·
// (1 + e) = 1.5 + 1.5e is a tie that goes to 1.5 + 2e; times (1 + e) that is 1.5 + 3.5e + 2e², just
// above a tie: 1.5 + 4e.
TEST(FreeReduction, AProductIsWhatSomeOrderGives) {
  constexpr float e = 0x1p-23F;
  EXPECT_EQ(results(Operator::product, {1.5F, 1 + e, 1 + e}),
            (std::vector<float>{1.5F + 3 * e, 1.5F + 4 * e}));
  EXPECT_EQ(results(Operator::product, {0, 0, 5, 3}), (std::vector<float>{0}));
}

TEST(FreeReduction, OfManyMembersHasABound) {
  const FreeReduction free(f32, Operator::sum, 10);
  const std::vector<Bits> thirds(10, bits_of(1.0F / 3));
  EXPECT_EQ(free.allowed(thirds).grade, Grade::envelope);
}

TEST(FreeReduction, OfNoContributionIsZero) {
  const FreeReduction free(f32, Operator::sum, 2);
  EXPECT_TRUE(allows(free.allowed({}), Dtype::f32, 0));
}

}  // namespace
}  // namespace shardcheck::model
