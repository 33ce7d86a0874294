#pragma once

/// Smaller cases that still say the same: candidates and the search over them.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <shardcheck/model/case/product_case.h>

#include "descent.h"

namespace shardcheck {

/// Valid cases, each strictly smaller than `subject` in a fixed measure (ranks, then sizes, then
/// cuts, dtypes, algorithms, schedule, values), the boldest first.
std::vector<ProductCase> smaller(const ProductCase& subject);

using Minimised = Descent<ProductCase>;

/// The smallest case found by greedy descent for which `still_fails` holds. Requires:
/// still_fails(subject). `progress`, if set, sees each improvement. The result is a fixed point
/// unless the budget was spent.
Minimised minimise(const ProductCase& subject, const std::function<bool(const ProductCase&)>& still_fails,
                   std::int64_t candidates_max,
                   const std::function<void(const ProductCase&)>& progress = {});

}  // namespace shardcheck
