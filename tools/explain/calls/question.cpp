#include "lesson.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <shardcheck/properties/judge/number_text.h>

namespace shardcheck::tools {
namespace {

std::string_view meaning_of(Collective collective) {
  switch (collective) {
    case Collective::all_reduce: return "all members end with the whole of the combined vectors";
    case Collective::reduce_scatter:
      return "each member ends with its block of the combined vectors";
    case Collective::all_gather: return "all members end with all blocks";
    case Collective::reduce: return "the root ends with the whole of the combined vectors";
    case Collective::broadcast: return "all members end with the root's vector";
    case Collective::gather: return "the root ends with all blocks";
    case Collective::scatter: return "each member ends with its block of the root's vector";
    case Collective::all_to_all: return "each member ends with what all members have for it";
    case Collective::permute: return "each member ends with the vector of the one that sends to it";
  }
  return "";
}

std::string call_text(const CallsCase& subject, std::size_t number) {
  const Call& call = subject.calls[number];
  std::string text = fmt::format("  Call {}: {} by {}: {}", number, name(call.collective),
                                 name(call.algorithm), meaning_of(call.collective));
  if (reduces(call.collective)) text += fmt::format("; operator {}", name(subject.op));
  if (has_root(call.collective)) text += fmt::format("; root member {}", subject.root);
  return text + ".\n";
}

std::string dtype_text(const CallsCase& subject) {
  const DtypeCombination& d = subject.dtypes;
  const bool is_combined =
      std::ranges::any_of(subject.calls, [](const Call& call) { return reduces(call.collective); });
  return d.acc == d.in || !is_combined
             ? fmt::format("{}", info(d.in).name)
             : fmt::format("{}, combined in {}", info(d.in).name, info(d.acc).name);
}

std::vector<std::int64_t> totals(const CallsCase& subject, const std::vector<Transfer>& sent) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(rank_count(subject.mesh)), 0);
  for (const Transfer& transfer : sent) {
    bytes[static_cast<std::size_t>(transfer.source)] += transfer.bytes;
  }
  return bytes;
}

}  // namespace

std::string question_text(const CallsCase& subject) {
  const std::int64_t members = member_count(subject);
  const std::int64_t groups = rank_count(subject.mesh) / members;
  std::string text =
      fmt::format("  {} of {}; ", counted(groups, "group"), counted(members, "member"));
  text += subject.counts.empty() ? "vectors of " + counted(subject.n, "element")
                                 : std::string("as many elements a pair as counts says");
  text += fmt::format(" of {}{}.\n", dtype_text(subject), subject.in_place ? ", in place" : "");
  for (std::size_t call = 0; call < subject.calls.size(); ++call) text += call_text(subject, call);
  return text;
}

std::string starts_text(const model::CallsExpectation& expectation, const Detail& detail) {
  return by_rank(rank_count(expectation.subject.mesh), detail, [&](std::int64_t rank) {
    return fmt::format(
        "{}: positions {}: {}\n", rank_text(expectation, rank),
        index_text(expectation.meaning.input(expectation.meaning.member_of(rank)), detail),
        list_text(expectation.input_of(rank), expectation.subject.dtypes.in, detail));
  });
}

std::string dues_text(const model::CallsExpectation& expectation, const Detail& detail) {
  const Dtype out = expectation.subject.dtypes.out;
  return by_rank(rank_count(expectation.subject.mesh), detail, [&](std::int64_t rank) {
    const model::IndexList& owned = expectation.owned_list(rank);
    std::string text =
        fmt::format("{}: coordinates {}:", rank_text(expectation, rank), index_text(owned, detail));
    const auto shown = std::min<std::int64_t>(std::ssize(owned), detail.cells);
    for (std::int64_t index = 0; index < shown; ++index) {
      const model::Allowed allowed =
          expectation.allowed(rank, owned[static_cast<std::size_t>(index)]);
      text += fmt::format("{} {}", index == 0 ? "" : ",", describe(allowed, out));
    }
    return text + (shown < std::ssize(owned) ? ", …\n" : "\n");
  });
}

std::string other_algorithms_text(const CallsCase& subject, const Detail& detail) {
  if (subject.calls.size() != 1) return {};
  std::string text;
  for (const Algorithm algorithm : algorithms_of(subject.calls.front().collective)) {
    if (algorithm == subject.calls.front().algorithm) continue;
    CallsCase other = subject;
    other.calls.front().algorithm = algorithm;
    const auto expectation = model::expect_calls(other);
    if (!expectation) {
      text += fmt::format("  {}: refused: {}\n", name(algorithm), expectation.error());
      continue;
    }
    const std::vector<std::int64_t> bytes = totals(other, (*expectation)->sent);
    text += fmt::format("  {}:", name(algorithm));
    const auto shown = std::min<std::int64_t>(std::ssize(bytes), detail.ranks);
    for (std::int64_t rank = 0; rank < shown; ++rank) {
      text += fmt::format(" {}", bytes[static_cast<std::size_t>(rank)]);
    }
    text += fmt::format("{}; {} in all\n", shown < std::ssize(bytes) ? " …" : "",
                        std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}));
  }
  return text;
}

}  // namespace shardcheck::tools
