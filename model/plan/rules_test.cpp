#include "rules.h"

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::model {
namespace {

ProductCase a_case(const std::string& line) {
  const auto subject = parse_product(line);
  if (!subject) ADD_FAILURE() << line << ": " << print(subject.error());
  return subject.value_or(ProductCase{});
}

std::string why_not(const std::string& line) {
  const auto plan = resolve(a_case(line));
  return plan ? "it is legal" : plan.error();
}

/// The state after the case's plan, legal end or not.
PlanState walked(const ProductCase& subject) {
  PlanState state = initial_state(subject);
  for (const Step& step : *subject.plan) {
    const auto next = apply(subject, state, step);
    EXPECT_TRUE(next) << next.error();
    if (next) state = *next;
  }
  return state;
}

std::vector<IndexList> columns(const TensorState& tensor) {
  std::vector<IndexList> lists;
  for (const Shard& shard : tensor.shards) lists.push_back(shard.columns);
  return lists;
}

std::vector<IndexList> rows(const TensorState& tensor) {
  std::vector<IndexList> lists;
  for (const Shard& shard : tensor.shards) lists.push_back(shard.rows);
  return lists;
}

using Lists = std::vector<IndexList>;

TEST(PlanRules, LocalMakesCPartialOverTheAxesThatCutK) {
  const PlanState end =
      walked(a_case("matmul mesh=x2,y2 i=2 j=2 k=2 A[i/y,k/x] B[k/x,j] -> C[i,j] plan=local"));
  ASSERT_TRUE(end.c);
  EXPECT_EQ(end.c->partial_over, std::vector<int>{0});
  EXPECT_EQ(end.c->rows_over, std::vector<int>{1});
  EXPECT_EQ(rows(*end.c), (Lists{{0}, {1}, {0}, {1}}));
}

TEST(PlanRules, ASliceFollowsTheOtherOperandsKInTheOrderHeld) {
  const PlanState end = walked(a_case(
      "matmul mesh=x2 i=1 j=1 k=4 split.k=sets:3,0|2,1 A[i,k/x] B[k,j] -> C[i,j] plan=slice:B/x"));
  EXPECT_EQ(rows(end.b), (Lists{{0, 3}, {1, 2}}));
  EXPECT_EQ(end.b.rows_over, std::vector<int>{0});
}

TEST(PlanRules, ASliceOfAnOuterAxisFollowsTheConsumer) {
  const PlanState end = walked(a_case(
      "matmul mesh=x2 i=4 j=1 k=1 split.i=cyclic:1 A[i,k] B[k,j] -> C[i/x,j] plan=slice:A/x"));
  EXPECT_EQ(rows(end.a), (Lists{{0, 2}, {1, 3}}));
}

TEST(PlanRules, AGatherJoinsInTheOrderOfTheMembers) {
  const PlanState end =
      walked(a_case("matmul mesh=x2 i=1 j=1 k=4 split.k=sets:3,0|2,1 A[i,k/x] B[k/x,j] -> C[i,j] "
                    "plan=gather:A/x"));
  EXPECT_EQ(columns(end.a), (Lists{{3, 0, 2, 1}, {3, 0, 2, 1}}));
}

TEST(PlanRules, AnExchangeTakesTheOrderOfItsReference) {
  const PlanState end = walked(a_case(
      "matmul mesh=x2 i=1 j=1 k=4 split.k=balanced split.B.k=sets:3,0|2,1 A[i,k/x] B[k/x,j] -> "
      "C[i,j] plan=exchange:A"));
  EXPECT_EQ(columns(end.a), (Lists{{3, 0}, {2, 1}}));
}

TEST(PlanRules, AnExchangeIsAscendingWhereItsReferenceHoldsOtherSets) {
  const PlanState end =
      walked(a_case("matmul mesh=x2 i=1 j=1 k=4 split.A.k=sets:3,0|2,1 A[i,k/x] B[k/x,j] -> C[i,j] "
                    "split.B.k=sets:3,2|1,0 plan=exchange:A[i,k]"));
  EXPECT_EQ(columns(end.a), (Lists{{0, 1, 2, 3}, {0, 1, 2, 3}}));
}

TEST(PlanRules, AnExchangeWithoutBracketsGivesKTheMeshAxisAndTakesItFromTheRows) {
  const PlanState end =
      walked(a_case("matmul mesh=x2 i=2 j=1 k=2 A[i/x,k] B[k/x,j] -> C[i,j] plan=exchange:A"));
  EXPECT_EQ(rows(end.a), (Lists{{0, 1}, {0, 1}}));
  EXPECT_EQ(columns(end.a), (Lists{{0}, {1}}));
}

TEST(PlanRules, AReduceScatterCutsRowsIfTheConsumerDoesNotSay) {
  const PlanState end = walked(a_case(
      "matmul mesh=x2 i=3 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+reduce_scatter:C/x"));
  EXPECT_EQ(rows(*end.c), (Lists{{0, 1}, {2}}));
  EXPECT_TRUE(end.c->partial_over.empty());
}

TEST(PlanRules, AReduceScatterKeepsWhatTheConsumerWants) {
  const PlanState end =
      walked(a_case("matmul mesh=x2 i=1 j=3 k=2 split.j=sets:2,1|0 A[i,k/x] B[k/x,j] -> C[i,j/x] "
                    "plan=local+reduce_scatter:C/x"));
  EXPECT_EQ(columns(*end.c), (Lists{{1, 2}, {0}}));
}

TEST(PlanRules, TheReferenceOfANestedCutIsTheUnionOverTheOtherMeshAxes) {
  // The consumer nests i over y, then x: x = 0 holds 0 and 2, x = 1 holds 1 and 3.
  const PlanState end =
      walked(a_case("matmul mesh=x2,y2 i=4 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i/y/x,j] "
                    "plan=local+reduce_scatter:C/x"));
  EXPECT_EQ(rows(*end.c), (Lists{{0, 2}, {0, 2}, {1, 3}, {1, 3}}));
}

TEST(PlanRules, ARefusalNamesTheStepAndTheReason) {
  const std::string k_split = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=";
  EXPECT_EQ(why_not(k_split + "reduce_scatter:C/x+local"),
            "reduce_scatter:C/x: there is no C before local");
  EXPECT_EQ(why_not(k_split + "local+reduce_scatter:C/x+reduce_scatter:C/x"),
            "reduce_scatter:C/x: C is not partial over x");
  EXPECT_EQ(why_not(k_split + "local+local"), "local: local may be taken once");
  EXPECT_EQ(why_not(k_split + "local+gather:A/x"), "gather:A/x: A may move only before local");
  EXPECT_EQ(why_not(k_split + "slice:A/x"), "slice:A/x: A is cut over x already");
  EXPECT_EQ(why_not(k_split + "gather:A/x+local"),
            "local: k of A and k of B are cut over different mesh axes");
  EXPECT_EQ(why_not(k_split + "local+slice:C/x"), "slice:C/x: C is partial over x");
  EXPECT_EQ(why_not(k_split + "local+gather:C/x"), "gather:C/x: C is not cut over x");
  EXPECT_EQ(why_not(k_split + "local+exchange:C"),
            "exchange:C: C is partial over an axis that the consumer cuts");
  EXPECT_EQ(why_not(k_split + "local"), "the plan ends with C partial over x");
  EXPECT_EQ(why_not(k_split + "local+all_reduce:C/x"),
            "the plan ends with other elements of C on a rank than the consumer wants");
}

TEST(PlanRules, LocalRefusesKsThatDoNotMeet) {
  const std::string head = "matmul mesh=x2 i=2 j=2 k=4 ";
  EXPECT_EQ(why_not(head + "split.B.k=cyclic:1 A[i,k/x] B[k/x,j] -> C[i/x,j] "
                           "plan=local+reduce_scatter:C/x"),
            "local: a rank holds other k of A than of B");
  EXPECT_EQ(why_not(head + "A[i/x,k] B[k,j/x] -> C[i/x,j] plan=local"),
            "local: one mesh axis cuts the rows of A and the columns of B");
}

TEST(PlanRules, AnExchangeNeedsAReferenceAndCutsOverAMeshAxisOnce) {
  const std::string head = "matmul mesh=x2 i=2 j=2 k=4 A[i,k] B[k,j] -> C[i,j] plan=";
  EXPECT_EQ(why_not(head + "exchange:A[i,k/x]+local"),
            "exchange:A[i,k/x]: nothing says how A is to be cut over an axis in the brackets");
}

TEST(PlanRules, AConsumerMayWantThePartialAndNothingElseThen) {
  const std::string head = "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j]+x plan=";
  EXPECT_EQ(why_not(head + "local"), "it is legal");
  EXPECT_EQ(why_not(head + "local+all_reduce:C/x"), "the plan ends with C not partial over x");
}

TEST(PlanRules, NoPlanMakesAPartialThatNoCutOfKGives) {
  EXPECT_EQ(why_not("matmul mesh=x2 i=2 j=2 k=4 A[i,k] B[k,j] -> C[i,j]+x"),
            "no plan reaches the consumer's layout");
}

TEST(PlanRules, AutoHasALimitOfMeshAxesAndASpelledOutPlanHasNone) {
  const std::string line = "matmul mesh=v1,w1,x1,y1,z1 i=2 j=2 k=4 A[i,k] B[k,j] -> C[i,j]";
  EXPECT_EQ(why_not(line), "plan=auto is for meshes of at most 4 axes");
  EXPECT_EQ(why_not(line + " plan=local"), "it is legal");
}

}  // namespace
}  // namespace shardcheck::model
