#include "vacuity.h"

#include <gtest/gtest.h>

#include <string>

#include <shardcheck/model/case/text.h>

namespace shardcheck::model {
namespace {

Vacuity ask(const std::string& line) {
  const auto subject = parse_product(line);
  if (!subject) {
    ADD_FAILURE() << print(subject.error());
    return {};
  }
  const auto plan = resolve(*subject);
  if (!plan) {
    ADD_FAILURE() << plan.error();
    return {};
  }
  return vacuity(*subject, *plan, Values(*subject, *plan));
}

std::string product(const std::string& data) {
  return "matmul mesh=x2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 plan=local+all_reduce "
         "data=given " +
         data;
}

// Two k's dropped and doubled, one pair exchanged, two ranks dropped and doubled.
TEST(Vacuity, AsksAboutEveryContribution) {
  const Vacuity result = ask(product("A=1,2 B=5,7"));
  EXPECT_EQ(result.asked, 2 + 2 + 1 + 2 + 2);
  EXPECT_EQ(result.blind, 0);
  EXPECT_FALSE(result.is_trivial);
  EXPECT_FALSE(result.gates);
}

// A schedule reduces, too: rank 1 contributes to what rank 0 owns, and owns nothing itself.
TEST(Vacuity, AsksAboutEveryContributionOfASchedule) {
  const Vacuity result =
      ask("matmul mesh=x2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 plan=local_scatter:C/x "
          "data=given A=1,2 B=5,7");
  EXPECT_EQ(result.asked, 2 + 2 + 1 + 2 + 2);
  EXPECT_EQ(result.blind, 0);
}

TEST(Vacuity, GatesTheRegimesThatPromiseToShowEverything) {
  for (const RegimeInfo& regime : regimes) {
    if (regime.regime == Data::Regime::given) continue;
    const Vacuity result =
        ask("matmul mesh=x2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce data=" +
            std::string(regime.name) + ":1");
    const bool promises =
        regime.name == "ints" || regime.name == "rounding" || regime.name == "probe";
    EXPECT_EQ(result.gates, promises) << regime.name;
    EXPECT_EQ(result.asked, 9) << regime.name;
  }
}

TEST(Vacuity, ConstantDataHideAMispairing) {
  const Vacuity result = ask(product("A=1,1 B=1,1"));
  EXPECT_EQ(result.blind, 1);
  EXPECT_EQ(result.first_blind,
            "would pass even if k = 0 of A were multiplied with k = 1 of B, and the reverse");
}

TEST(Vacuity, AZeroHidesItsKAndItsRank) {
  const Vacuity result = ask(product("A=0,2 B=5,7"));
  EXPECT_EQ(result.blind, 4);
  EXPECT_EQ(result.first_blind, "would pass even if k = 0 were missing");
}

TEST(Vacuity, WhatRoundingSwallowsIsHidden) {
  // 2^24 + 1 = 2^24 in f32: dropping k = 1 or its rank shows nothing, nor does doubling it, for
  // the one rank adds 2 and 2^24 + 2 differs: k = 1 doubled and rank 1 doubled are seen.
  const Vacuity result = ask(product("A=16777216,1 B=1,1"));
  EXPECT_EQ(result.blind, 2 + 1);  // and the mispairing, for B is constant
}

// 256 + 3 is a tie of bf16 that goes to 260, 256 + 3 + 3 is 262, and 256 alone lies in the bound of
// a sum of bf16 about 259. Nothing is hidden but the mispairing, for B is constant.
TEST(Vacuity, AFreeOrderIsAskedForItsValuesAndNotForABound) {
  const Vacuity result =
      ask("matmul mesh=x2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] in=bf16 acc=bf16 order=any "
          "plan=local+all_reduce data=given A=256,3 B=1,1");
  EXPECT_EQ(result.blind, 1);
}

TEST(Vacuity, NothingContractedIsTrivial) {
  EXPECT_TRUE(ask("matmul mesh=x2 i=2 j=2 k=0 A[i,k/x] B[k/x,j] -> C[i/x,j] data=ints:0 "
                  "plan=local+reduce_scatter")
                  .is_trivial);
  EXPECT_TRUE(ask("matmul mesh=x2 i=0 j=2 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j] data=ints:0 "
                  "plan=local+reduce_scatter")
                  .is_trivial);
}

TEST(Vacuity, APartialThatReachesNoOwnerIsNotAskedAbout) {
  // Rows are cut over x and y, and rank (x, y) = (0, 1) owns them all: the partials of y = 0 end
  // with owners of nothing. Left are two k's, one pair, and the two ranks of y = 1.
  const Vacuity result =
      ask("matmul mesh=x2,y2 i=6 j=8 k=2 A[i,k/x] B[k/x,j] -> C[i/x/y,j] split.i=sizes:0,6,0,0 "
          "plan=local+slice:C/y+reduce_scatter:C/x");
  EXPECT_EQ(result.asked, 2 + 2 + 1 + 2 + 2);
  EXPECT_EQ(result.blind, 0) << result.first_blind;
}

TEST(Vacuity, ASingleElementAmongManyIsEnough) {
  // Only C[1][1] depends on k = 1.
  const Vacuity result = ask(
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 plan=local+reduce_scatter "
      "data=given A=1,0,1,3 B=1,1,0,2");
  EXPECT_EQ(result.blind, 0);
}

TEST(Vacuity, APartialConsumerSeesItsOwnRanksAlone) {
  const Vacuity result =
      ask("matmul mesh=x2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j]+x in=f32 data=given A=1,2 B=5,7");
  EXPECT_EQ(result.blind, 0);
}

}  // namespace
}  // namespace shardcheck::model
