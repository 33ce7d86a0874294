#pragma once

/// From a case to the steps that its ranks take, and who holds what between them.
///
///     resolve(situation)->steps    // K split, rows asked: local, reduce_scatter:C/x
///
/// A plan that the case spells out is checked step by step; for `auto` the cheapest legal plan is
/// searched (plan_search.h). Source: docs/plans.md. One thread.

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "steps.h"

namespace shardcheck::impl {

struct ResolvedPlan {
  Plan steps;
  std::vector<PlanState> states;  ///< before each step, and at the end
};

/// Or why there is no such plan.
tl::expected<ResolvedPlan, std::string> resolve(Situation& situation);

}  // namespace shardcheck::impl
