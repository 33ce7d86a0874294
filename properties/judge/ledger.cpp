#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bytes_by_place.h"
#include "invariants.h"
#include "number_text.h"

namespace shardcheck {

namespace {

/// True if the entries that carry bytes are the expected ones, which all do.
bool same_bytes(const std::vector<Transfer>& expected, const std::vector<Transfer>& told) {
  auto at = expected.begin();
  for (const Transfer& transfer : told) {
    if (transfer.bytes == 0) continue;
    if (at == expected.end() || at->phase != transfer.phase || at->source != transfer.source ||
        at->destination != transfer.destination || at->bytes != transfer.bytes) {
      return false;
    }
    ++at;
  }
  return at == expected.end();
}

/// What all differences have in common, by rank, once the table is wrong.
struct Totals {
  std::map<std::int64_t, std::int64_t> sent;
  std::map<std::int64_t, std::int64_t> received;
};

Totals totals(const BytesByPlace& bytes) {
  Totals sums;
  for (const auto& [place, count] : bytes) {
    sums.sent[std::get<1>(place)] += count;
    sums.received[std::get<2>(place)] += count;
  }
  return sums;
}

/// True if each rank that sent a wrong number of bytes exceeds the right one by what it received.
bool receives_were_added(const BytesByPlace& expected, const BytesByPlace& got) {
  const Totals right = totals(expected);
  const Totals told = totals(got);
  bool any = false;
  for (const auto& [rank, bytes] : told.sent) {
    const auto due = right.sent.find(rank);
    const std::int64_t extra = bytes - (due == right.sent.end() ? 0 : due->second);
    if (extra == 0) continue;
    const auto received = right.received.find(rank);
    if (received == right.received.end() || received->second != extra) return false;
    any = true;
  }
  return any;
}

/// True if every number is right but for one factor, the width of an element.
bool elements_were_counted(const BytesByPlace& expected, const BytesByPlace& got,
                           const DtypeCombination& types) {
  for (const Dtype dtype : {types.in, types.wire, types.out}) {
    const int width = info(dtype).bytes;
    if (width == 1 || expected.size() != got.size()) continue;
    const bool fits = std::ranges::all_of(got, [&](const auto& entry) {
      const auto due = expected.find(entry.first);
      return due != expected.end() && due->second == entry.second * width;
    });
    if (fits) return true;
  }
  return false;
}

BytesByPlace without_phases(const BytesByPlace& bytes) {
  BytesByPlace pairs;
  for (const auto& [place, count] : bytes) {
    pairs[{0, std::get<1>(place), std::get<2>(place)}] += count;
  }
  return pairs;
}

std::pair<std::string, std::string> diagnosis(const DtypeCombination& types,
                                              const BytesByPlace& expected,
                                              const BytesByPlace& got) {
  if (receives_were_added(expected, got)) {
    return {"received_counted", "the excess is what the rank received"};
  }
  if (elements_were_counted(expected, got, types)) {
    return {"elements_for_bytes", "elements were counted instead of bytes"};
  }
  if (without_phases(expected) == without_phases(got)) {
    return {"wrong_phase", "each pair's total is right, its phases aren't"};
  }
  return {"sent_differs", ""};
}

/// One finding for each place at which the tables differ.
void add_differences(Judgement& judgement, const std::string& kind, const std::string& why,
                     const BytesByPlace& expected, const BytesByPlace& got, std::string_view verb) {
  for (const BytesDiffer& one : differences(expected, got)) {
    add(judgement, {.invariant = Invariant::ledger,
                    .kind = kind,
                    .rank = one.source,
                    .allowed = fmt::format("{} to rank {} in phase {}", counted(one.due, "byte"),
                                           one.destination, one.phase),
                    .got = fmt::format("{} {}", counted(one.told, "byte"), verb),
                    .evidence = why});
  }
}

}  // namespace

Judgement judge_ledger(const std::vector<Transfer>& due, const std::optional<Ledger>& told,
                       const DtypeCombination& types) {
  Judgement judgement;
  if (!told) return judgement;
  observe(judgement);
  if (!same_bytes(due, told->sent)) {
    const BytesByPlace expected = tabulated(due);
    const BytesByPlace got = tabulated(told->sent);
    const auto [kind, why] = diagnosis(types, expected, got);
    add_differences(judgement, kind, why, expected, got, "counted as sent");
  }
  // Compared with what had to be sent: a mistake in one table isn't charged to the other.
  if (!same_bytes(due, told->received)) {
    add_differences(judgement, "received_differs", "", tabulated(due), tabulated(told->received),
                    "counted as received");
  }
  return judgement;
}

void judge_temporaries(const std::vector<std::int64_t>& allowed,
                       const std::optional<std::vector<std::int64_t>>& told, Judgement& judgement) {
  if (!told) return;
  observe(judgement);
  if (told->size() != allowed.size()) {
    add(judgement, {.invariant = Invariant::ledger,
                    .kind = "temporary_bytes",
                    .allowed = "a peak for each of " + counted(std::ssize(allowed), "rank"),
                    .got = fmt::format("{}", told->size())});
    return;
  }
  for (std::size_t rank = 0; rank < allowed.size(); ++rank) {
    if ((*told)[rank] >= 0 && (*told)[rank] <= allowed[rank]) continue;
    add(judgement, {.invariant = Invariant::ledger,
                    .kind = "temporary_bytes",
                    .rank = static_cast<std::int64_t>(rank),
                    .allowed = fmt::format("at most {} temporary bytes", allowed[rank]),
                    .got = fmt::format("{} at the peak", (*told)[rank])});
  }
}

std::vector<Temporaries> temporaries(const std::vector<std::int64_t>& allowed,
                                     const std::optional<std::vector<std::int64_t>>& told) {
  std::vector<Temporaries> by_rank;
  if (!told || told->size() != allowed.size()) return by_rank;
  for (std::size_t rank = 0; rank < allowed.size(); ++rank) {
    by_rank.push_back({(*told)[rank], allowed[rank]});
  }
  return by_rank;
}

}  // namespace shardcheck
