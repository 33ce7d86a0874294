#pragma once

/// A product as a lesson, part by part: lesson.cpp puts them into a row.

#include <cstddef>
#include <string>

#include <shardcheck/model/product/expectation.h>

#include <shardcheck/tools/explain/lesson.h>

namespace shardcheck::tools {

/// A Story of a product.
struct ProductStory {
  explicit ProductStory(const Story& of)
      : expectation(static_cast<const model::ProductExpectation&>(of.expectation)),
        subject(expectation.subject),
        record(of.record),
        detail(of.detail) {}

  const model::ProductExpectation& expectation;
  const ProductCase& subject;
  const RunRecord& record;
  Detail detail;
};

/// "the partials over x are summed (ring); each rank keeps its part of C"
std::string meaning_of(const ProductCase& subject, const Step& step);

/// One line a rank: "  rank 0  A i 0-1, k 0; B k 0, j 0-1", C's part instead once there is one.
std::string state_text(const ProductCase& subject, const model::PlanState& state,
                       const Detail& detail);

/// A cut, a plan, dtypes, ranks.
std::string question_text(const model::ProductExpectation& expectation);

/// A's and B's shard of every rank, with values.
std::string shards_text(const model::ProductExpectation& expectation, const Detail& detail);

/// The steps one by one: partials, messages, sums, who holds what afterwards.
std::string walk_text(const ProductStory& story);

/// Below the reduction that finishes C: every rank's part as a sum of partials.
std::string sums_text(const ProductStory& story, std::size_t step);

/// Who owns what in the end, with values.
std::string owners_text(const ProductStory& story);

/// The plan, why it is the cheapest, and who holds what after each step.
std::string plan_text(const model::ProductExpectation& expectation, const Detail& detail);

/// All bytes, and the lower bound where it holds.
std::string totals_text(const model::ProductExpectation& expectation);

}  // namespace shardcheck::tools
