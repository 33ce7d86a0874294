#pragma once

/// What recursive halving and doubling do with a number of members that is no power of two
/// (docs/collectives.md, "Folded ranks"): the largest power of two of them goes on, each of the
/// first standing for two members.
///
///     P = 6: folded ranks 0, 1, 2, 3 are members 1, 3, 4, 5; member 0 folds into 1, and 2 into 3
///
/// Source: Thakur, Rabenseifner, Gropp (2005), section 4.

#include <bit>
#include <cstdint>

namespace shardcheck::model {

struct FoldedRanks {
  std::int64_t member_count = 1;
  std::int64_t count = 1;  ///< of folded ranks: p2
  std::int64_t pairs = 0;  ///< folded ranks that stand for two members

  explicit FoldedRanks(std::int64_t members)
      : member_count(members),
        count(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(members)))),
        pairs(members - count) {}

  bool is_pair(std::int64_t folded) const { return folded < pairs; }

  /// The member that goes on.
  std::int64_t member(std::int64_t folded) const {
    return is_pair(folded) ? 2 * folded + 1 : folded + pairs;
  }

  /// The folded rank that stands for a member.
  std::int64_t folded(std::int64_t member) const {
    return member < 2 * pairs ? member / 2 : member - pairs;
  }

  /// Whether a member leaves its part to its successor.
  bool is_folded_in(std::int64_t member) const { return member < 2 * pairs && member % 2 == 0; }
};

}  // namespace shardcheck::model
