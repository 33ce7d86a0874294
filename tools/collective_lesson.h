#pragma once

/// A case of collectives in words: the parts that `explain` and `plan` print of it.

#include <string>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/collective/calls_expectation.h>

#include "ownership_text.h"

namespace shardcheck::tools {

/// What is asked, call by call.
std::string question_text(const CallsCase& subject);

/// Every rank's input, with values.
std::string starts_text(const model::CollectiveExpectation& expectation, const Detail& detail);

/// Every rank's result: coordinates and what is allowed there.
std::string results_text(const model::CollectiveExpectation& expectation, const Detail& detail);

/// A row a rank, a column a call. Where `metered` differs from the closed form both stand.
std::string ledger_text(const model::CollectiveExpectation& expectation,
                        const std::vector<Transfer>& metered, const Detail& detail);

/// For a single call: bytes sent by each rank under every algorithm that it could use instead.
std::string other_algorithms_text(const CallsCase& subject, const Detail& detail);

}  // namespace shardcheck::tools
