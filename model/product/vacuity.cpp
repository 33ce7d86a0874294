#include "vacuity.h"

#include <algorithm>
#include <numeric>

#include "reduction_tree.h"

namespace shardcheck::model {
namespace {

/// Of each kind of contribution, at most so many are asked about, spread evenly.
constexpr std::int64_t contributions_max = 64;
/// Elements looked at before an alteration counts as blind.
constexpr std::int64_t elements_max = 512;
/// Additions spent on sets of sums where orders are free.
constexpr std::int64_t additions_max = std::int64_t{1} << 18;

/// An element of C as one of its owners has it.
struct Place {
  std::int64_t rank = 0;
  std::int64_t coordinate = 0;
};

/// `count` numbers below `bound`, evenly spread; all of them if there are no more.
std::vector<std::int64_t> spread(std::int64_t bound, std::int64_t count) {
  std::vector<std::int64_t> numbers;
  const std::int64_t taken = std::min(bound, count);
  for (std::int64_t t = 0; t < taken; ++t) numbers.push_back(t * bound / taken);
  return numbers;
}

/// Elements of every owner in turn, neighbours far apart, for a fault often spares a whole
/// neighbourhood.
std::vector<Place> places(const ProductCase& subject, const TensorState& c) {
  const auto ranks = static_cast<std::int64_t>(c.shards.size());
  const std::int64_t each = std::max<std::int64_t>(elements_max / ranks, 1);
  std::vector<std::vector<Place>> by_rank;
  std::size_t longest = 0;
  for (const std::int64_t rank : spread(ranks, elements_max)) {
    const Shard& shard = c.shards[static_cast<std::size_t>(rank)];
    const auto width = static_cast<std::int64_t>(shard.columns.size());
    const auto held = static_cast<std::int64_t>(shard.rows.size()) * width;
    std::vector<Place>& own = by_rank.emplace_back();
    for (const std::int64_t position : spread(held, each)) {
      const std::int64_t i = shard.rows[static_cast<std::size_t>(position / width)];
      const std::int64_t j = shard.columns[static_cast<std::size_t>(position % width)];
      own.push_back({rank, i * subject.j + j});
    }
    longest = std::max(longest, own.size());
  }
  std::vector<Place> result;
  // A stride that shares no factor with the count visits all, each far from the last.
  std::size_t stride = longest / 2 + 1;
  while (longest > 0 && std::gcd(stride, longest) != 1) ++stride;
  for (std::size_t turn = 0; turn < longest; ++turn) {
    const std::size_t position = turn * stride % longest;
    for (const std::vector<Place>& own : by_rank) {
      if (position < own.size()) result.push_back(own[position]);
    }
  }
  return result;
}

/// True if the rank's partial is a part of some element that is looked at. Where the owners of what
/// it would add to own nothing, leaving it out is no mistake.
bool reaches_any(const ProductCase& subject, const ResolvedPlan& plan,
                 const std::vector<Place>& elements, std::int64_t contributor) {
  return std::any_of(elements.begin(), elements.end(), [&](const Place& place) {
    return contributes(subject, plan, contributor, place.rank, place.coordinate / subject.j,
                       place.coordinate % subject.j);
  });
}

std::vector<Alteration> alterations(const ProductCase& subject, const ResolvedPlan& plan,
                                    const std::vector<Place>& elements) {
  using Kind = Alteration::Kind;
  std::vector<Alteration> result;
  for (const std::int64_t k : spread(subject.k, contributions_max)) {
    result.push_back({Kind::drop_k, k});
    result.push_back({Kind::double_k, k});
    if (k + 1 < subject.k) result.push_back({Kind::mispair_k, k});
  }
  // Where k isn't cut, a rank's contribution is that of all k.
  if (born(plan).partial_over.empty()) return result;
  std::vector<std::int64_t> contributors;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    const Shard& partial = born(plan).shards[index];
    const bool has_k = !ks_added(plan, rank).empty();
    if (!has_k || partial.rows.empty() || partial.columns.empty()) continue;
    if (reaches_any(subject, plan, elements, rank)) contributors.push_back(rank);
  }
  if (contributors.size() < 2) return result;
  for (const std::int64_t n :
       spread(static_cast<std::int64_t>(contributors.size()), contributions_max)) {
    const std::int64_t rank = contributors[static_cast<std::size_t>(n)];
    result.push_back({Kind::drop_rank, rank});
    result.push_back({Kind::double_rank, rank});
  }
  return result;
}

/// The mistake as something supposed: "k = 3 were missing".
std::string supposed(const Alteration& alteration) {
  const std::string index = std::to_string(alteration.index);
  switch (alteration.kind) {
    case Alteration::Kind::drop_k: return "k = " + index + " were missing";
    case Alteration::Kind::double_k: return "k = " + index + " counted twice";
    case Alteration::Kind::mispair_k:
      return "k = " + index +
             " of A were multiplied with k = " + std::to_string(alteration.index + 1) +
             " of B, and the reverse";
    case Alteration::Kind::drop_rank: return "rank " + index + " were missing";
    case Alteration::Kind::double_rank: return "rank " + index + " counted twice";
  }
  return "";
}

}  // namespace

Vacuity vacuity(const ProductCase& subject, const ResolvedPlan& plan, const Values& values) {
  Vacuity result;
  result.gates = shows_every_fault(subject.data.regime);
  result.is_trivial = subject.k == 0 || subject.i == 0 || subject.j == 0;
  if (result.is_trivial) return result;
  const std::vector<Place> elements = places(subject, *plan.states.back().c);
  std::int64_t additions_left = additions_max;
  for (const Alteration& alteration : alterations(subject, plan, elements)) {
    ++result.asked;
    const bool is_shown = std::any_of(elements.begin(), elements.end(), [&](const Place& element) {
      return values.shows(element.rank, element.coordinate, alteration, additions_left);
    });
    if (is_shown) continue;
    if (result.blind == 0) {
      result.first_blind = "would pass even if " + supposed(alteration);
    }
    ++result.blind;
  }
  return result;
}

}  // namespace shardcheck::model
