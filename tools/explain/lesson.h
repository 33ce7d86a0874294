#pragma once

/// What differs from kind to kind where a case is told as a lesson: one row a kind. explain.cpp,
/// plan.cpp and order.cpp are the frame that all kinds share; a row fills it. What a row leaves
/// out, the kind hasn't got.
///
/// Each function gives whole lines; titles are the frame's unless a row says otherwise.

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/case.h>
#include <shardcheck/model/expectation/expectation.h>
#include <shardcheck/properties/judge/run_record.h>
#include <shardcheck/properties/order/order.h>

#include "ownership_text.h"

namespace shardcheck::tools {

/// All that is known of one traced run.
struct Story {
  const model::Expectation& expectation;  ///< the model's word
  const RunRecord& record;                ///< the backend's deeds
  Detail detail;
};

struct Lesson {
  Kind kind = Kind::product;

  /// What is asked, in words.
  std::string (*question)(const model::Expectation& expectation) = nullptr;
  /// Every rank's inputs, with values.
  std::string (*starts)(const model::Expectation& expectation, const Detail& detail) = nullptr;
  /// What every rank must end with, where that isn't told by the question.
  std::string (*dues)(const model::Expectation& expectation, const Detail& detail) = nullptr;
  /// The phases one by one, with titles: messages, partials, sums.
  std::string (*walk)(const Story& story) = nullptr;
  std::string_view ends_title;
  /// What every rank ended with, with values.
  std::string (*ends)(const Story& story) = nullptr;
  /// Titles of the phases, as columns of a table.
  std::vector<std::string> (*phases)(const model::Expectation& expectation) = nullptr;
  /// How many bytes it would have been otherwise, with a title; empty: there is no other way.
  std::string (*others)(const model::Expectation& expectation, const Detail& detail) = nullptr;

  /// `plan`: what stands before the table of bytes, and behind it. Both with titles.
  std::string (*outline)(const model::Expectation& expectation, const Detail& detail) = nullptr;
  std::string (*totals)(const model::Expectation& expectation) = nullptr;

  /// `order`: the letter before a term's number, and how a place of a result is called.
  std::string_view term;
  std::string (*place)(const Case& subject, const OrderFound& found) = nullptr;
};

const Lesson& lesson_of(Kind kind);

/// The rows.
extern const Lesson product_lesson;
extern const Lesson calls_lesson;

}  // namespace shardcheck::tools
