#pragma once

/// How large a case is, in the one order in which a minimised case counts as smaller than another.
///
/// Lexicographic over ranks, mesh axes, the kind's sizes, seeded before given data, the kind's
/// shape, names of mesh axes, dtypes, the kind's choices, promise, schedule, regime and seed, and
/// last the values. Every component is a natural number, or a text out of the finitely many that a
/// dtype has, compared by length and then by letters; so no chain of ever smaller cases goes on for
/// ever.

#include <cstdint>
#include <string>
#include <vector>

#include <shardcheck/model/case/case.h>

namespace shardcheck {

/// What a kind's own parts weigh.
struct OwnMeasure {
  std::vector<std::uint64_t> sizes;    ///< how much work there is
  std::vector<std::uint64_t> shape;    ///< how it is divided
  std::vector<std::uint64_t> choices;  ///< how it is done
};

struct Measure {
  std::vector<std::uint64_t> parts;
  std::vector<std::string> values;  ///< given values

  bool operator==(const Measure&) const = default;
};

Measure measure(const Case& subject);

/// Sizes that are alike, and sets in ascending order, are plainer. The evenness outweighs the
/// order.
std::uint64_t weight(const Split& split);

bool is_smaller(const Measure& left, const Measure& right);

}  // namespace shardcheck
