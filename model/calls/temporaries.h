#pragma once

/// How much memory a case of collectives lets a rank use beyond its input and output:
/// docs/collectives.md, "Temporaries", word by word.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/observation.h>

#include "meaning.h"

namespace shardcheck::model {

/// By rank, in bytes: the most that it may hold at once. `sent`: what ledger() says of the case.
std::vector<std::int64_t> temporary_bytes_max(const CallsCase& subject, const Meaning& meaning,
                                              const std::vector<Transfer>& sent);

}  // namespace shardcheck::model
