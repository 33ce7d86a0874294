#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <shardcheck/properties/judge/number_text.h>
#include <shardcheck/properties/judge/owned_coordinates.h>

#include "arena.h"
#include "evidence.h"

namespace shardcheck {

namespace {

using Coordinates = std::vector<std::int64_t>;

/// Coordinates of all results of a group, those that nobody is due included.
std::int64_t coordinate_limit(const CallsCase& subject) {
  const Collective last = subject.calls.back().collective;
  if (last != Collective::all_to_all && last != Collective::permute) return subject.n;
  std::int64_t limit = subject.n * member_count(subject);
  for (const auto& row : subject.counts) {
    for (const std::int64_t count : row) limit += count;
  }
  return limit;
}

/// True if a rank returned what it brought, as it was before anything was added to it.
bool is_unreduced(const CollectiveEvidence& evidence, std::size_t rank) {
  const CallsCase& subject = evidence.subject;
  if (subject.calls.size() != 1 || !reduces(subject.calls.front().collective)) return false;
  const Coordinates& owned = evidence.run.observation.owned[rank];
  const std::vector<Bits> input = inputs_by_rank(evidence.expectation)[rank];
  if (owned.size() != evidence.run.bits[rank].size()) return false;
  for (std::size_t position = 0; position < owned.size(); ++position) {
    const auto at = static_cast<std::size_t>(owned[position]);
    if (!is_same(subject.dtypes.out, input[at], evidence.run.bits[rank][position])) return false;
  }
  return true;
}

/// The rank whose coordinates these are, in order; −1: nobody's.
std::int64_t whose(const CollectiveEvidence& evidence, const Coordinates& owned) {
  const std::int64_t ranks = rank_count(evidence.subject.mesh);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    if (evidence.expectation.owned(rank) == owned) return rank;
  }
  return -1;
}

/// `owned` has coordinates that exist, each once.
Finding wrong_set(const CollectiveEvidence& evidence, std::size_t rank, const Coordinates& due) {
  const CallsCase& subject = evidence.subject;
  const Coordinates& owned = evidence.run.observation.owned[rank];
  Finding finding{.invariant = Invariant::ownership,
                  .rank = static_cast<std::int64_t>(rank),
                  .allowed = "returns " + elements_named(subject, due),
                  .got = fmt::format("returned {} elements, {} are due", owned.size(), due.size())};
  if (owned.size() > due.size()) {
    const bool unreduced = is_unreduced(evidence, rank);
    finding.kind = unreduced ? "unreduced" : "too_many";
    if (unreduced) finding.evidence = "what it returned is what it brought";
    return finding;
  }
  if (owned.size() < due.size()) {
    finding.kind = "too_few";
    return finding;
  }
  finding.kind = std::ranges::is_permutation(owned, due) ? "wrong_order" : "wrong_elements";
  finding.got = "returned " + elements_named(subject, owned);
  if (const std::int64_t other = whose(evidence, owned); other >= 0) {
    finding.evidence = fmt::format("this is what rank {} returns", other);
  }
  return finding;
}

bool judge_rank(const CollectiveEvidence& evidence, std::size_t rank, Judgement& judgement) {
  const auto number = static_cast<std::int64_t>(rank);
  const Coordinates& owned = evidence.run.observation.owned[rank];
  const Coordinates& due = evidence.expectation.owned(number);
  if (owned == due) return true;
  if (!are_coordinates(owned, rank, coordinate_limit(evidence.subject), judgement)) return false;
  add(judgement, wrong_set(evidence, rank, due));
  return false;
}

void compare_with_first(const CollectiveEvidence& evidence, std::int64_t first, std::int64_t rank,
                        Judgement& judgement) {
  const Dtype out = evidence.subject.dtypes.out;
  const Coordinates& owned = evidence.run.observation.owned[static_cast<std::size_t>(rank)];
  const std::vector<Bits>& due = evidence.run.bits[static_cast<std::size_t>(first)];
  const std::vector<Bits>& got = evidence.run.bits[static_cast<std::size_t>(rank)];
  for (std::size_t position = 0; position < got.size(); ++position) {
    if (is_same(out, due[position], got[position])) continue;
    add(judgement,
        {.invariant = Invariant::ownership,
         .kind = "replicas_differ",
         .rank = rank,
         .coordinate = owned[position],
         .allowed = fmt::format("{}, as on rank {}", with_hex(out, due[position]), first),
         .got = with_hex(out, got[position])});
  }
}

}  // namespace

std::vector<bool> judge_owners(const CollectiveEvidence& evidence, Judgement& judgement) {
  return judge_each_rank(static_cast<std::size_t>(rank_count(evidence.subject.mesh)),
                         evidence.run.observation, judgement,
                         [&](std::size_t rank) { return judge_rank(evidence, rank, judgement); });
}

void judge_replicas(const CollectiveEvidence& evidence, const std::vector<bool>& owns_rightly,
                    Judgement& judgement) {
  const Collective last = evidence.subject.calls.back().collective;
  const bool is_replicated = last == Collective::all_reduce || last == Collective::all_gather ||
                             last == Collective::broadcast;
  if (!evidence.promises.equal_replicas || !is_replicated) return;
  for (const std::vector<std::int64_t>& group : evidence.expectation.meaning.groups()) {
    std::int64_t first = -1;
    for (const std::int64_t rank : group) {
      if (!owns_rightly[static_cast<std::size_t>(rank)]) continue;
      if (first < 0) {
        first = rank;
      } else {
        compare_with_first(evidence, first, rank, judgement);
      }
    }
  }
}

}  // namespace shardcheck
