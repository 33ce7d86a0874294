#pragma once

/// Finds the order of a sum from the outside. Of n terms one is huge, one is its negative, and the
/// others are units so small that either huge one absorbs them. Units that meet one of the two
/// before these cancel are lost, all others come out: their number tells how many terms lie below
/// the node where the two meet. What all pairs tell is the tree.
///
/// Source: Xie, Gao, Zhou, "FPRev: Revealing the Order of Floating-Point Summation" (2024).

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "summation_tree.h"

namespace shardcheck {

enum class MaskedTerm : std::uint8_t { zero, unit, huge, negative_huge };

/// Runs the sum on terms that are so masked, and says how many units came out at each place where
/// its result is looked at (as many places each time); -1: no number of units.
using MaskedSum = std::function<tl::expected<std::vector<std::int64_t>, std::string>(
    std::span<const MaskedTerm>)>;

/// By place, as meeting_sizes() has them: entry a · count + b, by numbers of terms; -1 where what
/// came is no number of units. At most `units_max` (1 or more) terms are units in one run. An error
/// of the sum is passed on.
tl::expected<std::vector<std::vector<std::int64_t>>, std::string> seen_meeting_sizes(
    std::int64_t term_count, std::int64_t units_max, const MaskedSum& sum);

/// The tree over terms 0 … count − 1 whose meeting sizes these are, or why there is none.
tl::expected<SummationTree, std::string> tree_of(const std::vector<std::int64_t>& meeting_sizes,
                                                 std::int64_t term_count);

}  // namespace shardcheck
