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
/// Poison of a float dtype is a NaN, so that an element left unwritten is never right by accident;
/// of an integer dtype it is a pseudo-random word. It depends on the position, so that moved poison
/// is seen too. The memory is kept from case to case.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/case.h>
#include <shardcheck/model/plan_rules.h>

namespace shardcheck {

/// One thread.
class Arena {
 public:
  /// Gives each rank its shards of A and B as `start` says and an output with room for all of C.
  /// Another `salt` gives other poison: what a run left unwritten differs in the next one.
  /// Requires: the case is valid; `start` has one shard a rank.
  void fill(const Case& subject, const model::PlanState& start, std::uint64_t salt);

  /// By rank. Valid until the next fill().
  std::span<const RankMemory> ranks() const { return ranks_; }

  /// Position of the first element of A or B that isn't what it was.
  std::optional<std::int64_t> changed_input(std::int64_t rank, Tensor tensor) const;

  /// Signed distance in bytes from the buffer (A, B or C) whose guard was overwritten: −1 is the
  /// byte before it, 0 the first byte after its end.
  struct GuardDamage {
    Tensor tensor = Tensor::c;
    std::int64_t distance = 0;
  };
  std::optional<GuardDamage> damaged_guard(std::int64_t rank) const;

  /// True if the element of the output is still poison.
  bool is_untouched(std::int64_t rank, std::int64_t position) const;

  /// First position of the output, from `from` on, that is no longer poison.
  std::optional<std::int64_t> first_touched(std::int64_t rank, std::int64_t from) const;

 private:
  void lay_out(const model::PlanState& start);
  void fill_inputs(const Case& subject, const model::PlanState& start);
  void fill_outputs_and_guards();
  bool guard_is_whole(std::size_t begin, std::size_t end) const;
  Bits poison(std::int64_t rank, std::int64_t position) const;

  /// Where one rank's buffers lie in memory_. The guards are what lies between them.
  struct Place {
    std::size_t begin = 0;                ///< of the guard before A
    std::array<std::size_t, 3> buffer{};  ///< of A, B, C
    std::array<std::size_t, 3> bytes{};
    std::size_t end = 0;     ///< of the guard after C
    std::size_t copy_a = 0;  ///< in pristine_
    std::size_t copy_b = 0;
  };

  std::unique_ptr<std::byte[]> memory_;
  std::size_t capacity_ = 0;
  std::size_t base_ = 0;  ///< offset of the first aligned byte
  std::vector<std::byte> pristine_;
  std::vector<Place> places_;
  std::vector<RankMemory> ranks_;
  std::vector<Bits> values_;         ///< A or B whole, while shards are filled
  std::vector<Bits> poison_;         ///< repeated over each output, starting at another place
  std::optional<Dtype> poison_for_;  ///< the dtype that poison_ was made for
  Dtype in_ = Dtype::f32;
  Dtype out_ = Dtype::f32;
  std::int64_t output_elements_ = 0;
  std::uint64_t salt_ = 0;
};

}  // namespace shardcheck
