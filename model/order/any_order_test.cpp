#include "any_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <shardcheck/model/simulated/every_tree.h>

// The sets against every tree, one tree after the other, in the generic arithmetic.

namespace shardcheck::model {
namespace {

Bits sent(const DtypeCombination& dtypes, Bits x) {
  return convert(dtypes.wire, dtypes.acc, convert(dtypes.acc, dtypes.wire, x));
}

/// All that one tree gives, its operands sent or not.
std::vector<Bits> sums_of(const DtypeCombination& dtypes, const Tree& tree, std::size_t node,
                          const std::vector<Bits>& leaves) {
  if (node < tree.leaf_count) return {leaves[node]};
  const auto operands = [&](std::size_t child) {
    std::vector<Bits> values = sums_of(dtypes, tree, child, leaves);
    const std::size_t count = values.size();
    for (std::size_t n = 0; n < count; ++n) values.push_back(sent(dtypes, values[n]));
    drop_repeats(dtypes.acc, values);
    return values;
  };
  const Tree::Node& at = tree.inner[node - tree.leaf_count];
  std::vector<Bits> sums;
  const std::vector<Bits> right = operands(at.right);
  for (const Bits x : operands(at.left)) {
    for (const Bits y : right) sums.push_back(add(dtypes.acc, x, y));
  }
  drop_repeats(dtypes.acc, sums);
  return sums;
}

struct Enumerated {
  std::int64_t trees = 0;
  std::vector<Bits> sums;
};

Enumerated over_all_trees(const DtypeCombination& dtypes, const std::vector<Bits>& leaves) {
  Enumerated result;
  Tree tree{leaves.size(), 0, {}};
  for_each_tree(tree, 1, [&](const Tree& one) {
    ++result.trees;
    const std::vector<Bits> sums = sums_of(dtypes, one, one.root, leaves);
    result.sums.insert(result.sums.end(), sums.begin(), sums.end());
    if (result.sums.size() > 100000) drop_repeats(dtypes.acc, result.sums);
  });
  drop_repeats(dtypes.acc, result.sums);
  return result;
}

/// Trees over leaves `begin` to `end` as they stand; `inner` ends with the root.
std::vector<Tree> ordered_trees(std::size_t leaf_count, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return {Tree{leaf_count, begin, {}}};
  std::vector<Tree> trees;
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    for (const Tree& left : ordered_trees(leaf_count, begin, middle)) {
      for (const Tree& right : ordered_trees(leaf_count, middle, end)) {
        Tree tree = left;
        const std::size_t shift = left.inner.size();
        const auto moved = [&](std::size_t node) {
          return node < leaf_count ? node : node + shift;
        };
        for (const Tree::Node& node : right.inner) {
          tree.inner.push_back({moved(node.left), moved(node.right)});
        }
        tree.inner.push_back({left.root, moved(right.root)});
        tree.root = leaf_count + tree.inner.size() - 1;
        trees.push_back(std::move(tree));
      }
    }
  }
  return trees;
}

Enumerated over_ordered_trees(const DtypeCombination& dtypes, const std::vector<Bits>& leaves) {
  Enumerated result;
  for (const Tree& tree : ordered_trees(leaves.size(), 0, leaves.size())) {
    ++result.trees;
    const std::vector<Bits> sums = sums_of(dtypes, tree, tree.root, leaves);
    result.sums.insert(result.sums.end(), sums.begin(), sums.end());
  }
  drop_repeats(dtypes.acc, result.sums);
  return result;
}

std::vector<SumSet> singletons(const std::vector<Bits>& leaves) {
  std::vector<SumSet> sets;
  for (const Bits leaf : leaves) sets.push_back({leaf});
  return sets;
}

constexpr SetLimits ample{.contributions_max = 20,
                          .values_max = std::int64_t{1} << 40,
                          .additions_left = std::int64_t{1} << 40};

/// How many sums there are in any order.
std::size_t expect_equal_sets(const DtypeCombination& dtypes, const std::vector<Bits>& leaves) {
  const std::vector<SumSet> contributions = singletons(leaves);
  SetLimits limits = ample;
  const Enumerated trees = over_all_trees(dtypes, leaves);
  std::int64_t expected_trees = 1;
  for (std::size_t n = 2; n < leaves.size(); ++n) {
    expected_trees *= 2 * static_cast<std::int64_t>(n) - 1;
  }
  EXPECT_EQ(trees.trees, expected_trees);
  std::string text;
  for (const Bits leaf : leaves) text += " " + std::to_string(value_of(dtypes.acc, leaf));
  EXPECT_EQ(sums_in_any_order(dtypes, contributions, limits), trees.sums) << text;
  EXPECT_EQ(sums_in_rank_order(dtypes, contributions, limits),
            over_ordered_trees(dtypes, leaves).sums)
      << text;
  return trees.sums.size();
}

/// acc = wire, and wires narrower than acc, one of them without infinity.
const std::vector<DtypeCombination>& tried_dtypes() {
  static const std::vector<DtypeCombination> tried{
      {Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32},
      {Dtype::f64, Dtype::f64, Dtype::f64, Dtype::f64},
      {Dtype::f16, Dtype::f16, Dtype::f16, Dtype::f16},
      {Dtype::bf16, Dtype::bf16, Dtype::bf16, Dtype::f32},
      {Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16},
      {Dtype::f16, Dtype::f32, Dtype::f16, Dtype::f16},
      {Dtype::bf16, Dtype::bf16, Dtype::f8e5m2, Dtype::bf16},
      {Dtype::f8e4m3fn, Dtype::f32, Dtype::f8e4m3fn, Dtype::f32},
      {Dtype::f32, Dtype::f64, Dtype::f32, Dtype::f32}};
  return tried;
}

TEST(AnyOrder, IsWhatAllTreesGive) {
  std::size_t sums = 0;
  for (const DtypeCombination& dtypes : tried_dtypes()) {
    for (std::size_t count = 1; count <= 5; ++count) {
      for (std::uint32_t seed = 0; seed < 8; ++seed) {
        sums += expect_equal_sets(dtypes, normal_leaves(dtypes, count, seed));
      }
    }
    // The enumeration of a narrow wire grows by four a node.
    const std::size_t most = dtypes.wire == dtypes.acc ? 7 : 6;
    sums += expect_equal_sets(dtypes, normal_leaves(dtypes, most, 100));
  }
  EXPECT_GT(sums, 2000U);
}

TEST(AnyOrder, IsWhatAllTreesGiveOnSpecialValues) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const DtypeCombination& dtypes : tried_dtypes()) {
    const double largest = float_format(dtypes.acc).largest_value;
    const double least = std::ldexp(1.0, float_format(dtypes.acc).unit_exponent);
    const double sent_least = std::ldexp(1.0, float_format(dtypes.wire).unit_exponent);
    const std::vector<std::vector<double>> data{
        {-0.0, -0.0, -0.0},
        {-0.0, 0.0, -0.0, 1},
        {1, -1, -0.0, -0.0},
        {infinite, 1, -2, 3},
        {infinite, -infinite, 1},
        {std::nan(""), 1, 2},
        {largest, largest, -largest, 1},
        {largest, largest / 2, -largest, largest / 4},
        {least, -least, 3 * least, 1, -1},
        {-sent_least / 4, -sent_least / 8, -0.0, -sent_least / 4},
        {-sent_least / 4, 0.0, 0.0, -sent_least / 8},
        {0.0, 0.0, 0.0, 257, 0.0},
        {1, 1, 1, 256, 1, 1},
        {464, 1, -300, 16}};
    for (const std::vector<double>& values : data) {
      std::vector<Bits> leaves;
      for (const double value : values) leaves.push_back(in_acc(dtypes, value));
      expect_equal_sets(dtypes, leaves);
    }
  }
}

