#pragma once

/// Which relations are tried on a case, and which one a signature names: alike for products and for
/// collectives alone.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <shardcheck/properties/check.h>

#include "conclude.h"

namespace shardcheck {

/// `table`: entries with a `relation`. `chosen`: that one alone. Drawn ones come from a place that
/// the case line draws on, so that cases differ in theirs and a case never does: whoever wants one
/// takes the first that applies.
template <class Relation, class Table>
std::vector<Relation> relations_to_try(const Table& table, std::optional<Relation> chosen,
                                       Relating relating, std::string_view line) {
  if (chosen) return {*chosen};
  std::vector<Relation> order;
  if (relating == Relating::none) return order;
  for (const auto& entry : table) order.push_back(entry.relation);
  if (relating == Relating::every) return order;
  const auto first = static_cast<std::ptrdiff_t>((hash_of(line) >> 32) % order.size());
  std::rotate(order.begin(), order.begin() + first, order.end());
  return order;
}

/// "transpose" of "metamorphic/transpose_bits"; nothing in another invariant's signature.
inline std::optional<std::string_view> relation_name_in(std::string_view signature) {
  constexpr std::string_view prefix = "metamorphic/";
  static_assert(prefix.substr(0, prefix.size() - 1) == name(Invariant::metamorphic));
  if (!signature.starts_with(prefix)) return std::nullopt;
  const std::string_view kind = signature.substr(prefix.size());
  return kind.substr(0, kind.rfind('_'));
}

}  // namespace shardcheck
