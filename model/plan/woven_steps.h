#pragma once

/// Steps that weave the local product into the moves round it (docs/plans.md, "Woven steps"): what
/// each stands for, and in which order it adds.

#include <vector>

#include <shardcheck/model/case/mesh.h>
#include <shardcheck/model/case/plan.h>

#include "rules.h"

namespace shardcheck::model {

/// The steps whose composition a schedule is, `local` among them; of any other step, itself.
std::vector<Step> stands_for(const Step& step);

/// The order in which a step adds, and on what it depends; the rest is left open. `before`: the
/// state that the step starts from. Requires: a step that multiplies.
PlannedProduct ordered_product(const Mesh& mesh, const Step& step, const PlanState& before);

}  // namespace shardcheck::model