// 2^24 + 1 is a tie of f32 that goes to 2^24.
TEST(AnyOrder, OfABigAndTwoSmallOnesHasTwoSums) {
  const DtypeCombination f32{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};
  const std::vector<SumSet> contributions{{0x4b800000}, {0x3f800000}, {0x3f800000}};
  SetLimits limits;
  EXPECT_EQ(sums_in_any_order(f32, contributions, limits), (SumSet{0x4b800000, 0x4b800001}));
  EXPECT_EQ(limits.additions_left, SetLimits{}.additions_left - 3 - 3);  // pairs, and 3 splits
}

TEST(AnyOrder, OfSetsIsTheUnionOverTheirValues) {
  const DtypeCombination dtypes{Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16};
  const std::vector<Bits> first = normal_leaves(dtypes, 4, 1);
  const std::vector<Bits> second = normal_leaves(dtypes, 4, 2);
  std::vector<SumSet> contributions;
  for (std::size_t n = 0; n < 4; ++n) {
    contributions.push_back({first[n], second[n]});
    drop_repeats(dtypes.acc, contributions.back());
  }
  std::vector<Bits> in_any_order;
  std::vector<Bits> in_rank_order;
  for (std::size_t choice = 0; choice < 16; ++choice) {
    std::vector<Bits> leaves;
    for (std::size_t n = 0; n < 4; ++n) {
      leaves.push_back((choice >> n & 1U) != 0 ? second[n] : first[n]);
    }
    const auto append = [](std::vector<Bits>& to, const std::vector<Bits>& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    append(in_any_order, over_all_trees(dtypes, leaves).sums);
    append(in_rank_order, over_ordered_trees(dtypes, leaves).sums);
  }
  drop_repeats(dtypes.acc, in_any_order);
  drop_repeats(dtypes.acc, in_rank_order);
  SetLimits limits = ample;
  EXPECT_EQ(sums_in_any_order(dtypes, contributions, limits), in_any_order);
  EXPECT_EQ(sums_in_rank_order(dtypes, contributions, limits), in_rank_order);
}

TEST(AnyOrder, StopsAtItsLimits) {
  const DtypeCombination f32{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};
  const DtypeCombination narrow{Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16};
  const auto many = singletons(normal_leaves(f32, 13, 3));
  const auto few = singletons(normal_leaves(f32, 6, 4));
  SetLimits twelve{.additions_left = ample.additions_left};
  EXPECT_FALSE(sums_in_any_order(f32, many, twelve));
  EXPECT_EQ(twelve.additions_left, ample.additions_left);
  SetLimits three_values{.values_max = 3, .additions_left = ample.additions_left};
  EXPECT_FALSE(sums_in_any_order(narrow, few, three_values));
  EXPECT_FALSE(sums_in_rank_order(narrow, few, three_values));
  SetLimits additions{.additions_left = 400};
  EXPECT_FALSE(sums_in_any_order(f32, few, additions));
  SetLimits enough{.additions_left = 100000};
  EXPECT_TRUE(sums_in_any_order(f32, few, enough));
  EXPECT_GT(enough.additions_left, 0);
}

TEST(AnyOrder, CountsZerosOnce) {
  const DtypeCombination f32{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};
  std::vector<SumSet> contributions(30, SumSet{0});
  contributions.push_back({0x80000000});
  SetLimits limits;
  EXPECT_EQ(sums_in_any_order(f32, contributions, limits), SumSet{0});
}

TEST(AnyOrder, RoundsItsSumsToOutOnceEach) {
  const DtypeCombination dtypes{Dtype::bf16, Dtype::f32, Dtype::f32, Dtype::bf16};
  // 256, 257 (a tie, to 256), 258, −0, +0, NaN.
  const SumSet sums{0x80000000, 0, 0x43800000, 0x43808000, 0x43810000, 0x7fc00000};
  EXPECT_EQ(rounded_to_out(dtypes, sums), (std::vector<Bits>{0x8000, 0, 0x4380, 0x4381, 0x7fc0}));
}

}  // namespace
}  // namespace shardcheck::model
