#pragma once

/// For tests alone: a plan carried out rank by rank, step by step, in the generic arithmetic of
/// exact/format.h, as docs/plans.md puts it. The bytes of schedules are compared on the way.

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/plan/rules.h>
#include "simulated_woven_step.h"

namespace shardcheck::model {

struct SimulatedSums {
  HeldSums held;      ///< in the end
  HeldSums partials;  ///< before any reduction
};

SimulatedSums simulate(const ProductCase& subject, const ResolvedPlan& plan);

}  // namespace shardcheck::model
