#pragma once

/// Collectives alone as a lesson, part by part: lesson.cpp puts them into a row.

#include <string>

#include <shardcheck/model/calls/expectation.h>
#include <shardcheck/properties/judge/run_record.h>

#include <shardcheck/tools/explain/lesson.h>

namespace shardcheck::tools {

/// What is asked, call by call.
std::string question_text(const CallsCase& subject);

/// Every rank's input, with values.
std::string starts_text(const model::CallsExpectation& expectation, const Detail& detail);

/// Every rank's result: coordinates and what is allowed there.
std::string dues_text(const model::CallsExpectation& expectation, const Detail& detail);

/// The messages call by call, as titles and lines.
std::string calls_text(const model::CallsExpectation& expectation, const RunRecord& record,
                       const Detail& detail);

/// Every rank's result as it came. Where one call combines the inputs, and the others move what it
/// left: as a sum of them.
std::string ends_text(const model::CallsExpectation& expectation, const RunRecord& record,
                      const Detail& detail);

/// For a single call: bytes sent by each rank under every algorithm that it could use instead.
std::string other_algorithms_text(const CallsCase& subject, const Detail& detail);

/// "  rank 0 (member 0 of group 1)"; the rank alone where there is one group.
std::string rank_text(const model::CallsExpectation& expectation, std::int64_t rank);

}  // namespace shardcheck::tools
