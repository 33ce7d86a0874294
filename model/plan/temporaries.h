#pragma once

/// How much memory a plan lets a rank use beyond its inputs and output: docs/plans.md,
/// "Temporaries", word by word.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/case/product_case.h>

#include "rules.h"

namespace shardcheck::model {

/// By rank, in bytes: the most that it may hold at once. `sent`: what ledger() says of the plan.
std::vector<std::int64_t> temporary_bytes_max(const ProductCase& subject, const ResolvedPlan& plan,
                                              const std::vector<Transfer>& sent);

}  // namespace shardcheck::model
