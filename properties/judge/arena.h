#pragma once

/// The memory in which a backend runs. It belongs to the harness, so that what a backend must not
/// do can be seen afterwards: inputs are compared with a copy, guards of canary bytes lie on both
/// sides of every buffer, and outputs start as poison.
///
///     Arena arena;
///     arena.fill(c, state, 0);
///     backend.run({c, arena.ranks(), false});
///     arena.changed_input(0, Tensor::a)     // index of the first changed element, or nothing
///
/// The memory is kept from case to case.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/plan_rules.h>

#include "guarded_memory.h"
#include "poison.h"

namespace shardcheck {

/// One thread.
class Arena {
 public:
  /// Gives each rank its shards of A and B as `start` says and an output with room for all of C.
  /// `salt`: see Poison.
  /// Requires: the case is valid; `start` has one shard a rank.
  void fill(const ProductCase& subject, const model::PlanState& start, std::uint64_t salt);

  /// By rank. Valid until the next fill().
  std::span<const RankMemory> ranks() const { return ranks_; }

  /// Position of the first element of A or B that isn't what it was.
  std::optional<std::int64_t> changed_input(std::int64_t rank, Tensor tensor) const;

  /// `buffer` is the tensor's number: A, B or C.
  std::optional<GuardedMemory::GuardDamage> damaged_guard(std::int64_t rank) const;

  /// True if the element of the output is still poison.
  bool is_untouched(std::int64_t rank, std::int64_t position) const;

  /// First position of the output, from `from` on, that is no longer poison.
  std::optional<std::int64_t> first_touched(std::int64_t rank, std::int64_t from) const;

 private:
  void fill_inputs(const ProductCase& subject, const model::PlanState& start);

  GuardedMemory memory_;  ///< of each rank A, B and C
  Poison poison_;
  std::vector<std::size_t> bytes_;
  std::vector<RankMemory> ranks_;
  std::vector<Bits> values_;  ///< A or B whole, while shards are filled
  Dtype in_ = Dtype::f32;
  std::int64_t output_elements_ = 0;
};

}  // namespace shardcheck
