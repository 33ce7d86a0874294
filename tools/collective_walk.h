#pragma once

/// What a traced run of collectives did: the messages of each call, and what every rank ended with.

#include <string>

#include <shardcheck/model/collective/calls_expectation.h>
#include <shardcheck/properties/judge/run_record.h>

#include "ownership_text.h"

namespace shardcheck::tools {

/// Call by call, as titles and lines.
std::string calls_text(const model::CollectiveExpectation& expectation, const RunRecord& record,
                       const Detail& detail);

/// Every rank's result as it came. Where one call combines the inputs, and the others move what it
/// left: as a sum of them.
std::string ends_text(const model::CollectiveExpectation& expectation, const RunRecord& record,
                      const Detail& detail);

/// "  rank 0 (member 0 of group 1)"; the rank alone where there is one group.
std::string rank_text(const model::CollectiveExpectation& expectation, std::int64_t rank);

}  // namespace shardcheck::tools
