#include "shrink.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>

#include <shardcheck/properties/kinds/product/draw/product.h>
#include <shardcheck/properties/kinds/product/shrink/reductions.h>

#include "measure.h"
#include "reduce_setting.h"

namespace shardcheck {
namespace {

using Predicate = std::function<bool(const ProductCase&)>;

ProductCase case_of(std::uint64_t seed) {
  SeededEntropy entropy(seed);
  return generate_product(entropy);
}

Minimised minimised(const ProductCase& subject, const Predicate& still_fails,
                    std::int64_t candidates_max) {
  const auto fails = [&](const Case& one) { return still_fails(std::get<ProductCase>(one)); };
  return minimise(subject, fails, candidates_max);
}

ProductCase read(std::string_view line) {
  const auto subject = parse_product(line);
  EXPECT_TRUE(subject.has_value()) << line << "\n" << print(subject.error());
  return subject.value_or(ProductCase{});
}

TEST(Smaller, EveryCandidateIsSmallerValidAndLegal) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ProductCase subject = case_of(seed);
    const Measure own = measure(subject);
    for (const Case& smaller_case : smaller(subject)) {
      const auto& candidate = std::get<ProductCase>(smaller_case);
      ASSERT_TRUE(is_smaller(measure(candidate), own)) << print(subject) << "\n"
                                                       << print(candidate);
      const auto again = parse_product(print(candidate));
      ASSERT_TRUE(again.has_value()) << print(candidate) << "\n" << print(again.error());
      ASSERT_EQ(*again, candidate) << print(candidate);
      ASSERT_TRUE(model::resolve(candidate).has_value()) << print(candidate);
    }
  }
}

TEST(Smaller, NothingIsSmallerThanTheSmallest) {
  EXPECT_TRUE(
      smaller(read("matmul mesh=x1 i=0 j=0 k=0 A[i,k] B[k,j] -> C[i,j] data=given A= B=")).empty());
}

TEST(Smaller, TakingOutAKKeepsTheOtherValues) {
  // A = [1 2 3; 4 5 6], B = [7; 8; 9]; without k = 1: A = [1 3; 4 6], B = [7; 9].
  const ProductCase subject = read(
      "matmul mesh=x2 i=2 j=1 k=3 split.k=sets:2,1|0 A[i,k/x] B[k/x,j] -> C[i,j] data=given "
      "A=1,2,3,4,5,6 B=7,8,9");
  const ProductCase expected = read(
      "matmul mesh=x2 i=2 j=1 k=2 split.k=sets:1|0 A[i,k/x] B[k/x,j] -> C[i,j] data=given "
      "A=1,3,4,6 B=7,9");
  EXPECT_EQ(print(without(subject, Axis::k, 1, 1)), print(expected));
}

TEST(Smaller, TakingOutARowShortensItsPart) {
  const ProductCase subject = read(
      "matmul mesh=x2 i=3 j=1 k=1 split.i=sizes:1,2 A[i,k] B[k,j] -> C[i/x,j] data=given A=1,2,3 "
      "B=7");
  const ProductCase expected = read(
      "matmul mesh=x2 i=2 j=1 k=1 split.i=sizes:1,1 A[i,k] B[k,j] -> C[i/x,j] data=given A=1,2 "
      "B=7");
  EXPECT_EQ(print(without(subject, Axis::i, 2, 1)), print(expected));
}

TEST(Smaller, FewValuesAreWrittenOut) {
  const ProductCase subject =
      read("matmul mesh=x2 i=4 j=4 k=8 A[i,k/x] B[k/x,j] -> C[i,j] data=ints:5");
  const std::vector<Case> candidates = smaller(subject);  // 4·8 + 8·4 = 64 values
  EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(), [](const Case& one) {
    const auto& candidate = std::get<ProductCase>(one);
    return candidate.k == 8 && candidate.i == 4 && candidate.j == 4 &&
           candidate.data.regime == Data::Regime::given;
  }));
}

/// The minimum is known by hand, and every failing case must lead to it.
void expect_minimum(const Predicate& still_fails, std::string_view minimum) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 400 && found < 25; ++seed) {
    const ProductCase subject = case_of(seed);
    if (!still_fails(subject)) continue;
    ++found;
    const Minimised result = minimised(subject, still_fails, 100000);
    ASSERT_FALSE(result.budget_spent);
    ASSERT_EQ(print(result.subject), minimum) << "from " << print(subject);
  }
  EXPECT_EQ(found, 25);
}

TEST(Minimise, ThreeKOnTwoRanks) {
  expect_minimum(
      [](const ProductCase& subject) { return subject.k >= 3 && rank_count(subject.mesh) >= 2; },
      "matmul mesh=x2 i=0 j=0 k=3 A[i,k] B[k,j] -> C[i,j] data=given A= B=");
}

