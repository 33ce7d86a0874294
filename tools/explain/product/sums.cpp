#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <shardcheck/model/expectation/ownership.h>

#include "lesson.h"

namespace shardcheck::tools {
namespace {

using Coordinates = std::vector<std::int64_t>;

/// The partials of all ranks and the finished elements, looked up by rank and coordinate.
class Terms {
 public:
  explicit Terms(const ProductStory& story);

  /// The ranks whose partials make up this element on this rank, ascending; of replicas one.
  std::vector<std::int64_t> contributors(std::int64_t rank, std::int64_t coordinate) const;
  std::optional<Bits> partial(std::int64_t rank, std::int64_t coordinate) const;
  /// What became of it, on this rank or on one that holds the same sum.
  std::optional<Bits> result(std::int64_t rank, std::int64_t coordinate) const;

 private:
  bool shares_open_sum(std::int64_t one, std::int64_t two) const;

  std::vector<Coordinates> place_;  ///< by rank, on the mesh
  std::vector<int> reduced_;        ///< mesh axes over which the plan sums
  std::vector<int> open_;           ///< mesh axes over which C stays partial
  std::vector<std::map<std::int64_t, Bits>> partials_;
  std::vector<std::map<std::int64_t, Bits>> results_;
};

Terms::Terms(const ProductStory& story) {
  const std::int64_t ranks = rank_count(story.subject.mesh);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    place_.push_back(model::coordinates(story.subject.mesh, rank));
  }
  open_ = story.subject.c.partial_over;
  for (const int axis : model::born(story.expectation.plan).partial_over) {
    if (std::find(open_.begin(), open_.end(), axis) == open_.end()) reduced_.push_back(axis);
  }
  partials_.resize(static_cast<std::size_t>(ranks));
  results_.resize(static_cast<std::size_t>(ranks));
  const Observation& observation = story.record.observation;
  for (const LocalProduct& product : observation.products.value_or(std::vector<LocalProduct>{})) {
    if (product.rank < 0 || product.rank >= ranks) continue;
    const std::size_t count = std::min(product.coordinates.size(), product.partial.size());
    for (std::size_t index = 0; index < count; ++index) {
      partials_[static_cast<std::size_t>(product.rank)][product.coordinates[index]] =
          product.partial[index];
    }
  }
  for (std::size_t rank = 0; rank < std::min(results_.size(), story.record.bits.size()); ++rank) {
    if (rank >= observation.owned.size()) break;
    const std::size_t count =
        std::min(story.record.bits[rank].size(), observation.owned[rank].size());
    for (std::size_t index = 0; index < count; ++index) {
      results_[rank][observation.owned[rank][index]] = story.record.bits[rank][index];
    }
  }
}

bool Terms::shares_open_sum(std::int64_t one, std::int64_t two) const {
  return std::all_of(open_.begin(), open_.end(), [&](int axis) {
    return place_[static_cast<std::size_t>(one)][static_cast<std::size_t>(axis)] ==
           place_[static_cast<std::size_t>(two)][static_cast<std::size_t>(axis)];
  });
}

std::vector<std::int64_t> Terms::contributors(std::int64_t rank, std::int64_t coordinate) const {
  std::map<Coordinates, std::int64_t> by_place;
  for (std::int64_t other = 0; other < std::ssize(place_); ++other) {
    if (!shares_open_sum(rank, other)) continue;
    if (!partials_[static_cast<std::size_t>(other)].contains(coordinate)) continue;
    Coordinates key;
    for (const int axis : reduced_) {
      key.push_back(place_[static_cast<std::size_t>(other)][static_cast<std::size_t>(axis)]);
    }
    const auto [entry, is_new] = by_place.emplace(key, other);
    if (!is_new && other == rank) entry->second = other;
  }
  std::vector<std::int64_t> ranks;
  ranks.reserve(by_place.size());
  for (const auto& [key, other] : by_place) ranks.push_back(other);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

std::optional<Bits> Terms::partial(std::int64_t rank, std::int64_t coordinate) const {
  const auto& bits = partials_[static_cast<std::size_t>(rank)];
  const auto found = bits.find(coordinate);
  return found == bits.end() ? std::nullopt : std::optional<Bits>(found->second);
}

std::optional<Bits> Terms::result(std::int64_t rank, std::int64_t coordinate) const {
  const auto& own = results_[static_cast<std::size_t>(rank)];
  if (const auto found = own.find(coordinate); found != own.end()) return found->second;
  for (std::int64_t other = 0; other < std::ssize(place_); ++other) {
    const auto& bits = results_[static_cast<std::size_t>(other)];
    const auto found = bits.find(coordinate);
    if (found != bits.end() && shares_open_sum(rank, other)) return found->second;
  }
  return std::nullopt;
}

using Lookup = std::function<std::optional<Bits>(std::int64_t coordinate)>;

/// Nothing if an element is missing.
std::string lookup_text(const ProductStory& story, const model::Shard& shard, Dtype dtype,
                        const Lookup& lookup) {
  const auto coordinate = [&](std::int64_t row, std::int64_t column) {
    return shard.rows[static_cast<std::size_t>(row)] * story.subject.j +
           shard.columns[static_cast<std::size_t>(column)];
  };
  for (std::int64_t row = 0; row < std::ssize(shard.rows); ++row) {
    for (std::int64_t column = 0; column < std::ssize(shard.columns); ++column) {
      if (!lookup(coordinate(row, column))) return "?";
    }
  }
  return matrix_text(
      std::ssize(shard.rows), std::ssize(shard.columns), dtype,
      [&](std::int64_t row, std::int64_t column) { return *lookup(coordinate(row, column)); },
      story.detail);
}

/// "[5 6] (rank 0) + [14 16] (rank 1) = [19 22]" for elements with the same contributors.
std::string sum_text(const ProductStory& story, const Terms& terms, std::int64_t rank,
                     const model::Shard& shard) {
  if (shard.rows.empty() || shard.columns.empty()) return "nothing to own";
  const std::int64_t first = shard.rows.front() * story.subject.j + shard.columns.front();
  std::string text;
  std::int64_t shown = 0;
  const std::vector<std::int64_t> ranks = terms.contributors(rank, first);
  for (const std::int64_t other : ranks) {
    if (shown++ >= story.detail.ranks) continue;
    text += text.empty() ? "" : " + ";
    text += fmt::format("{} (rank {})",
                        lookup_text(story, shard, story.subject.dtypes.acc,
                                    [&](std::int64_t c) { return terms.partial(other, c); }),
                        other);
  }
  if (shown > story.detail.ranks) {
    text += fmt::format(" + … {} more", shown - story.detail.ranks);
  }
  return text + " = " + lookup_text(story, shard, story.subject.dtypes.out, [&](std::int64_t c) {
           return terms.result(rank, c);
         });
}

/// Elements of the shard with one set of contributors each; nearly always the shard itself.
std::vector<model::Shard> uniform_blocks(const ProductCase& subject, const Terms& terms,
                                         std::int64_t rank, const model::Shard& shard) {
  std::set<std::vector<std::int64_t>> seen;
  std::vector<model::Shard> elements;
  for (const std::int64_t row : shard.rows) {
    for (const std::int64_t column : shard.columns) {
      seen.insert(terms.contributors(rank, row * subject.j + column));
      elements.push_back({{row}, {column}});
    }
  }
  return seen.size() <= 1 ? std::vector<model::Shard>{shard} : elements;
}

}  // namespace

std::string sums_text(const ProductStory& story, std::size_t step) {
  const model::ResolvedPlan& plan = story.expectation.plan;
  const Terms terms(story);
  const model::TensorState& c = *plan.states[step + 1].c;
  return by_rank(
             std::ssize(c.shards), story.detail,
             [&](std::int64_t rank) {
               const model::Shard& shard = c.shards[static_cast<std::size_t>(rank)];
               std::string text;
               for (const model::Shard& block : uniform_blocks(story.subject, terms, rank, shard)) {
                 text += fmt::format("  rank {:<3} {}: {}\n", rank,
                                     shard_text(Tensor::c, block, story.detail),
                                     sum_text(story, terms, rank, block));
               }
               return text;
             }) +
         "  (each sum in the order of its algorithm: docs/plans.md)\n";
}

}  // namespace shardcheck::tools
