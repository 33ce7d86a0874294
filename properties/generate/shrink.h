#pragma once

/// Smaller cases that still say the same: candidates and the search over them.

#include <cstdint>
#include <functional>
#include <vector>

#include <shardcheck/model/case/case.h>

namespace shardcheck {

/// Valid and legal cases of the same kind, each strictly smaller than `subject` in a fixed measure
/// (measure.h), the boldest first.
std::vector<Case> smaller(const Case& subject);

struct Descent {
  Case subject;
  std::int64_t candidates_tried = 0;
  bool budget_spent = false;  ///< stopped by the budget, so perhaps not minimal
};

using Minimised = Descent;

/// The smallest case found by greedy descent for which `still_fails` holds. Requires:
/// still_fails(subject). `progress`, if set, sees each improvement. The result is a fixed point
/// unless the budget was spent.
Minimised minimise(const Case& subject, const std::function<bool(const Case&)>& still_fails,
                   std::int64_t candidates_max,
                   const std::function<void(const Case&)>& progress = {});

}  // namespace shardcheck
