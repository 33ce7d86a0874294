#include "local_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include <shardcheck/model/simulated/every_tree.h>

namespace shardcheck::model {
namespace {

/// One term after another from `sum` on, each fused or not, by choosing for each.
void every_choice(Dtype acc, const std::vector<Term>& terms, std::size_t n, Bits sum,
                  std::vector<Bits>& sums) {
  if (n == terms.size()) {
    sums.push_back(sum);
    return;
  }
  const FloatFormat& format = float_format(acc);
  const Bits a = pattern_of(format, terms[n].a);
  const Bits b = pattern_of(format, terms[n].b);
  every_choice(acc, terms, n + 1, add(acc, sum, multiply(acc, a, b)), sums);
  every_choice(acc, terms, n + 1, fused_multiply_add(acc, a, b, sum), sums);
}

std::vector<Term> terms_in(Dtype acc, std::size_t count, std::uint32_t seed) {
  std::vector<Term> terms;
  const DtypeCombination dtypes{acc, acc, acc, acc};
  const std::vector<Bits> a = normal_leaves(dtypes, count, seed);
  const std::vector<Bits> b = normal_leaves(dtypes, count, seed + 1);
  for (std::size_t n = 0; n < count; ++n) {
    terms.push_back({value_of(acc, a[n]), value_of(acc, b[n])});
  }
  return terms;
}

TEST(LocalSums, AreWhatEveryChoiceOfFusingGives) {
  for (const Dtype acc : {Dtype::f32, Dtype::f64, Dtype::bf16, Dtype::f16}) {
    const DtypeCombination dtypes{acc, acc, acc, acc};
    std::size_t most = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const std::vector<Term> terms = terms_in(acc, 9, seed);
      std::vector<Bits> sums;
      every_choice(acc, terms, 0, 0, sums);
      drop_repeats(acc, sums);
      SetLimits limits;
      EXPECT_EQ(sums_fused_or_not(dtypes, terms, limits), sums);
      most = std::max(most, sums.size());
    }
    EXPECT_GT(most, 1U);
  }
}

/// What an operand may be: as it is, or rounded to wire and widened again.
std::vector<Bits> as_operand(const DtypeCombination& dtypes, std::vector<Bits> values,
                             bool is_sent) {
  if (!is_sent) return values;
  const std::size_t count = values.size();
  for (std::size_t n = 0; n < count; ++n) {
    values.push_back(convert(dtypes.wire, dtypes.acc, convert(dtypes.acc, dtypes.wire, values[n])));
  }
  return values;
}

/// A tree over +0 and terms: leaf 0 is +0, or −0, which stands for no such leaf: −0 + x is x. A
/// node whose operand is a term may fuse it.
std::vector<Bits> free_sums_of(const DtypeCombination& dtypes, const Tree& tree, std::size_t node,
                               const std::vector<Term>& terms, const FreeTerms& how) {
  const Dtype acc = dtypes.acc;
  const FloatFormat& format = float_format(acc);
  const auto product = [&](std::size_t leaf) {
    return std::pair(pattern_of(format, terms[leaf - 1].a), pattern_of(format, terms[leaf - 1].b));
  };
  if (node == 0) return {0, convert(Dtype::f64, acc, std::bit_cast<Bits>(-0.0))};
  if (node < tree.leaf_count) {
    const auto [a, b] = product(node);
    return as_operand(dtypes, {multiply(acc, a, b)}, how.may_be_sent);
  }
  const Tree::Node& at = tree.inner[node - tree.leaf_count];
  const std::vector<Bits> left = free_sums_of(dtypes, tree, at.left, terms, how);
  const std::vector<Bits> right = free_sums_of(dtypes, tree, at.right, terms, how);
  std::vector<Bits> sums;
  for (const Bits x : left) {
    for (const Bits y : right) sums.push_back(add(acc, x, y));
  }
  const auto fuse = [&](std::size_t term, const std::vector<Bits>& others) {
    if (!how.may_be_fused || term == 0 || term >= tree.leaf_count) return;
    const auto [a, b] = product(term);
    for (const Bits sum : others) sums.push_back(fused_multiply_add(acc, a, b, sum));
  };
  fuse(at.left, right);
  fuse(at.right, left);
  drop_repeats(acc, sums);
  return as_operand(dtypes, std::move(sums), how.may_be_sent);
}

void expect_what_all_trees_give(const DtypeCombination& dtypes, const std::vector<Term>& terms,
                                const FreeTerms& how) {
  std::vector<Bits> sums;
  Tree tree{terms.size() + 1, 0, {}};
  for_each_tree(tree, 1, [&](const Tree& one) {
    const std::vector<Bits> more = free_sums_of(dtypes, one, one.root, terms, how);
    sums.insert(sums.end(), more.begin(), more.end());
  });
  drop_repeats(dtypes.acc, sums);
  SetLimits limits;
  EXPECT_EQ(sums_of_free_terms(dtypes, terms, how, limits), sums);
}

TEST(LocalSums, OfFreeTermsAreWhatAllTreesGive) {
  for (const Dtype acc : {Dtype::f32, Dtype::f64, Dtype::bf16, Dtype::f16}) {
    for (std::size_t count = 1; count <= 5; ++count) {
      for (std::uint32_t seed = 0; seed < 4; ++seed) {
        std::vector<Term> terms = terms_in(acc, count, seed);
        if (count > 2 && seed == 3) {
          terms[1] = {-0.0, 3};
          terms[2] = {-std::ldexp(1.0, float_format(acc).unit_exponent), 0.25};
        }
        expect_what_all_trees_give({acc, acc, acc, acc}, terms, {});
        expect_what_all_trees_give({acc, acc, acc, acc}, terms, {.may_be_fused = false});
      }
    }
  }
}

TEST(LocalSums, OfTermsThatMayBeSentRoundAnyOperandToWire) {
  for (const Dtype wire : {Dtype::bf16, Dtype::f8e4m3fn, Dtype::f8e5m2}) {
    for (std::size_t count = 1; count <= 4; ++count) {
      for (std::uint32_t seed = 0; seed < 4; ++seed) {
        expect_what_all_trees_give({Dtype::f32, Dtype::f32, wire, Dtype::f32},
                                   terms_in(Dtype::f32, count, seed), {.may_be_sent = true});
      }
    }
  }
}

TEST(LocalSums, OfNothingButNegativeZerosMayBeOne) {
  const DtypeCombination f32{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};
  const std::vector<Term> zeros{{-0.0, 1}, {2, -0.0}};
  SetLimits limits;
  EXPECT_EQ(sums_of_free_terms(f32, zeros, {}, limits), (SumSet{0x80000000, 0}));
  // Of no terms at all there is nothing but the +0.
  EXPECT_EQ(sums_of_free_terms(f32, {}, {}, limits), SumSet{0});
}

TEST(LocalSums, OfManyFreeTermsAreNotTried) {
  const DtypeCombination f32{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};
  SetLimits limits;
  EXPECT_FALSE(sums_of_free_terms(f32, terms_in(Dtype::f32, 8, 1), {}, limits));
  EXPECT_TRUE(sums_fused_or_not(f32, terms_in(Dtype::f32, 200, 1), limits));
  SetLimits few{.additions_left = 300};
  EXPECT_FALSE(sums_fused_or_not(f32, terms_in(Dtype::f32, 200, 1), few));
}

}  // namespace
}  // namespace shardcheck::model
