#include "ledger_table.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace shardcheck::tools {
namespace {

std::string cell(std::int64_t expected, std::int64_t metered) {
  return expected == metered ? fmt::format("{}", metered)
                             : fmt::format("{} (must be {})", metered, expected);
}

/// One row of the table, its last cell the sum of the others.
std::vector<std::string> cells(const std::vector<std::int64_t>& expected,
                               const std::vector<std::int64_t>& metered) {
  std::vector<std::string> row;
  for (std::size_t step = 0; step < expected.size(); ++step) {
    row.push_back(cell(expected[step], metered[step]));
  }
  row.push_back(cell(std::accumulate(expected.begin(), expected.end(), std::int64_t{0}),
                     std::accumulate(metered.begin(), metered.end(), std::int64_t{0})));
  return row;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t column = 1; column < row.size(); ++column) {
      text += fmt::format("  {:>{}}", row[column], widths[column]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<std::vector<std::int64_t>> bytes_by_phase(std::int64_t ranks, std::int64_t phase_count,
                                                      const std::vector<Transfer>& sent) {
  std::vector<std::vector<std::int64_t>> bytes(
      static_cast<std::size_t>(phase_count),
      std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 0));
  for (const Transfer& transfer : sent) {
    if (transfer.phase < 0 || transfer.phase >= phase_count) continue;
    if (transfer.source < 0 || transfer.source >= ranks) continue;
    bytes[static_cast<std::size_t>(transfer.phase)][static_cast<std::size_t>(transfer.source)] +=
        transfer.bytes;
  }
  return bytes;
}

std::string ledger_table(std::int64_t ranks, const std::vector<std::string>& titles,
                         const std::vector<Transfer>& expected,
                         const std::vector<Transfer>& metered, const Detail& detail) {
  const auto must = bytes_by_phase(ranks, std::ssize(titles), expected);
  const auto was = bytes_by_phase(ranks, std::ssize(titles), metered);
  std::vector<std::vector<std::string>> rows(1, {""});
  rows.front().insert(rows.front().end(), titles.begin(), titles.end());
  rows.front().emplace_back("total");
  std::vector<std::int64_t> must_all(titles.size(), 0);
  std::vector<std::int64_t> was_all(titles.size(), 0);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::int64_t> must_rank;
    std::vector<std::int64_t> was_rank;
    for (std::size_t step = 0; step < titles.size(); ++step) {
      must_rank.push_back(must[step][static_cast<std::size_t>(rank)]);
      was_rank.push_back(was[step][static_cast<std::size_t>(rank)]);
      must_all[step] += must_rank.back();
      was_all[step] += was_rank.back();
    }
    if (rank >= detail.ranks) continue;
    rows.push_back({fmt::format("rank {}", rank)});
    const std::vector<std::string> row = cells(must_rank, was_rank);
    rows.back().insert(rows.back().end(), row.begin(), row.end());
  }
  if (ranks > detail.ranks) {
    rows.push_back({"…"});
    rows.back().resize(rows.front().size());
  }
  rows.push_back({"all ranks"});
  const std::vector<std::string> row = cells(must_all, was_all);
  rows.back().insert(rows.back().end(), row.begin(), row.end());
  return aligned(rows);
}

}  // namespace shardcheck::tools
