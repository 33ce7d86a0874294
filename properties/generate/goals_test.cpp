#include "goals.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

Tally tally_of(std::string_view line, const Verdict& verdict) {
  const auto subject = parse_product(line);
  EXPECT_TRUE(subject.has_value());
  Tally tally;
  if (subject) count(tally, *subject, verdict);
  return tally;
}

std::int64_t counted(const Tally& tally, const std::string& dimension, const std::string& value) {
  const auto values = tally.counts.find(dimension);
  if (values == tally.counts.end()) return 0;
  const auto found = values->second.find(value);
  return found == values->second.end() ? 0 : found->second;
}

GoalResult goal_named(const Tally& tally, std::string_view name, const Restrictions& restrictions) {
  for (const GoalResult& result : assess(tally, restrictions)) {
    if (result.name == name) return result;
  }
  ADD_FAILURE() << "no goal " << name;
  return {};
}

TEST(Tally, CountsWhatACaseIs) {
  // k = 2 over 3 ranks: parts 1, 1, 0.
  const Tally tally = tally_of(
      "matmul mesh=x3 i=5 j=17 k=2 A[i,k/x] B[k/x,j] -> C[i,j/x] split.j=sets:0,1,2,3|4,5,6,7,8|9,"
      "10,11,12,13,14,15,16 in=bf16 wire=bf16",
      Verdict{});
  EXPECT_EQ(tally.cases, 1);
  EXPECT_EQ(counted(tally, "ranks", "3"), 1);
  EXPECT_EQ(counted(tally, "shape", "more ranks than k"), 1);
  EXPECT_EQ(counted(tally, "shape", "empty part"), 1);
  EXPECT_EQ(counted(tally, "shape", "uneven parts"), 1);
  EXPECT_EQ(counted(tally, "shape", "ranks no power of two"), 1);
  EXPECT_EQ(counted(tally, "shape", "nothing to sum"), 0);
  EXPECT_EQ(counted(tally, "k", "2-4"), 1);
  EXPECT_EQ(counted(tally, "i", "5-16"), 1);
  EXPECT_EQ(counted(tally, "j", "17-40"), 1);
  EXPECT_EQ(counted(tally, "split.k", "balanced"), 2);
  EXPECT_EQ(counted(tally, "split.j", "sets"), 1);
  EXPECT_EQ(counted(tally, "consumer", "columns"), 1);
  EXPECT_EQ(counted(tally, "dtypes", "bf16/f32/bf16/bf16"), 1);
}

TEST(Tally, CountsTheCollectivesOfThePlanThatWasTaken) {
  Verdict verdict;
  const auto plan = parse_plan(Mesh{{{"x", 2}}}, "local+reduce_scatter:C/x+gather:C/x");
  ASSERT_TRUE(plan.has_value());
  verdict.plan = *plan;
  const Tally tally =
      tally_of("matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j] algorithm.all_gather=direct",
               verdict);
  EXPECT_EQ(counted(tally, "collective", "reduce_scatter ring"), 1);
  EXPECT_EQ(counted(tally, "collective", "all_gather direct"), 1);
  EXPECT_EQ(counted(tally, "plan shape", "multiply, reduce, move result"), 1);
}

TEST(Tally, CountsAWovenStepsOwnWay) {
  const auto counted_in = [](const std::string& line, const std::string& value) {
    Verdict verdict;
    verdict.plan = *parse_product(line)->plan;
    return counted(tally_of(line, verdict), "woven step", value);
  };
  const std::string grid = "matmul mesh=x2,y2 i=2 j=2 k=2 A[i/x,k/y] B[k/x,j/y] -> ";
  EXPECT_EQ(counted_in(grid + "C[i/x,j/y] plan=cannon:x/y", "cannon"), 1);
  EXPECT_EQ(counted_in(grid + "C[i/x,j/y] plan=cannon:x/y", "among other steps"), 0);
  EXPECT_EQ(counted_in(grid + "C[i/x,j/y] plan=cannon:x/y", "beside another mesh axis"), 0);
  EXPECT_EQ(counted_in(grid + "C[i,j] plan=summa:x/y+exchange:C", "among other steps"), 1);
  const std::string ring = " i=2 j=2 k=2 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=gather_local:A/x";
  EXPECT_EQ(counted_in("matmul mesh=x2,y1" + ring, "gather_local:A"), 1);
  EXPECT_EQ(counted_in("matmul mesh=x2,y1" + ring, "beside another mesh axis"), 1);
  // Nobody to send to, or nothing to send.
  EXPECT_EQ(counted_in("matmul mesh=x1,y2" + ring, "gather_local:A"), 0);
  EXPECT_EQ(counted_in("matmul mesh=x2 i=2 j=0 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] "
                       "plan=local_scatter:C/x",
                       "local_scatter:C"),
            0);
}

