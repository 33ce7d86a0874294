#pragma once

/// A case of collectives alone: everything that is asked, and nothing that is answered.
///
/// One case is one line of text (docs/collectives.md):
///
///     reduce_scatter mesh=x3 n=7 split.n=sizes:3,0,4 op=sum in=bf16 algorithm=ring data=ints:4
///
/// A case may ask for up to four collectives, one after the other on the same groups, each working
/// on what the one before it left: `reduce_scatter+all_gather mesh=x4 n=8`.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "algorithm.h"
#include "layout.h"
#include "setting.h"

namespace shardcheck {

enum class Operator : std::uint8_t {
  sum,
  product,
  min,
  max,
  average,
  bit_and,
  bit_or,
  bit_xor,
  matrix  ///< 2×2 matrices modulo 251, an entry a byte: associative, not commutative
};

struct OperatorInfo {
  Operator op = Operator::sum;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<OperatorInfo, 9> operators{{
    {Operator::sum, "sum", "integers wrap"},
    {Operator::product, "product", "integers wrap"},
    {Operator::min, "min", "-0 < +0; a NaN makes NaN"},
    {Operator::max, "max", "-0 < +0; a NaN makes NaN"},
    {Operator::average, "average", "the sum, divided once; integers truncate towards 0"},
    {Operator::bit_and, "and", "integers alone"},
    {Operator::bit_or, "or", "integers alone"},
    {Operator::bit_xor, "xor", "integers alone"},
    {Operator::matrix, "matrix", "2x2 matrices modulo 251 in a u32; order matters"},
}};

constexpr std::string_view name(Operator op) {
  return operators[static_cast<std::size_t>(op)].name;
}

/// One collective of a case.
struct Call {
  Collective collective = Collective::all_reduce;
  Algorithm algorithm = Algorithm::ring;

  bool operator==(const Call&) const = default;
};

/// Of the dtypes, wire = out = in.
struct CallsCase : Setting {
  /// Mesh axes along which the members of a group differ, ascending. The other groups are at work
  /// at the same time, each on its own data.
  std::vector<int> over;
  std::vector<Call> calls;  ///< one to limits::calls, in turn
  std::int64_t n = 0;       ///< elements of a whole vector; 0 with `counts`
  Split split;              ///< of n over the members; `balanced` where no call divides n
  /// all_to_all alone, may be empty: elements from member r to member j at counts[r][j].
  std::vector<std::vector<std::int64_t>> counts;
  /// permute alone: by member, the member that it sends to; -1: none. No two send to the same.
  std::vector<std::int64_t> destinations;
  Operator op = Operator::sum;  ///< of every call that reduces
  std::int64_t root = 0;        ///< a member
  bool in_place = false;

  bool operator==(const CallsCase&) const = default;
};

/// Members of each group.
inline std::int64_t member_count(const CallsCase& subject) {
  std::int64_t count = 1;
  for (const int axis : subject.over) {
    count *= subject.mesh.axes[static_cast<std::size_t>(axis)].size;
  }
  return count;
}

constexpr bool reduces(Collective collective) {
  return collective == Collective::all_reduce || collective == Collective::reduce_scatter ||
         collective == Collective::reduce;
}

constexpr bool has_root(Collective collective) {
  return collective == Collective::reduce || collective == Collective::broadcast ||
         collective == Collective::gather || collective == Collective::scatter;
}

/// Whether split.n says who gets what.
constexpr bool divides(Collective collective) {
  return collective == Collective::reduce_scatter || collective == Collective::all_gather ||
         collective == Collective::gather || collective == Collective::scatter ||
         collective == Collective::all_to_all;
}

constexpr bool may_be_in_place(Collective collective) {
  return collective == Collective::all_reduce || collective == Collective::reduce_scatter ||
         collective == Collective::all_gather || collective == Collective::broadcast;
}

}  // namespace shardcheck
