#pragma once

/// Smaller cases that still say the same: candidates and the search over them.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <shardcheck/model/case/case.h>

#include "descent.h"

namespace shardcheck {

/// Valid cases, each strictly smaller than `subject` in a fixed measure (ranks, then sizes, then
/// cuts, dtypes, algorithms, schedule, values), the boldest first.
std::vector<Case> smaller(const Case& subject);

using Minimised = Descent<Case>;

/// The smallest case found by greedy descent for which `still_fails` holds. Requires:
/// still_fails(subject). `progress`, if set, sees each improvement. The result is a fixed point
/// unless the budget was spent.
Minimised minimise(const Case& subject, const std::function<bool(const Case&)>& still_fails,
                   std::int64_t candidates_max,
                   const std::function<void(const Case&)>& progress = {});

}  // namespace shardcheck
