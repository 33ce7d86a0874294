#pragma once

/// Smaller cases of collectives that still say the same: as shrink.h does for products.

#include <cstdint>
#include <functional>
#include <vector>

#include <shardcheck/model/case/calls_case.h>

#include "descent.h"
#include "measure.h"

namespace shardcheck {

/// Ranks, then mesh axes, calls, sizes, seeded before given data, cuts, counts, destinations, root,
/// operator, dtypes, algorithms, placement, promise, schedule, regime and seed; then the values.
Measure measure(const CallsCase& subject);

/// Valid and legal cases, each strictly smaller than `subject`, the boldest first.
std::vector<CallsCase> smaller(const CallsCase& subject);

using MinimisedCollective = Descent<CallsCase>;

/// The smallest case found by greedy descent for which `still_fails` holds. Requires:
/// still_fails(subject). `progress`, if set, sees each improvement. The result is a fixed point
/// unless the budget was spent.
MinimisedCollective minimise(const CallsCase& subject,
                             const std::function<bool(const CallsCase&)>& still_fails,
                             std::int64_t candidates_max,
                             const std::function<void(const CallsCase&)>& progress = {});

}  // namespace shardcheck
