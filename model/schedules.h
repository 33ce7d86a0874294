#pragma once

/// Steps that weave the local product into the moves round it (docs/plans.md, "Schedules"): what
/// each stands for, and in which order it adds.

#include <vector>

#include <shardcheck/model/case/mesh.h>
#include <shardcheck/model/case/plan.h>

#include "plan_rules.h"

namespace shardcheck::model {

/// The steps whose composition a schedule is, `local` among them; of any other step, itself.
std::vector<Step> stands_for(const Step& step);

/// Puts the k lists of `product` in the order in which a schedule adds, and says on which mesh axes
/// that order depends. `before`: the state that the schedule starts from. Any other step adds in
/// the order held, and nothing is changed.
void put_in_order(const Mesh& mesh, const Step& step, const PlanState& before,
                  PlannedProduct& product);

}  // namespace shardcheck::model
