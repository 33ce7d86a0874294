#pragma once

/// The memory in which a backend runs. It belongs to the harness, so that what a backend must not
/// do can be seen afterwards: inputs are compared with a copy, guards of canary bytes lie on both
/// sides of every buffer, and outputs start as poison. In place the input lies in the output, and
/// the rest of that is poison.
///
///     Arena arena;
///     arena.fill(expectation, 0);
///     backend.run({c, arena.ranks(), false});
///     arena.changed_input(0, 0)     // index of the first changed element, or nothing
///
/// The memory is kept from case to case.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/expectation/expectation.h>

#include "guarded_memory.h"
#include "poison.h"

namespace shardcheck {

/// One thread.
class Arena {
 public:
  /// Gives each rank its inputs and an output. `salt`: see Poison.
  void fill(const model::Expectation& expectation, std::uint64_t salt);

  /// By rank. Valid until the next fill().
  std::span<const RankMemory> ranks() const { return ranks_; }

  /// Inputs that have memory of their own, the first buffers of every rank. The output is the one
  /// behind them.
  std::size_t input_count() const { return input_count_; }

  /// Position of the first element of an input that isn't what it was.
  std::optional<std::int64_t> changed_input(std::size_t rank, std::size_t number) const;

  std::optional<GuardedMemory::GuardDamage> damaged_guard(std::size_t rank) const {
    return memory_.damaged_guard(rank);
  }

  /// True if the element of the output is still poison. An input that lies there is none.
  bool is_untouched(std::size_t rank, std::int64_t position) const;

  /// First position of the output, from `from` on, that is neither poison nor the place of an
  /// input.
  std::optional<std::int64_t> first_touched(std::size_t rank, std::int64_t from) const;

 private:
  /// Where an input lies in the output, in elements; empty unless in place.
  struct Place {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  void lay_out(const model::Expectation& expectation, std::size_t ranks);
  void place_inputs(const model::Expectation& expectation);

  GuardedMemory memory_;
  Poison poison_;
  std::vector<std::size_t> bytes_;
  std::vector<std::vector<std::span<std::byte>>> inputs_;       ///< by rank, by number
  std::vector<std::vector<std::span<const std::byte>>> shown_;  ///< the same, as backends see them
  std::vector<RankMemory> ranks_;
  std::vector<Place> places_;
  std::size_t input_count_ = 0;
  std::int64_t room_ = 0;
  std::size_t width_ = 1;  ///< of an element of an input
};

}  // namespace shardcheck
