#pragma once

/// `plan=auto`: the cheapest legal plan of all (docs/plans.md, "plan=auto").

#include <optional>

#include <shardcheck/model/case/plan.h>

#include "plan_steps.h"

namespace shardcheck::model {

/// Fewest bytes sent by all ranks; ties: fewest steps on A or B, then fewest steps, then fewest
/// exchanges, then the printed text. Nothing if no plan reaches the consumer's layout.
std::optional<Plan> cheapest_plan(PlanSpace& space);

}  // namespace shardcheck::model
