#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/tools/explain/message_text.h>
#include "lesson.h"

namespace shardcheck::tools {
namespace {

/// Bits by coordinate i·J + j.
using ByCoordinate = std::map<std::int64_t, Bits>;

ByCoordinate partial_of(const LocalProduct& product) {
  ByCoordinate bits;
  const std::size_t count = std::min(product.coordinates.size(), product.partial.size());
  for (std::size_t index = 0; index < count; ++index) {
    bits[product.coordinates[index]] = product.partial[index];
  }
  return bits;
}

/// The elements rows × columns of C, or as a list what there is if some are missing.
std::string block_text(const ProductStory& story, const model::Shard& shard,
                       const ByCoordinate& bits, Dtype dtype) {
  const auto coordinate = [&](std::int64_t row, std::int64_t column) {
    return shard.rows[static_cast<std::size_t>(row)] * story.subject.j +
           shard.columns[static_cast<std::size_t>(column)];
  };
  for (std::int64_t row = 0; row < std::ssize(shard.rows); ++row) {
    for (std::int64_t column = 0; column < std::ssize(shard.columns); ++column) {
      if (!bits.contains(coordinate(row, column))) return "not what its place in the plan holds";
    }
  }
  return matrix_text(
      std::ssize(shard.rows), std::ssize(shard.columns), dtype,
      [&](std::int64_t row, std::int64_t column) { return bits.at(coordinate(row, column)); },
      story.detail);
}

std::string partials_text(const ProductStory& story) {
  const auto& products = story.record.observation.products;
  if (!products) return "  the backend tells nothing of its local products\n";
  const model::TensorState& c = model::born(story.expectation.plan);
  std::string text;
  std::int64_t shown = 0;
  for (const LocalProduct& product : *products) {
    if (product.rank < 0 || product.rank >= std::ssize(c.shards)) continue;
    if (shown++ >= story.detail.ranks) continue;
    const model::Shard& shard = c.shards[static_cast<std::size_t>(product.rank)];
    text += fmt::format("  rank {:<3} multiplies k {}: {} at {}\n", product.rank,
                        index_text(product.a_columns, story.detail),
                        block_text(story, shard, partial_of(product), story.subject.dtypes.acc),
                        shard_text(Tensor::c, shard, story.detail));
    if (product.a_columns != product.b_rows) {
      text += fmt::format("           with B's k {}\n", index_text(product.b_rows, story.detail));
    }
  }
  return text + more_text(shown, story.detail.ranks, "ranks");
}

/// The step after which no sum is open that the plan closes.
bool is_last_reduction(const Plan& plan, std::size_t step) {
  const auto reduces = [](const Step& entry) { return info(entry.kind).is_sum; };
  return reduces(plan[step]) &&
         std::none_of(plan.begin() + static_cast<std::ptrdiff_t>(step) + 1, plan.end(), reduces);
}

}  // namespace

std::string walk_text(const ProductStory& story) {
  const model::ResolvedPlan& plan = story.expectation.plan;
  std::string text;
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    text += fmt::format("\nStep {}: {}\n  {}\n", step + 1,
                        print(story.subject.mesh, {plan.steps[step]}),
                        meaning_of(story.subject, plan.steps[step]));
    const Step::Kind kind = plan.steps[step].kind;
    text += messages_text(story.record.observation, step, story.detail);
    if (multiplies(kind)) text += partials_text(story);
    // What a product leaves is what it was told to have made.
    if (multiplies(kind) && !info(kind).is_sum) continue;
    text += is_last_reduction(plan.steps, step)
                ? sums_text(story, step)
                : state_text(story.subject, plan.states[step + 1], story.detail);
  }
  return text;
}

std::string owners_text(const ProductStory& story) {
  const Observation& observation = story.record.observation;
  const std::vector<model::Shard>& owned = story.expectation.c_shards;
  return by_rank(std::ssize(owned), story.detail, [&](std::int64_t rank) {
    const auto at = static_cast<std::size_t>(rank);
    ByCoordinate bits;
    if (at < story.record.bits.size() && at < observation.owned.size()) {
      const auto& coordinates = observation.owned[at];
      const std::size_t count = std::min(coordinates.size(), story.record.bits[at].size());
      for (std::size_t index = 0; index < count; ++index) {
        bits[coordinates[index]] = story.record.bits[at][index];
      }
    }
    return fmt::format("  rank {:<3} C at {} = {}\n", rank,
                       shard_text(Tensor::c, owned[at], story.detail),
                       block_text(story, owned[at], bits, story.subject.dtypes.out));
  });
}

}  // namespace shardcheck::tools
