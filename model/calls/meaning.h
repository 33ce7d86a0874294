#pragma once

/// What a case of collectives means, from the definition of each collective and not from any
/// algorithm (docs/collectives.md, "Meaning"): the groups, what every member starts with, what it
/// ends with, and where each element comes from.
///
///     reduce_scatter mesh=x3 n=7 split.n=sizes:3,0,4: owned(0) = 0 1 2, owned(1) = nothing
///
/// Source: MPI 4.1, chapter 6.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck::model {

/// Why no backend can be asked for such a case, if so: an algorithm that the collective doesn't
/// have, an operator whose order matters under an algorithm that changes it, or blocks of several
/// sizes where one size is needed.
std::optional<std::string> refusal(const CallsCase& subject);

/// Where an element of a result stood before the last call moved it.
struct Origin {
  /// The member whose vector it is; -1: all that hold the position hold the same.
  std::int64_t source = -1;
  std::int64_t position = 0;
};

/// Any thread. Keeps a reference to the case. All groups have the same lists: they are asked for by
/// member.
class Meaning {
 public:
  /// Requires: no refusal(); the case's split, root and destinations fit its members.
  explicit Meaning(const CallsCase& subject);

  std::int64_t member_count() const { return static_cast<std::int64_t>(groups_[0].size()); }
  /// By group, by member: ranks. Groups in the order of their first ranks.
  const std::vector<std::vector<std::int64_t>>& groups() const { return groups_; }
  std::int64_t group_of(std::int64_t rank) const {
    return group_of_rank_[static_cast<std::size_t>(rank)];
  }
  std::int64_t member_of(std::int64_t rank) const {
    return member_of_rank_[static_cast<std::size_t>(rank)];
  }

  /// Positions in the whole vector of what a member starts with, in order; with `counts` places in
  /// its input.
  const IndexList& input(std::int64_t member) const;

  /// Coordinates of what a member ends with, in order.
  const IndexList& owned(std::int64_t member) const;

  /// Requires: coordinate of some result.
  Origin origin(std::int64_t coordinate) const;

  /// The parts of n. Requires: a call divides n.
  const IndexList& block(std::int64_t b) const { return blocks_[static_cast<std::size_t>(b)]; }
  /// The part that a position is in, and its place there. Requires: a call divides n.
  std::int64_t block_of(std::int64_t position) const {
    return block_of_position_[static_cast<std::size_t>(position)];
  }
  std::int64_t place_in_block(std::int64_t position) const {
    return place_in_block_[static_cast<std::size_t>(position)];
  }

  /// By member, by member: elements that the one sends to the other in an all_to_all, its own to
  /// itself among them.
  std::vector<std::vector<std::int64_t>> all_to_all_counts() const;

 private:
  void find_groups();
  void find_blocks();
  void find_moved();
  void find_moved_by_counts();

  const CallsCase& case_;
  std::vector<std::vector<std::int64_t>> groups_;
  std::vector<std::int64_t> group_of_rank_;
  std::vector<std::int64_t> member_of_rank_;
  IndexList all_;
  IndexList nothing_;
  std::vector<IndexList> blocks_;
  std::vector<std::int64_t> block_of_position_;
  std::vector<std::int64_t> place_in_block_;
  std::vector<IndexList> counted_;           ///< with `counts`: places in a member's input
  std::vector<std::int64_t> counted_begin_;  ///< with `counts`: elements of all members before
  std::vector<IndexList> moved_;             ///< results of all_to_all and permute
};

}  // namespace shardcheck::model
