#pragma once

/// The operators of docs/collectives.md in the arithmetic of one accumulator (exact/accumulator.h):
/// what tree.h folds with.
///
///     min(−0, +0) == −0, max(−0, +0) == +0, min(x, NaN) == NaN

#include <cmath>
#include <cstdint>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/exact/accumulator.h>

namespace shardcheck::model {

/// x · y of 2×2 matrices modulo 251, entries a, b, c, d of [[a, b], [c, d]] one a byte, the lowest
/// first; a byte of 251 or more stands for what is left modulo 251.
inline std::uint64_t matrix_product(std::uint64_t x, std::uint64_t y) {
  constexpr std::uint64_t modulus = 251;
  const auto entry = [](std::uint64_t matrix, unsigned row, unsigned column) {
    return (matrix >> (8 * (2 * row + column)) & 0xff) % modulus;
  };
  std::uint64_t product = 0;
  for (unsigned row = 0; row < 2; ++row) {
    for (unsigned column = 0; column < 2; ++column) {
      const std::uint64_t sum =
          entry(x, row, 0) * entry(y, 0, column) + entry(x, row, 1) * entry(y, 1, column);
      product |= sum % modulus << (8 * (2 * row + column));
    }
  }
  return product;
}

template <class Accumulator>
class Combining {
 public:
  using Value = typename Accumulator::Value;

  Combining(const DtypeCombination& dtypes, Operator op)
      : accumulator_(dtypes), op_(op), is_signed_(info(dtypes.in).is_signed) {}

  Value widen(Bits bits) const { return accumulator_.widen(bits); }
  Value through_wire(Value x) const { return accumulator_.through_wire(x); }

  Value combine(Value x, Value y) const {
    switch (op_) {
      case Operator::sum:
      case Operator::average: return accumulator_.add(x, y);
      case Operator::product: return accumulator_.multiply(x, y);
      case Operator::min: return is_nan(x) || (!is_nan(y) && is_less(x, y)) ? x : y;
      case Operator::max: return is_nan(x) || (!is_nan(y) && is_less(y, x)) ? x : y;
      case Operator::bit_and:
      case Operator::bit_or:
      case Operator::bit_xor:
      case Operator::matrix: break;
    }
    if constexpr (Accumulator::is_float) {
      SHARDCHECK_REQUIRE(false, "and, or, xor and matrix are for integers");
      return x;
    } else {
      if (op_ == Operator::bit_and) return x & y;
      if (op_ == Operator::bit_or) return x | y;
      return op_ == Operator::bit_xor ? x ^ y : matrix_product(x, y);
    }
  }

  /// What all members' contributions, combined, are as a result, in dtype out.
  Bits finish(Value x, std::int64_t member_count) const {
    return accumulator_.to_out(op_ == Operator::average ? accumulator_.divide(x, member_count) : x);
  }

 private:
  static bool is_nan(Value x) {
    if constexpr (Accumulator::is_float) return std::isnan(x);
    return false;
  }

  /// Of numbers: −0 is less than +0.
  bool is_less(Value x, Value y) const {
    if constexpr (Accumulator::is_float) {
      return x < y || (x == y && std::signbit(x) && !std::signbit(y));
    } else if (is_signed_) {
      return static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y);
    } else {
      return x < y;
    }
  }

  Accumulator accumulator_;
  Operator op_;
  bool is_signed_;
};

}  // namespace shardcheck::model
