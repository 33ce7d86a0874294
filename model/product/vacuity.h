#pragma once

/// Could this data have shown a fault? For each contribution (a k, a rank with at least one k whose
/// partial reaches an element that somebody owns; sampled when there are many): were it dropped,
/// doubled or mispaired, at least one output's allowed results must change. Otherwise a pass says
/// nothing.

#include <cstdint>
#include <string>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/plan/rules.h>
#include "values.h"

namespace shardcheck::model {

struct Vacuity {
  bool is_trivial = false;  ///< nothing is contracted: K = 0 or C is empty
  std::int64_t asked = 0;   ///< alterations tried
  std::int64_t blind = 0;   ///< alterations that no output would have shown
  std::string first_blind;  ///< the first of them: "would pass even if k = 3 were missing"
  bool gates = true;        ///< the regime promises to show everything: blind > 0 is vacuous
};

Vacuity vacuity(const ProductCase& subject, const ResolvedPlan& plan, const Values& values);

}  // namespace shardcheck::model
