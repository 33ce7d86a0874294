#pragma once

/// For tests: every binary tree there is, one after the other, and values to hang on them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/exact/native.h>

namespace shardcheck::model {

/// A binary tree: nodes below `leaf_count` are leaves, in the order of the contributions.
struct Tree {
  struct Node {
    std::size_t left = 0;
    std::size_t right = 0;
  };
  std::size_t leaf_count = 0;
  std::size_t root = 0;
  std::vector<Node> inner;  ///< node leaf_count + n
};

/// Ascending, each once, NaN last.
inline void drop_repeats(Dtype dtype, std::vector<Bits>& values) {
  const auto place = [dtype](Bits x) { return is_nan(dtype, x) ? ~Bits{0} : order_of(dtype, x); };
  std::sort(values.begin(), values.end(), [&](Bits x, Bits y) { return place(x) < place(y); });
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Calls visit(tree) for each of the (2n − 3)!! trees: leaf m goes beside each node of each tree
/// over the leaves before it.
template <class Visit>
void for_each_tree(Tree& tree, std::size_t leaf, const Visit& visit) {
  if (leaf == tree.leaf_count) {
    visit(tree);
    return;
  }
  const std::size_t inner_count = tree.inner.size();
  const std::size_t added = tree.leaf_count + inner_count;
  const std::size_t root = tree.root;
  tree.root = added;
  tree.inner.push_back({root, leaf});
  for_each_tree(tree, leaf + 1, visit);
  tree.inner.pop_back();
  tree.root = root;
  for (std::size_t n = 0; n < inner_count; ++n) {
    for (const bool is_left : {true, false}) {
      const Tree::Node before = tree.inner[n];
      (is_left ? tree.inner[n].left : tree.inner[n].right) = added;
      tree.inner.push_back({is_left ? before.left : before.right, leaf});
      for_each_tree(tree, leaf + 1, visit);
      tree.inner.pop_back();
      tree.inner[n] = before;
    }
  }
}

/// The nearest value of acc.
inline Bits in_acc(const DtypeCombination& dtypes, double value) {
  const FloatFormat& format = float_format(dtypes.acc);
  return pattern_of(format, round_to(format, value));
}

/// Full-width values of both signs, of six binades.
inline std::vector<Bits> normal_leaves(const DtypeCombination& dtypes, std::size_t count,
                                       std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Bits> leaves;
  for (std::size_t n = 0; n < count; ++n) {
    const double magnitude = 1 + static_cast<double>(random()) * 0x1p-32;
    const double sign = random() % 2 == 0 ? 1 : -1;
    leaves.push_back(
        in_acc(dtypes, sign * std::ldexp(magnitude, static_cast<int>(random() % 6) - 3)));
  }
  return leaves;
}

}  // namespace shardcheck::model
