#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

#include "invariants.h"
#include "number_text.h"
#include "owned_coordinates.h"

namespace shardcheck {

namespace {

/// The coordinates of a shard of C, in its order.
std::vector<std::int64_t> coordinates_of(const model::Shard& shard, std::int64_t columns) {
  std::vector<std::int64_t> coordinates;
  coordinates.reserve(shard.rows.size() * shard.columns.size());
  for (const std::int64_t row : shard.rows) {
    for (const std::int64_t column : shard.columns) coordinates.push_back(row * columns + column);
  }
  return coordinates;
}

bool is_in_order(const std::vector<std::int64_t>& owned, const model::Shard& shard,
                 std::int64_t columns) {
  if (owned.size() != shard.rows.size() * shard.columns.size()) return false;
  auto at = owned.begin();
  for (const std::int64_t row : shard.rows) {
    for (const std::int64_t column : shard.columns) {
      if (*at++ != row * columns + column) return false;
    }
  }
  return true;
}

/// True if what a rank returned is its own partial, as it was before anything was added to it.
bool is_unreduced(const Evidence& evidence, std::size_t rank) {
  const DtypeCombination& dtypes = evidence.subject.dtypes;
  const std::vector<std::int64_t>& owned = evidence.run.observation.owned[rank];
  if (dtypes.acc != dtypes.out || owned.size() != evidence.run.bits[rank].size()) return false;
  const model::Shard& block = model::born(evidence.expectation.plan).shards[rank];
  std::vector<std::int64_t> made = coordinates_of(block, evidence.subject.j);
  std::ranges::sort(made);
  for (std::size_t position = 0; position < owned.size(); ++position) {
    if (!std::ranges::binary_search(made, owned[position])) return false;
    const Bits partial =
        evidence.expectation.values.partial(static_cast<std::int64_t>(rank), owned[position]);
    if (!is_same(dtypes.out, partial, evidence.run.bits[rank][position])) return false;
  }
  return true;
}

/// The rank whose coordinates these are, in any order; −1: nobody's.
std::int64_t whose(const Evidence& evidence, const std::vector<std::int64_t>& sorted) {
  const auto& shards = evidence.expectation.owned;
  for (std::size_t rank = 0; rank < shards.size(); ++rank) {
    std::vector<std::int64_t> coordinates = coordinates_of(shards[rank], evidence.subject.j);
    std::ranges::sort(coordinates);
    if (coordinates == sorted) return static_cast<std::int64_t>(rank);
  }
  return -1;
}

Finding wrong_set(const Evidence& evidence, std::size_t rank,
                  const std::vector<std::int64_t>& expected,
                  const std::vector<std::int64_t>& sorted) {
  const ProductCase& subject = evidence.subject;
  const std::vector<std::int64_t>& owned = evidence.run.observation.owned[rank];
  Finding finding{
      .invariant = Invariant::ownership,
      .rank = static_cast<std::int64_t>(rank),
      .allowed = "owns " + elements_named(subject, expected),
      .got = fmt::format("returned {} elements, owns {}", owned.size(), expected.size())};
  if (sorted.size() > expected.size()) {
    const bool unreduced = is_unreduced(evidence, rank);
    finding.kind = unreduced ? "unreduced" : "too_many";
    if (unreduced) {
      finding.evidence = "what it returned is its own partial, never added to the others'";
    }
    return finding;
  }
  if (sorted.size() < expected.size()) {
    finding.kind = "too_few";
    return finding;
  }
  finding.kind = "wrong_elements";
  finding.got = "returned " + elements_named(subject, owned);
  if (const std::int64_t other = whose(evidence, sorted); other >= 0) {
    finding.evidence = fmt::format("this is rank {}'s shard", other);
  }
  return finding;
}

/// A rank's coordinates as a set; false, and a finding, if they aren't the contract's.
bool judge_rank(const Evidence& evidence, std::size_t rank, Judgement& judgement) {
  const ProductCase& subject = evidence.subject;
  const std::vector<std::int64_t>& owned = evidence.run.observation.owned[rank];
  const model::Shard& shard = evidence.expectation.owned[rank];
  if (is_in_order(owned, shard, subject.j)) return true;

  if (!are_coordinates(owned, rank, subject.i * subject.j, judgement)) return false;
  std::vector<std::int64_t> sorted = owned;
  std::ranges::sort(sorted);
  std::vector<std::int64_t> expected = coordinates_of(shard, subject.j);
  std::ranges::sort(expected);
  if (sorted == expected) return true;
  add(judgement, wrong_set(evidence, rank, expected, sorted));
  return false;
}

}  // namespace

std::vector<bool> judge_owners(const Evidence& evidence, Judgement& judgement) {
  return judge_each_rank(evidence.expectation.owned.size(), evidence.run.observation, judgement,
                         [&](std::size_t rank) { return judge_rank(evidence, rank, judgement); });
}

}  // namespace shardcheck
