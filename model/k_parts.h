#pragma once

/// The parts into which a plan's local products cut k.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/case.h>

#include "plan_rules.h"
#include "reduction_tree.h"

namespace shardcheck::model {

/// The k's of every part, one part after the other, each in the order of its owner's list.
struct KParts {
  std::vector<std::int64_t> ks;
  std::vector<std::int64_t> begin;       ///< by part; one entry more at the end
  std::vector<std::int64_t> place_of_k;  ///< in `ks`
  std::vector<std::int64_t> part_of_k;

  KParts(const Case& subject, const ResolvedPlan& plan, const Reduction& reduction);
};

}  // namespace shardcheck::model
