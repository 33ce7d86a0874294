#include "product.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>

#include <shardcheck/properties/generate/draw.h>

#include "parts.h"

namespace shardcheck {
namespace {

/// A source that has run dry.
class NoEntropy final : public Entropy {
 public:
  std::uint64_t below(std::uint64_t) override { return 0; }
};

ProductCase case_of(std::uint64_t seed) {
  SeededEntropy entropy(seed);
  return generate_product(entropy);
}

TEST(Generate, TheSameEntropyGivesTheSameCase) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) EXPECT_EQ(case_of(seed), case_of(seed));
  EXPECT_FALSE(case_of(0) == case_of(1));
}

TEST(Generate, EveryCaseCanBeWrittenAndReadBack) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const ProductCase subject = case_of(seed);
    const std::string line = print(subject);
    const auto again = parse_product(line);
    ASSERT_TRUE(again.has_value()) << line << "\n" << print(again.error());
    ASSERT_EQ(*again, subject) << line;
  }
}

TEST(Generate, EveryCaseHasALegalPlan) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const ProductCase subject = case_of(seed);
    const auto plan = model::resolve(subject);
    ASSERT_TRUE(plan.has_value()) << print(subject) << "\n" << plan.error();
  }
}

TEST(Generate, AnExhaustedSourceGivesASmallPlainCase) {
  NoEntropy entropy;
  const auto expected = parse_product("matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j]");
  ASSERT_TRUE(expected.has_value());
  EXPECT_EQ(print(generate_product(entropy)), print(*expected));
}

TEST(Generate, RanksAndSizesStaySmall) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const ProductCase subject = case_of(seed);
    EXPECT_LE(rank_count(subject.mesh), 24);
    EXPECT_LE(std::max({subject.i, subject.j, subject.k}), 40);
  }
}

TEST(Generate, EveryCombinationOfDtypesIsReached) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    SeededEntropy entropy(seed);
    const DtypeCombination combination = draw_dtypes(entropy, ProductScope{});
    ASSERT_TRUE(is_legal(combination));
    std::string text;
    for (const Dtype dtype : {combination.in, combination.acc, combination.wire, combination.out}) {
      text += info(dtype).name;
      text += ' ';
    }
    seen.insert(text);
  }
  EXPECT_EQ(seen.size(), legal_combinations().size());
}

/// Each kind as often as a goal asks, with uneven and empty parts among them.
TEST(Generate, WovenStepsComeUpOnLayoutsOfEverySort) {
  std::map<Step::Kind, int> seen;
  std::map<Split::Rule, int> rules;
  int moved_before = 0;
  int moved_after = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const ProductCase subject = case_of(seed);
    if (!subject.plan) continue;
    const Plan& plan = *subject.plan;
    const auto woven = std::find_if(plan.begin(), plan.end(),
                                    [](const Step& step) { return is_woven(step.kind); });
    if (woven == plan.end()) continue;
    ++seen[woven->kind];
    ++rules[subject.a.columns.split.rule];
    moved_before += woven == plan.begin() ? 0 : 1;
    moved_after += woven + 1 == plan.end() ? 0 : 1;
  }
  for (const Step::Kind kind : {Step::Kind::gather_local, Step::Kind::local_scatter,
                                Step::Kind::summa, Step::Kind::cannon}) {
    EXPECT_GE(seen[kind], 20) << static_cast<int>(kind);
  }
  EXPECT_EQ(rules.size(), 5U);
  EXPECT_GE(moved_before, 20);
  EXPECT_GE(moved_after, 20);
}

TEST(Split, SizesAddUpToTheExtent) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SeededEntropy entropy(seed);
    const std::int64_t extent = between(entropy, 0, 9);
    const std::int64_t count = between(entropy, 1, 6);
    const Split split = draw_split(entropy, Split::Rule::sizes, extent, count);
    ASSERT_EQ(split.sizes.size(), static_cast<std::size_t>(count));
    std::int64_t total = 0;
    for (const std::int64_t size : split.sizes) {
      EXPECT_GE(size, 0);
      total += size;
    }
    EXPECT_EQ(total, extent);
  }
}

TEST(Split, SetsHoldEveryIndexOnce) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SeededEntropy entropy(seed);
    const std::int64_t extent = between(entropy, 0, 9);
    const std::int64_t count = between(entropy, 1, 6);
    const Split split = draw_split(entropy, Split::Rule::sets, extent, count);
    ASSERT_EQ(split.sets.size(), static_cast<std::size_t>(count));
    std::vector<std::int64_t> all;
    for (const auto& set : split.sets) all.insert(all.end(), set.begin(), set.end());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), static_cast<std::size_t>(extent));
    for (std::size_t index = 0; index < all.size(); ++index) {
      EXPECT_EQ(all[index], static_cast<std::int64_t>(index));
    }
  }
}

TEST(Split, SetsAreOftenOutOfOrder) {
  int out_of_order = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededEntropy entropy(seed);
    const Split split = draw_split(entropy, Split::Rule::sets, 8, 2);
    for (const auto& set : split.sets) {
      if (!std::is_sorted(set.begin(), set.end())) {
        ++out_of_order;
        break;
      }
    }
  }
  EXPECT_GT(out_of_order, 30);
  EXPECT_LT(out_of_order, 90);
}

}  // namespace
}  // namespace shardcheck