TEST(Minimise, TwoRowsCutOverTheMesh) {
  expect_minimum(
      [](const ProductCase& subject) {
        return subject.i >= 2 && subject.j >= 1 && !subject.c.rows.over.empty() &&
               rank_count(subject.mesh) >= 2;
      },
      "matmul mesh=x2 i=2 j=1 k=0 A[i,k] B[k,j] -> C[i/x,j] data=given A= B=");
}

TEST(Minimise, ANarrowWireAndTheDirectAlgorithm) {
  expect_minimum(
      [](const ProductCase& subject) {
        return info(subject.dtypes.wire).bytes < 4 && subject.k >= 1 && subject.i >= 1 &&
               subject.algorithms[static_cast<std::size_t>(Collective::all_reduce)] ==
                   Algorithm::direct;
      },
      "matmul mesh=x1 i=1 j=0 k=1 A[i,k] B[k,j] -> C[i,j] wire=bf16 algorithm.all_reduce=direct "
      "data=given A=0 B=");
}

/// A case with a step of that kind over more than one rank.
bool has_step(const ProductCase& subject, Step::Kind kind) {
  if (!subject.plan || rank_count(subject.mesh) < 2) return false;
  return std::any_of(subject.plan->begin(), subject.plan->end(), [&](const Step& step) {
    return step.kind == kind &&
           subject.mesh.axes[static_cast<std::size_t>(step.mesh_axis)].size > 1;
  });
}

TEST(Minimise, AWovenStepOnTheSmallestRingOrSquare) {
  const std::map<Step::Kind, std::string> minima{
      {Step::Kind::local_scatter,
       "matmul mesh=x2 i=0 j=0 k=0 A[i,k/x] B[k/x,j] -> C[i,j] plan=local_scatter:C/x "
       "data=given A= B="},
      {Step::Kind::cannon,
       "matmul mesh=x2,y2 i=0 j=0 k=0 A[i/x,k/y] B[k/x,j/y] -> C[i,j] plan=cannon:x/y "
       "data=given A= B="}};
  for (const auto& [kind, minimum] : minima) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 4000 && found < 5; ++seed) {
      const ProductCase subject = case_of(seed);
      const Predicate still_fails = [wanted = kind](const ProductCase& candidate) {
        return has_step(candidate, wanted);
      };
      if (!still_fails(subject)) continue;
      ++found;
      EXPECT_EQ(print(minimised(subject, still_fails, 100000).subject), minimum)
          << "from " << print(subject);
    }
    EXPECT_EQ(found, 5);
  }
}

TEST(Minimise, AWovenStepGivesWayToItsSteps) {
  const Predicate multiplies_two_ks = [](const ProductCase& subject) {
    return subject.k >= 2 && subject.plan && rank_count(subject.mesh) >= 4;
  };
  const ProductCase subject =
      read("matmul mesh=x2,y2 i=2 j=2 k=2 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y");
  const auto smallest =
      std::get<ProductCase>(minimised(subject, multiplies_two_ks, 100000).subject);
  for (const Step& step : smallest.plan.value_or(Plan{})) {
    EXPECT_FALSE(is_woven(step.kind));
  }
}

TEST(Minimise, ItsResultIsAFixedPoint) {
  const Predicate still_fails = [](const ProductCase& subject) {
    return subject.i * subject.j >= 4 && subject.a.columns.over == subject.b.rows.over;
  };
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ProductCase subject = case_of(seed);
    if (!still_fails(subject)) continue;
    const Minimised once = minimised(subject, still_fails, 100000);
    const Minimised twice = minimised(std::get<ProductCase>(once.subject), still_fails, 100000);
    EXPECT_EQ(once.subject, twice.subject);
  }
}

TEST(Minimise, StopsWhenItsBudgetIsSpentAndKeepsTheBest) {
  const ProductCase subject = case_of(1);
  std::int64_t improvements = 0;
  const Minimised result = minimise(
      subject, [](const Case&) { return true; }, 1, [&](const Case&) { ++improvements; });
  EXPECT_TRUE(result.budget_spent);
  EXPECT_EQ(result.candidates_tried, 1);
  EXPECT_EQ(improvements, 1);
  EXPECT_TRUE(is_smaller(measure(result.subject), measure(subject)));
}

TEST(Minimise, WhatNothingSmallerShowsStaysAsItWas) {
  const ProductCase subject = case_of(2);
  const Minimised result = minimise(
      subject, [&](const Case& candidate) { return candidate == Case(subject); }, 100000);
  EXPECT_EQ(result.subject, Case(subject));
  EXPECT_FALSE(result.budget_spent);
}

}  // namespace
}  // namespace shardcheck
