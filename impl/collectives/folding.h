#pragma once

/// A group of any size as one of a power of two: what recursive halving and doubling share.
///
/// With P = p2 + rem members, p2 the largest power of two, member 2v hands its data to 2v+1 for
/// v < rem and waits for the result. The p2 that are left are numbered anew: folded rank v is
/// member 2v+1 for v < rem, else member v + rem. P = 5: member 0 folds into 1, and the folded ranks
/// 0 1 2 3 are the members 1 2 3 4. Source: docs/collectives.md, "Folded ranks"; Rabenseifner and
/// Träff, More Efficient Reduction Algorithms for Non-Power-of-Two Number of Processors, 2004.

#include "collectives.h"

namespace shardcheck::impl {

struct Folding {
  std::int64_t rank_count = 1;       ///< p2
  std::int64_t folded_in_count = 0;  ///< rem
  std::int64_t self = 0;             ///< this member's folded rank; -1: it is folded into the next
};

Folding folding_of(const Group& group);

/// The member that folded rank v is.
inline std::int64_t member_of(const Folding& folding, std::int64_t v) {
  return v < folding.folded_in_count ? 2 * v + 1 : v + folding.folded_in_count;
}

/// Whether another member is folded into this one, the one before it.
inline bool has_folded_in(const Folding& folding) {
  return folding.self >= 0 && folding.self < folding.folded_in_count;
}

/// By folded rank: where the blocks of the members that it stands for start, and the end.
std::span<std::int64_t> take_folded_starts(Workspace& workspace, const Folding& folding,
                                           BlockStarts starts);

/// The folded-in members' partials go to those that they are folded into: x_2v ⊕ x_{2v+1}, which is
/// in `sums` afterwards. The reduction as it is from then on.
Reduction fold_in(const Member& member, const Folding& folding, const Reduction& reduction,
                  std::byte* sums, std::int64_t count);

/// Recursive halving, distances p2/2, p2/4, … 1: afterwards block v, of blocks by folded rank,
/// holds the value of all, or it is home if the reduction has one; then it is finished too.
/// Requires: this member is not folded in.
void halve(const Member& member, const Folding& folding, BlockStarts starts,
           const Reduction& reduction, std::byte* sums);

/// Recursive doubling, distances 1, 2, … p2/2: block v is filled; afterwards every block is.
/// Requires: this member is not folded in.
void gather_by_doubling(const Member& member, const Folding& folding, BlockStarts starts,
                        Dtype dtype, std::byte* elements);

/// The finished vector goes back to the members that are folded in.
void hand_back(const Member& member, const Folding& folding, Dtype dtype, std::byte* elements,
               std::int64_t count);

}  // namespace shardcheck::impl
