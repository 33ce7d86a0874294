#pragma once

/// A plan with its woven steps taken apart (docs/plans.md, "Woven steps").
///
///     unwoven(exchange:A+summa:x/y)    // exchange:A+gather:A/y+gather:B/x+local

#include <shardcheck/model/case/plan.h>

namespace shardcheck {

/// The plan with each woven step replaced by the steps that it stands for.
Plan unwoven(const Plan& plan);

}  // namespace shardcheck
