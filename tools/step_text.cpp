#include "step_text.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::tools {
namespace {

std::string algorithm_text(const ProductCase& subject, Collective collective) {
  return std::string(name(algorithm_of(subject, collective)));
}

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

std::string summa_text(const Mesh& mesh, const Step& step) {
  return fmt::format(
      "SUMMA: panel by panel, A's go {} and B's {} to every rank and are multiplied; stands for "
      "gather:A, gather:B, local",
      axes_text(mesh, {step.column_axis}), axes_text(mesh, {step.mesh_axis}));
}

std::string cannon_text(const Mesh& mesh, const Step& step) {
  return fmt::format(
      "Cannon: blocks are skewed, then multiplied and shifted by one, A's {} and B's {}, until "
      "each "
      "rank has had all of its rows and columns; stands for gather:A, gather:B, local",
      axes_text(mesh, {step.column_axis}), axes_text(mesh, {step.mesh_axis}));
}

}  // namespace

std::string meaning_of(const ProductCase& subject, const Step& step) {
  const std::string over =
      step.mesh_axis < 0 ? std::string() : axes_text(subject.mesh, {step.mesh_axis});
  const std::string_view tensor = name(step.tensor);
  switch (step.kind) {
    case Step::Kind::slice:
      return fmt::format("{} is replicated {}: each rank keeps its part; nothing is sent", tensor,
                         over);
    case Step::Kind::gather:
      return fmt::format("all-gather ({}): the parts of {} {} become replicas",
                         algorithm_text(subject, Collective::all_gather), tensor, over);
    case Step::Kind::exchange:
      return fmt::format("{} is cut anew: each element goes to the ranks that must hold it",
                         tensor);
    case Step::Kind::local: return "each rank multiplies what it holds of A and B; nothing is sent";
    case Step::Kind::reduce_scatter:
      return fmt::format(
          "reduce-scatter ({}): the partials {} are summed, each rank keeps its part",
          algorithm_text(subject, Collective::reduce_scatter), over);
    case Step::Kind::all_reduce:
      return fmt::format("all-reduce ({}): the partials {} are summed, each rank keeps all",
                         algorithm_text(subject, Collective::all_reduce), over);
    case Step::Kind::gather_local:
      return fmt::format(
          "a ring {}: each rank multiplies the part of {} that it has while it passes that on, its "
          "own first; stands for gather:{}, local",
          over, tensor, tensor);
    case Step::Kind::local_scatter:
      return fmt::format(
          "a ring {}: each rank multiplies the block that is due and adds what arrived for it; "
          "stands for local, reduce_scatter:C (ring)",
          over);
    case Step::Kind::summa: return summa_text(subject.mesh, step);
    case Step::Kind::cannon: return cannon_text(subject.mesh, step);
  }
  return "";
}

std::vector<std::vector<std::int64_t>> bytes_by_step(std::int64_t ranks, std::int64_t step_count,
                                                     const std::vector<Transfer>& sent) {
  std::vector<std::vector<std::int64_t>> bytes(
      static_cast<std::size_t>(step_count),
      std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 0));
  for (const Transfer& transfer : sent) {
    if (transfer.phase < 0 || transfer.phase >= step_count) continue;
    if (transfer.source < 0 || transfer.source >= ranks) continue;
    bytes[static_cast<std::size_t>(transfer.phase)][static_cast<std::size_t>(transfer.source)] +=
        transfer.bytes;
  }
  return bytes;
}

std::string ledger_table(std::int64_t ranks, const std::vector<std::string>& titles,
                         const std::vector<Transfer>& expected,
                         const std::vector<Transfer>& metered, const Detail& detail) {
  const auto must = bytes_by_step(ranks, std::ssize(titles), expected);
  const auto was = bytes_by_step(ranks, std::ssize(titles), metered);
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

std::string ledger_table(const ProductCase& subject, const Plan& plan,
                         const std::vector<Transfer>& expected,
                         const std::vector<Transfer>& metered, const Detail& detail) {
  std::vector<std::string> titles;
  for (const Step& step : plan) titles.push_back(print(subject.mesh, {step}));
  return ledger_table(rank_count(subject.mesh), titles, expected, metered, detail);
}

}  // namespace shardcheck::tools
