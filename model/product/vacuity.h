#pragma once

/// Could this data have shown a fault? For each contribution (a k, a rank with at least one k whose
/// partial reaches an element that somebody owns; sampled when there are many): were it dropped,
/// doubled or mispaired, at least one output's allowed results must change. Otherwise a pass says
/// nothing.

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/expectation/vacuity.h>

#include <shardcheck/model/plan/rules.h>
#include "values.h"

namespace shardcheck::model {

Vacuity vacuity(const ProductCase& subject, const ResolvedPlan& plan, const Values& values);

}  // namespace shardcheck::model
