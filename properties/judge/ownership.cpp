#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "invariants.h"
#include "number_text.h"

namespace shardcheck {

namespace {

using Coordinates = std::vector<std::int64_t>;

/// False, and a finding, if a coordinate of a rank is none, or comes twice.
bool are_coordinates(const Evidence& evidence, std::size_t rank, const Coordinates& sorted,
                     Judgement& judgement) {
  const std::int64_t limit = evidence.expectation.coordinate_limit();
  Finding finding{.invariant = Invariant::ownership, .rank = static_cast<std::int64_t>(rank)};
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= limit)) {
    finding.kind = "out_of_range";
    finding.allowed = fmt::format("coordinates below {}", limit);
    finding.got = fmt::format("coordinate {}", sorted.front() < 0 ? sorted.front() : sorted.back());
    add(judgement, std::move(finding));
    return false;
  }
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) return true;
  finding.kind = "duplicate";
  finding.coordinate = *twice;
  finding.allowed = "each element once";
  finding.got = "the same element twice";
  add(judgement, std::move(finding));
  return false;
}

/// True if what a rank returned is what it held itself, before anything was added to it.
bool is_unreduced(const Evidence& evidence, std::size_t rank) {
  const Coordinates& owned = evidence.run.observation.owned[rank];
  if (owned.size() != evidence.run.bits[rank].size()) return false;
  for (std::size_t position = 0; position < owned.size(); ++position) {
    const std::optional<Bits> held =
        evidence.expectation.unreduced(static_cast<std::int64_t>(rank), owned[position]);
    if (!held || !is_same(evidence.out(), *held, evidence.run.bits[rank][position])) return false;
  }
  return true;
}

Coordinates in_order(Coordinates coordinates) {
  std::ranges::sort(coordinates);
  return coordinates;
}

/// The rank whose coordinates these are; −1: nobody's.
std::int64_t whose(const Evidence& evidence, const Coordinates& owned, const Coordinates& sorted) {
  const bool is_order_due = evidence.expectation.is_order_due();
  for (std::int64_t rank = 0; rank < evidence.rank_count(); ++rank) {
    const Coordinates due = evidence.expectation.owned(rank);
    if (is_order_due ? due == owned : in_order(due) == sorted) return rank;
  }
  return -1;
}

/// The rank returned coordinates that exist, each once. `due`: sorted where no order is due.
Finding wrong_set(const Evidence& evidence, std::size_t rank, const Coordinates& due,
                  const Coordinates& sorted) {
  const Coordinates& owned = evidence.run.observation.owned[rank];
  Finding finding{.invariant = Invariant::ownership,
                  .rank = static_cast<std::int64_t>(rank),
                  .allowed = "owns " + elements_named(evidence.asked, due),
                  .got = fmt::format("returned {}, owns {}", counted(std::ssize(owned), "element"),
                                     due.size())};
  if (owned.size() > due.size()) {
    const bool unreduced = is_unreduced(evidence, rank);
    finding.kind = unreduced ? "unreduced" : "too_many";
    if (unreduced) finding.evidence = "what it returned is its own, never added to the others'";
    return finding;
  }
  if (owned.size() < due.size()) {
    finding.kind = "too_few";
    return finding;
  }
  finding.kind = sorted == in_order(due) ? "wrong_order" : "wrong_elements";
  finding.got = "returned " + elements_named(evidence.asked, owned);
  if (const std::int64_t other = whose(evidence, owned, sorted); other >= 0) {
    finding.evidence = fmt::format("this is rank {}'s shard", other);
  }
  return finding;
}

/// A rank's coordinates; false, and a finding, if they aren't the contract's.
bool judge_rank(const Evidence& evidence, std::size_t rank, Judgement& judgement) {
  const auto number = static_cast<std::int64_t>(rank);
  const Coordinates& owned = evidence.run.observation.owned[rank];
  if (evidence.expectation.is_owned(number, owned)) return true;
  const Coordinates sorted = in_order(owned);
  if (!are_coordinates(evidence, rank, sorted, judgement)) return false;
  Coordinates due = evidence.expectation.owned(number);
  if (!evidence.expectation.is_order_due()) {
    due = in_order(std::move(due));
    if (sorted == due) return true;
  }
  add(judgement, wrong_set(evidence, rank, due, sorted));
  return false;
}

}  // namespace

std::vector<bool> judge_owners(const Evidence& evidence, Judgement& judgement) {
  const auto ranks = static_cast<std::size_t>(evidence.rank_count());
  const std::size_t told = evidence.run.observation.owned.size();
  observe(judgement);
  std::vector<bool> owns_rightly(ranks, false);
  if (told != ranks) {
    add(judgement, {.invariant = Invariant::ownership,
                    .kind = "wrong_rank_count",
                    .allowed = "the coordinates of " + counted(ranks, "rank"),
                    .got = fmt::format("those of {}", told)});
    return owns_rightly;
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    owns_rightly[rank] = judge_rank(evidence, rank, judgement);
  }
  return owns_rightly;
}

}  // namespace shardcheck
