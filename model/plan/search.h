#pragma once

/// `plan=auto`: the cheapest legal plan of all (docs/plans.md, "plan=auto"), and the plan that it
/// beat.
///
///     const auto contest = cheapest_two(space);
///     contest->chosen.steps      // local+all_reduce:C/x
///     contest->runner_up->steps  // local+reduce_scatter:C/x+gather:C/x, as many bytes, a step
///     more

#include <cstdint>
#include <optional>

#include <shardcheck/model/case/plan.h>

#include "steps.h"

namespace shardcheck::model {

/// What a plan costs, all but its text: the smaller wins. Every step makes it larger, since it
/// counts steps.
struct PlanCost {
  std::int64_t bytes = 0;  ///< sent by all ranks
  int operand_steps = 0;   ///< steps on A or B, slices among them
  int steps = 0;
  int exchanges = 0;

  auto operator<=>(const PlanCost&) const = default;
};

struct PricedPlan {
  Plan steps;
  PlanCost cost;
};

struct Contest {
  PricedPlan chosen;
  std::optional<PricedPlan> runner_up;  ///< nothing if every legal plan is like the chosen one
};

/// Fewest bytes sent by all ranks; ties: fewest steps on A or B, then fewest steps, then fewest
/// exchanges, then the printed text. Nothing if no plan reaches the consumer's layout.
std::optional<Plan> cheapest_plan(PlanSpace& space);

/// The same plan, and the cheapest of those that differ from it in essence: some rank multiplies
/// another part of A or B, or the partials over some mesh axis are summed by another collective.
/// Steps in another order, an exchange in place of a gather, or moves of a finished C alone make no
/// other plan. Nothing if no plan reaches the consumer's layout.
std::optional<Contest> cheapest_two(PlanSpace& space);

}  // namespace shardcheck::model