TEST(Tally, CountsWhatTheVerdictSays) {
  Verdict verdict;
  verdict.status = Status::fail;
  verdict.outcomes[static_cast<std::size_t>(Invariant::value)] = Outcome::broken;
  verdict.elements_by_grade[static_cast<std::size_t>(model::Grade::declared)] = 7;
  verdict.elements_rounded = 3;
  const Tally tally = tally_of("matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]", verdict);
  EXPECT_EQ(counted(tally, "status", "fail"), 1);
  EXPECT_EQ(counted(tally, "invariant value", "broken"), 1);
  EXPECT_EQ(counted(tally, "invariant ledger", "not observed"), 1);
  EXPECT_EQ(counted(tally, "grade", "declared"), 7);
  EXPECT_EQ(counted(tally, "shape", "a value that rounded"), 1);
}

TEST(Tally, MergedTalliesAddUp) {
  Tally tally = tally_of("matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]", Verdict{});
  merge(tally, tally_of("matmul mesh=x2 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]", Verdict{}));
  EXPECT_EQ(tally.cases, 2);
  EXPECT_EQ(counted(tally, "ranks", "1"), 1);
  EXPECT_EQ(counted(tally, "ranks", "2"), 1);
  EXPECT_EQ(counted(tally, "i", "1"), 2);
}

TEST(Goals, AreUnmetOnlyOnceThereWereEnoughCases) {
  Tally tally;
  tally.counts["kind"]["matmul"] = 10;
  EXPECT_EQ(goal_named(tally, "empty parts", {}).state, GoalResult::State::not_assessed);
  tally.counts["kind"]["matmul"] = 1000;
  EXPECT_EQ(goal_named(tally, "empty parts", {}).state, GoalResult::State::unmet);
  tally.counts["shape"]["empty part"] = 50;
  EXPECT_EQ(goal_named(tally, "empty parts", {}).state, GoalResult::State::met);
}

TEST(Goals, CountDifferentValuesWhereTheyAskForEach) {
  Tally tally;
  tally.counts["kind"]["matmul"] = 1000;
  tally.counts["fma"] = {{"no", 990}, {"yes", 10}};
  EXPECT_EQ(goal_named(tally, "every fma", {}).reached, 2);
  EXPECT_EQ(goal_named(tally, "every fma", {}).state, GoalResult::State::unmet);
  tally.counts["fma"]["any"] = 1;
  EXPECT_EQ(goal_named(tally, "every fma", {}).state, GoalResult::State::met);
}

TEST(Goals, WhatTheRestrictionsRuleOutIsNotAssessed) {
  Tally tally;
  tally.counts["kind"]["matmul"] = 100000;
  EXPECT_EQ(goal_named(tally, "every in", {{{"in", "f32"}}}).state,
            GoalResult::State::not_assessed);
  EXPECT_EQ(goal_named(tally, "all_reduce ring", {{{"algorithm.all_reduce", "direct"}}}).state,
            GoalResult::State::not_assessed);
  EXPECT_EQ(goal_named(tally, "every in", {{{"kernel", "fast"}}}).state, GoalResult::State::unmet);
}

TEST(Goals, HaveNamesOfTheirOwnAndAMeaning) {
  std::vector<std::string_view> names;
  for (const GoalResult& result : assess({}, {})) {
    EXPECT_FALSE(result.meaning.empty()) << result.name;
    EXPECT_GT(result.required, 0) << result.name;
    names.push_back(result.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Tally, CountsWhatACaseOfCollectivesIs) {
  const auto subject = parse_calls(
      "reduce_scatter+all_gather mesh=x2,y3 over=y n=4 split.n=sizes:1,0,3 op=max run=threads");
  ASSERT_TRUE(subject.has_value());
  Tally tally;
  count(tally, *subject, Verdict{});
  EXPECT_EQ(counted(tally, "kind", "collective"), 1);
  EXPECT_EQ(counted(tally, "alone: algorithm", "reduce_scatter ring"), 1);
  EXPECT_EQ(counted(tally, "alone: operator", "max"), 1);
  EXPECT_EQ(counted(tally, "alone: members", "3"), 1);
  EXPECT_EQ(counted(tally, "alone: groups", "several"), 1);
  EXPECT_EQ(counted(tally, "alone: calls", "2"), 1);
  EXPECT_EQ(counted(tally, "alone: root", "member 0"), 0);
  EXPECT_EQ(counted(tally, "reach table", "all_gather ring P=3 with empties threads"), 1);
  EXPECT_EQ(counted(tally, "alone: invariant value", "not observed"), 1);
  EXPECT_EQ(counted(tally, "invariant value", "not observed"), 0);
}

TEST(Goals, OfCollectivesCountCollectivesAlone) {
  Tally tally;
  tally.counts["kind"]["matmul"] = 5000;
  EXPECT_EQ(goal_named(tally, "every collective", {}).state, GoalResult::State::not_assessed);
  tally.counts["kind"]["collective"] = 5000;
  EXPECT_EQ(goal_named(tally, "every collective", {}).state, GoalResult::State::unmet);
  EXPECT_EQ(goal_named(tally, "every collective", {{{"op", "max"}}}).state,
            GoalResult::State::not_assessed);
}

}  // namespace
}  // namespace shardcheck
