#include "summation_tree.h"

#include <algorithm>
#include <utility>

#include <shardcheck/model/case/contract.h>

namespace shardcheck {
namespace {

std::int64_t least_leaf(const SummationTree& tree) {
  return tree.parts.empty() ? tree.leaf : least_leaf(tree.parts.front());
}

void collect(const SummationTree& tree, std::vector<std::int64_t>& into) {
  if (tree.parts.empty()) into.push_back(tree.leaf);
  for (const SummationTree& part : tree.parts) collect(part, into);
}

std::int64_t leaf_count(const SummationTree& tree) {
  std::vector<std::int64_t> all;
  collect(tree, all);
  return std::ssize(all);
}

/// The part with which a sum from the left begins; nothing if both have equally many leaves, as the
/// halves of a balanced tree do.
std::optional<std::size_t> start_of_fold(const SummationTree& tree) {
  if (tree.parts.size() != 2) return std::nullopt;
  const std::int64_t first = leaf_count(tree.parts[0]);
  const std::int64_t second = leaf_count(tree.parts[1]);
  if (first == second) return std::nullopt;
  return first > second ? 0 : 1;
}

}  // namespace

SummationTree term(std::int64_t leaf) { return {leaf, {}}; }

SummationTree sum(std::vector<SummationTree> parts) {
  SHARDCHECK_REQUIRE(parts.size() >= 2, "one part alone is no sum");
  std::ranges::sort(parts, {}, least_leaf);
  return {-1, std::move(parts)};
}

SummationTree left_fold(const std::vector<SummationTree>& terms) {
  SHARDCHECK_REQUIRE(!terms.empty(), "a tree has a leaf");
  SummationTree tree = terms.front();
  for (std::size_t index = 1; index < terms.size(); ++index) {
    tree = sum({std::move(tree), terms[index]});
  }
  return tree;
}

std::vector<std::int64_t> leaves(const SummationTree& tree) {
  std::vector<std::int64_t> all;
  collect(tree, all);
  std::ranges::sort(all);
  return all;
}

std::optional<SummationTree> substituted(
    const SummationTree& tree,
    const std::function<std::optional<SummationTree>(std::int64_t)>& meaning) {
  if (tree.parts.empty()) return meaning(tree.leaf);
  std::vector<SummationTree> parts;
  for (const SummationTree& part : tree.parts) {
    if (auto replaced = substituted(part, meaning)) parts.push_back(std::move(*replaced));
  }
  if (parts.empty()) return std::nullopt;
  return parts.size() == 1 ? std::move(parts.front()) : sum(std::move(parts));
}

std::vector<std::int64_t> meeting_sizes(const SummationTree& tree,
                                        const std::vector<std::int64_t>& of) {
  const std::size_t count = of.size();
  std::vector<std::int64_t> sizes(count * count, 1);
  const std::function<void(const SummationTree&)> fill = [&](const SummationTree& node) {
    // From the root down: what lies deeper overwrites.
    const std::vector<std::int64_t> below = leaves(node);
    for (const std::int64_t a : below) {
      const auto row = static_cast<std::size_t>(std::ranges::lower_bound(of, a) - of.begin());
      for (const std::int64_t b : below) {
        const auto column = static_cast<std::size_t>(std::ranges::lower_bound(of, b) - of.begin());
        sizes[row * count + column] = std::ssize(below);
      }
    }
    for (const SummationTree& part : node.parts) fill(part);
  };
  fill(tree);
  return sizes;
}

std::string print(const SummationTree& tree,
                  const std::function<std::string(std::int64_t)>& name_of_leaf) {
  if (tree.parts.empty()) return name_of_leaf(tree.leaf);
  std::string text;
  if (tree.parts.size() > 2) {
    for (const SummationTree& part : tree.parts) text += " " + print(part, name_of_leaf);
    return "{" + text.substr(1) + "}";
  }
  const SummationTree* node = &tree;
  while (const auto start = start_of_fold(*node)) {
    text = " " + print(node->parts[1 - *start], name_of_leaf) + text;
    node = &node->parts[*start];
  }
  if (node->parts.size() == 2) {
    text = print(node->parts[0], name_of_leaf) + " " + print(node->parts[1], name_of_leaf) + text;
  } else {
    text = print(*node, name_of_leaf) + text;
  }
  return "[" + text + "]";
}

}  // namespace shardcheck
