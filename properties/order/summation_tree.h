#pragma once

/// The order in which terms are added, as a tree: leaves are terms, a node is one addition.
///
///     left_fold({term(1), term(2), term(0)})    // (x_1 + x_2) + x_0, printed [1 2 0]

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shardcheck {

/// A leaf if it has no parts. A node of more than two parts adds them in one go, or in an order
/// that can't be told apart. a + b = b + a: the order of parts has no meaning, and none is kept.
struct SummationTree {
  std::int64_t leaf = -1;
  std::vector<SummationTree> parts;  ///< ascending by least leaf

  bool operator==(const SummationTree&) const = default;
};

SummationTree term(std::int64_t leaf);

/// Requires: two or more parts that share no leaf.
SummationTree sum(std::vector<SummationTree> parts);

/// ((t_0 + t_1) + t_2) + … Requires: not empty.
SummationTree left_fold(const std::vector<SummationTree>& terms);

/// Ascending.
std::vector<std::int64_t> leaves(const SummationTree& tree);

/// Each leaf replaced by what it stands for; where that is nothing, as if the leaf had not been.
/// Nothing if no leaf stands for anything.
std::optional<SummationTree> substituted(
    const SummationTree& tree,
    const std::function<std::optional<SummationTree>(std::int64_t)>& meaning);

/// For each pair of leaves, given as places in `of`, how many leaves lie below the node where they
/// meet: entry a · count + b. Requires: `of` holds the tree's leaves, ascending.
std::vector<std::int64_t> meeting_sizes(const SummationTree& tree,
                                        const std::vector<std::int64_t>& of);

/// "[1 2 0]" is (1 + 2) + 0: what stands in brackets is added from the left. A node of three parts
/// or more is "{a b c}".
std::string print(const SummationTree& tree,
                  const std::function<std::string(std::int64_t)>& name_of_leaf);

}  // namespace shardcheck
