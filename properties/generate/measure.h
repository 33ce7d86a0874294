#pragma once

/// How large a case is, in the one order in which a minimised case counts as smaller than another.
///
/// Lexicographic over ranks, mesh axes, sizes, seeded before given data, cuts, how plain each cut
/// is, dtypes, algorithms, plan, promises, schedule, and last the values. Every component is a
/// natural number, or a text out of the finitely many that a dtype has, compared by length and then
/// by letters; so no chain of ever smaller cases goes on for ever.

#include <cstdint>
#include <string>
#include <vector>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

struct Measure {
  std::vector<std::uint64_t> parts;
  std::vector<std::string> values;  ///< given values, A then B

  bool operator==(const Measure&) const = default;
};

Measure measure(const ProductCase& subject);

/// Sizes that are alike, and sets in ascending order, are plainer. The evenness outweighs the
/// order.
std::uint64_t weight(const Split& split);

bool is_smaller(const Measure& left, const Measure& right);

}  // namespace shardcheck
