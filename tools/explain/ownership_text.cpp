#include "ownership_text.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::tools {
namespace {

/// Positions shown of `count`: all, or the first ones and the last with a gap (-1) between.
std::vector<std::int64_t> positions(std::int64_t count, std::int64_t shown_max) {
  std::vector<std::int64_t> shown;
  if (count <= shown_max) {
    for (std::int64_t index = 0; index < count; ++index) shown.push_back(index);
    return shown;
  }
  for (std::int64_t index = 0; index + 2 < shown_max; ++index) shown.push_back(index);
  shown.push_back(-1);
  shown.push_back(count - 1);
  return shown;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

}  // namespace

Detail detail_of(bool full) {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  return full ? Detail{all, all, all, all} : Detail{};
}

std::string index_text(const model::IndexList& list, const Detail& detail) {
  if (list.empty()) return "none";
  std::vector<std::string> ranges;
  for (std::size_t begin = 0; begin < list.size();) {
    std::size_t end = begin + 1;
    while (end < list.size() && list[end] == list[end - 1] + 1) ++end;
    ranges.push_back(end - begin == 1 ? fmt::format("{}", list[begin])
                                      : fmt::format("{}-{}", list[begin], list[end - 1]));
    begin = end;
  }
  std::vector<std::string> words;
  for (const std::int64_t position : positions(std::ssize(ranges), detail.ranges)) {
    words.push_back(position < 0 ? "…" : ranges[static_cast<std::size_t>(position)]);
  }
  return joined(words, ",");
}

std::string shard_text(Tensor tensor, const model::Shard& shard, const Detail& detail) {
  const auto axes = axes_of(tensor);
  return fmt::format("{} {}, {} {}", name(axes[0]), index_text(shard.rows, detail), name(axes[1]),
                     index_text(shard.columns, detail));
}

std::string matrix_text(std::int64_t rows, std::int64_t columns, Dtype dtype,
                        const std::function<Bits(std::int64_t, std::int64_t)>& at,
                        const Detail& detail) {
  if (rows == 0 || columns == 0) return "[]";
  std::vector<std::string> lines;
  for (const std::int64_t row : positions(rows, detail.cells)) {
    if (row < 0) {
      lines.emplace_back("…");
      continue;
    }
    std::vector<std::string> cells;
    for (const std::int64_t column : positions(columns, detail.cells)) {
      cells.push_back(column < 0 ? "…" : print_value(dtype, at(row, column)));
    }
    lines.push_back(joined(cells, " "));
  }
  return "[" + joined(lines, "; ") + "]";
}

std::string list_text(const std::vector<Bits>& elements, Dtype dtype, const Detail& detail) {
  return matrix_text(
      1, std::ssize(elements), dtype,
      [&](std::int64_t, std::int64_t column) { return elements[static_cast<std::size_t>(column)]; },
      detail);
}

std::string axes_text(const Mesh& mesh, const std::vector<int>& axes) {
  std::vector<std::string> names;
  for (const int axis : axes) names.push_back(mesh.axes[static_cast<std::size_t>(axis)].name);
  return "over " + joined(names, ", ");
}

std::string more_text(std::int64_t count, std::int64_t shown, const std::string& what) {
  return count <= shown ? "" : fmt::format("  … and {} {} more\n", count - shown, what);
}

std::string by_rank(std::int64_t ranks, const Detail& detail,
                    const std::function<std::string(std::int64_t rank)>& lines) {
  std::string text;
  for (std::int64_t rank = 0; rank < std::min(ranks, detail.ranks); ++rank) text += lines(rank);
  return text + more_text(ranks, detail.ranks, "ranks");
}

}  // namespace shardcheck::tools
