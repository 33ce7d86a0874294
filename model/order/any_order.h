#pragma once

/// Every sum that some legal order gives, exactly: what is allowed where an order is free.
///
/// A node of a tree is round_acc(a' + b'), a' and b' being its operands as they are or rounded to
/// wire, for either may have been sent. Whether a tree's root is rounded once more is the caller's
/// to say.
///
///   any order    the trees whose leaves come in any order, (2n − 3)!! of them. Dynamic programming
///                over subsets: what a subset can add up to is what two sets that part it can.
///   rank order   the trees whose leaves stay in order, a Catalan number of them: over intervals.
///
///     {2^24, 1, 1} in f32, any order: {2^24, 2^24 + 2}
///
/// Products likewise: a' · b' in place of a' + b'.
///
/// A contribution is itself a set, of the values that it may have: {x} for a known partial. Of
/// contributions {+0} one stands for all: x + 0 = x, which at most turns −0 into +0 or lets the
/// other operand be rounded to wire, and once is as good as twice.
///
/// A set is a sorted list of patterns in dtype acc: ascending, −0 before +0, the canonical NaN
/// last.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>

namespace shardcheck::model {

using SumSet = std::vector<Bits>;

/// What a node does with its operands before it rounds.
enum class Combination : std::uint8_t { sum, product };

/// What a computation of sets may cost. It depends on the operands alone, never on a clock.
struct SetLimits {
  std::int64_t contributions_max = 12;  ///< in any order; summands that are {+0} count as one
  std::int64_t values_max = 4096;       ///< of any subset or interval
  std::int64_t additions_left = std::int64_t{1} << 22;  ///< counted down
};

/// Nothing if that is beyond the limits. Requires: a float acc, a contribution, no empty one.
std::optional<SumSet> sums_in_any_order(const DtypeCombination& dtypes,
                                        std::span<const SumSet> contributions, SetLimits& limits,
                                        Combination combination = Combination::sum);

/// Likewise for trees over the contributions as they stand; contributions_max plays no part.
std::optional<SumSet> sums_in_rank_order(const DtypeCombination& dtypes,
                                         std::span<const SumSet> contributions, SetLimits& limits);

/// Of values in acc, what they are in dtype wire and widened again.
SumSet through_wire(const DtypeCombination& dtypes, const SumSet& sums);

/// Of values in acc, what they are in dtype out: ascending again, NaN last.
std::vector<Bits> rounded_to_out(const DtypeCombination& dtypes, const SumSet& sums);

}  // namespace shardcheck::model
