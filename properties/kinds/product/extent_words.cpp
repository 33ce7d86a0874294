#include "extent_words.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <shardcheck/properties/judge/judgement.h>
#include <shardcheck/properties/judge/number_text.h>

namespace shardcheck {

namespace {

/// "3..5", "4", "0, 2, 7 and 3 more".
std::string range_words(const std::set<std::int64_t>& indices) {
  const std::int64_t first = *indices.begin();
  const std::int64_t last = *indices.rbegin();
  if (first == last) return std::to_string(first);
  if (last - first + 1 == std::ssize(indices)) return fmt::format("{}..{}", first, last);
  return listed({indices.begin(), indices.end()});
}

std::string axis_words(std::string_view axis, const std::set<std::int64_t>& indices) {
  return fmt::format("{}{} {}", axis, indices.size() == 1 ? "" : "s", range_words(indices));
}

}  // namespace

std::string extent_words(std::int64_t rows, std::int64_t columns,
                         std::vector<std::int64_t> coordinates) {
  std::ranges::sort(coordinates);
  const auto repeated = std::ranges::unique(coordinates);
  coordinates.erase(repeated.begin(), repeated.end());
  std::set<std::int64_t> in_rows;
  std::set<std::int64_t> in_columns;
  for (const std::int64_t coordinate : coordinates) {
    in_rows.insert(coordinate / columns);
    in_columns.insert(coordinate % columns);
  }
  if (std::ssize(in_rows) * std::ssize(in_columns) != std::ssize(coordinates)) {
    const std::int64_t first = coordinates.front();
    return fmt::format("in {} from C[{},{}] on", counted(std::ssize(coordinates), "element"),
                       first / columns, first % columns);
  }
  const bool all_rows = std::ssize(in_rows) == rows;
  const bool all_columns = std::ssize(in_columns) == columns;
  if (all_rows && all_columns) return "everywhere";
  if (all_columns) return "in " + axis_words("row", in_rows);
  if (all_rows) return "in " + axis_words("column", in_columns);
  return fmt::format("in {}, {}", axis_words("row", in_rows), axis_words("column", in_columns));
}

}  // namespace shardcheck
