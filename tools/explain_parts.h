#pragma once

/// The parts of an explanation, each a piece of text: explain.cpp puts them in the order of a
/// lesson.

#include <string>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/expect.h>
#include <shardcheck/properties/judge/run_record.h>

#include "ownership_text.h"

namespace shardcheck::tools {

/// All that is known of one traced run.
struct Story {
  const ProductCase& subject;
  const model::Expectation& expectation;  ///< the model's word
  const RunRecord& record;                ///< the backend's deeds
  Detail detail;
};

/// What is asked, in words.
std::string question_text(const Story& story);

/// A's and B's shard of every rank, with values.
std::string shards_text(const Story& story);

/// The steps one by one: partials, messages, sums, who holds what afterwards.
std::string walk_text(const Story& story);

/// Below the reduction that finishes C: every rank's part as a sum of partials.
std::string sums_text(const Story& story, std::size_t step);

/// Who owns what in the end, with values.
std::string owners_text(const Story& story);

}  // namespace shardcheck::tools
