#pragma once

/// The input values of a case of collectives: a pure function of (regime, seed, rank, position,
/// dtypes, operator, P), part of the case format as those of products are (inputs.h).
/// docs/collectives.md, "Input values", states the function in full.

#include <cstdint>

#include <shardcheck/model/case/calls_case.h>
#include "regimes.h"

namespace shardcheck {

/// Any thread. Keeps a reference to the case.
class CollectiveInputs {
 public:
  explicit CollectiveInputs(const CallsCase& subject);

  /// Element `index` of the rank's input, in dtype `in`. `position`: where it stands in the whole
  /// vector if the input is the member's block of it, else `index` again.
  Bits at(std::int64_t rank, std::int64_t index, std::int64_t position) const;

 private:
  Bits ints(std::int64_t rank, std::int64_t position, std::uint64_t hash) const;
  Bits rounding(std::int64_t rank, std::int64_t position, std::uint64_t hash) const;
  Bits probe(std::int64_t rank, std::int64_t position) const;

  InputPlace place(std::int64_t rank, std::int64_t position) const;

  Bits shown_sum(std::int64_t rank, std::int64_t position, std::uint64_t hash) const;
  Bits shown_product(std::int64_t rank, std::int64_t position, std::uint64_t hash) const;
  Bits extreme(std::int64_t rank, std::int64_t position, std::uint64_t hash) const;
  Bits one_bit(std::int64_t rank, std::int64_t position) const;

  bool is_bitwise() const { return op_ == Operator::bit_and || op_ == Operator::bit_or; }
  bool is_compared() const { return op_ == Operator::min || op_ == Operator::max; }
  /// Where members are compared, a position has one that is beyond all others.
  bool is_extreme(std::int64_t rank, std::int64_t position) const;
  /// Of ⌈P / at_most⌉ classes of members, a position shows one.
  bool is_shown(std::int64_t member, std::int64_t position, std::int64_t at_most) const;
  /// By how many places what a position shows is turned, less than `places`.
  std::int64_t turn(std::int64_t position, std::int64_t places) const;

  const CallsCase& case_;
  Operator op_ = Operator::sum;  ///< sum where nothing reduces
  std::int64_t members_ = 1;     ///< 1 where nothing reduces
  std::uint64_t seed_ = 0;
  int bits_ = 1;              ///< significant bits of the narrower of in and acc
  std::int64_t largest_ = 1;  ///< up to which `in` holds all integers, at most 99
};

}  // namespace shardcheck
