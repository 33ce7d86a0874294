#pragma once

/// What a schedule stands for: the steps that move and multiply one after the other and end with
/// the same elements on the same ranks (docs/plans.md, "Schedules").
///
///     stands_for(summa:x/y)    // gather:A/y+gather:B/x+local

#include <shardcheck/model/case/plan.h>

namespace shardcheck {

/// The step itself if it isn't a schedule.
Plan stands_for(const Step& step);

/// The plan with each schedule replaced.
Plan unwoven(const Plan& plan);

}  // namespace shardcheck
