#pragma once

/// The memory in which collectives run: as judge/arena.h for products. An output has room for what
/// any member may get; in place the input lies in it, and the rest of it is poison. A rank that
/// brings nothing, as all but the root of a broadcast, has an empty input: there is nothing to
/// read.
///
///     CollectiveArena arena;
///     arena.fill(expectation, 0);
///     backend.run({c, arena.ranks(), false});

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/collective/expect.h>
#include <shardcheck/properties/judge/guarded_memory.h>
#include <shardcheck/properties/judge/poison.h>

namespace shardcheck {

/// Every rank's input, in its order, in dtype in.
std::vector<std::vector<Bits>> inputs_by_rank(const model::CollectiveExpectation& expectation);

/// One thread. Kept from case to case.
class CollectiveArena {
 public:
  /// `salt`: see Poison.
  void fill(const model::CollectiveExpectation& expectation, std::uint64_t salt);

  /// By rank. Valid until the next fill().
  std::span<const RankMemory> ranks() const { return ranks_; }

  /// The first element of an input that isn't what it was; nothing in place.
  std::optional<std::int64_t> changed_input(std::size_t rank) const;

  std::optional<GuardedMemory::GuardDamage> damaged_guard(std::size_t rank) const {
    return memory_.damaged_guard(rank);
  }
  /// Of a buffer as GuardDamage numbers it.
  std::string_view buffer_name(std::size_t number) const {
    return number == output_number_ ? "the output" : "the input";
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

  void lay_out(const std::vector<std::vector<Bits>>& inputs);

  GuardedMemory memory_;
  Poison poison_;
  std::vector<std::size_t> bytes_;
  std::vector<RankMemory> ranks_;
  std::vector<Place> places_;
  std::size_t output_number_ = 1;
  std::int64_t room_ = 0;
  std::size_t width_ = 1;
};

}  // namespace shardcheck
