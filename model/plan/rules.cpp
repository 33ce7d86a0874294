#include "rules.h"

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>

#include "search.h"
#include "steps.h"
#include "woven_steps.h"

namespace shardcheck::model {

namespace {

std::vector<int> listed(MeshAxes set) {
  std::vector<int> list;
  for (int axis = 0; set >> axis != 0; ++axis) {
    if ((set >> axis & 1) != 0) list.push_back(axis);
  }
  return list;
}

MeshAxes set_of(const std::vector<int>& list) {
  MeshAxes set = 0;
  for (const int axis : list) set |= axis_bit(axis);
  return set;
}

TensorState expanded(const PlanSpace& space, const TensorOwnership& tensor) {
  const auto [rows, columns] = tensor.axes;
  TensorState state{{},
                    listed(space.axes.over(rows)),
                    listed(space.axes.over(columns)),
                    listed(tensor.partial_over)};
  const std::int64_t ranks = rank_count(space.subject.mesh);
  state.shards.reserve(static_cast<std::size_t>(ranks));
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    state.shards.push_back({space.axes.list(rows, rank), space.axes.list(columns, rank)});
  }
  return state;
}

PlanState expanded(const PlanSpace& space, const Ownership& state) {
  PlanState result{expanded(space, state.a), expanded(space, state.b), std::nullopt};
  if (is_multiplied(state)) result.c = expanded(space, state.c);
  return result;
}

TensorOwnership compact(PlanSpace& space, const TensorState& state) {
  std::vector<const IndexList*> rows;
  std::vector<const IndexList*> columns;
  for (const Shard& shard : state.shards) {
    rows.push_back(&shard.rows);
    columns.push_back(&shard.columns);
  }
  return {{space.axes.of_lists(set_of(state.rows_over), rows),
           space.axes.of_lists(set_of(state.columns_over), columns)},
          set_of(state.partial_over)};
}

/// With the step, and of a schedule with that part of it which may not be taken.
std::string refusal_of(PlanSpace& space, const Ownership& before, const Step& step,
                       Refusal refusal) {
  const ProductCase& subject = space.subject;
  const std::string text = print(subject.mesh, Plan{step});
  if (is_woven(step.kind)) {
    Ownership state = before;
    for (const Step& part : stands_for(step)) {
      const auto next = take(space, state, part);
      if (!next && next.error() == refusal) {
        return fmt::format("{}: {}", text, refusal_of(space, state, part, refusal));
      }
      if (!next) break;
      state = *next;
    }
  }
  return fmt::format("{}: {}", text, describe(refusal, subject, step));
}

/// `states`: up to the one before the step. Requires: a step that multiplies and may be taken.
PlannedProduct product_of(PlanSpace& space, const Ownership& state, const Step& step,
                          const std::vector<PlanState>& states) {
  PlannedProduct product = ordered_product(space.subject.mesh, step, states.back());
  product.step = states.size() - 1;
  if (step.kind == Step::Kind::local_scatter) {
    const auto local = take(space, state, Step{});
    SHARDCHECK_REQUIRE(local.has_value(), "a step may be taken if what it stands for may");
    product.born = expanded(space, local->c);
  }
  return product;
}

/// Why a plan may not end in this state.
std::string unfinished(PlanSpace& space, const Ownership& end) {
  if (!is_multiplied(end)) return "the plan ends without local";
  const MeshAxes wanted = space.consumer.partial_over;
  for (const int axis : listed(end.c.partial_over ^ wanted)) {
    const bool is_wanted = (wanted & axis_bit(axis)) != 0;
    return fmt::format("the plan ends with C {} over {}", is_wanted ? "not partial" : "partial",
                       space.subject.mesh.axes[static_cast<std::size_t>(axis)].name);
  }
  return "the plan ends with other elements of C on a rank than the consumer wants";
}

tl::expected<ResolvedPlan, std::string> walked(PlanSpace& space, const Plan& plan) {
  ResolvedPlan result{plan, {}, {}};
  Ownership state = space.start;
  result.states.reserve(plan.size() + 1);
  result.states.push_back(expanded(space, state));
  for (const Step& step : plan) {
    const auto next = take(space, state, step);
    if (!next) {
      return tl::unexpected<std::string>(refusal_of(space, state, step, next.error()));
    }
    if (multiplies(step.kind)) {
      result.product = product_of(space, state, step, result.states);
    }
    state = *next;
    result.states.push_back(expanded(space, state));
  }
  if (!is_what_the_consumer_wants(space, state)) {
    return tl::unexpected<std::string>(unfinished(space, state));
  }
  return result;
}

}  // namespace

const PlanState& multiplied(const ResolvedPlan& plan) {
  // What moves in the step has moved, and to multiply moves nothing.
  return plan.states[plan.product.step + 1];
}

const IndexList& ks_added(const ResolvedPlan& plan, std::int64_t rank) {
  const auto index = static_cast<std::size_t>(rank);
  const std::vector<IndexList>& order = plan.product.order;
  return order.empty() ? multiplied(plan).a.shards[index].columns : order[index];
}

const TensorState& born(const ResolvedPlan& plan) {
  return plan.product.born ? *plan.product.born : *multiplied(plan).c;
}

PlanState initial_state(const ProductCase& subject) {
  PlanSpace space(subject);
  return expanded(space, space.start);
}

tl::expected<PlanState, std::string> apply(const ProductCase& subject, const PlanState& state,
                                           const Step& step) {
  PlanSpace space(subject);
  Ownership before{compact(space, state.a), compact(space, state.b), {}};
  if (state.c) before.c = compact(space, *state.c);
  const auto after = take(space, before, step);
  if (!after) return tl::unexpected<std::string>(refusal_of(space, before, step, after.error()));
  return expanded(space, *after);
}

tl::expected<ResolvedPlan, std::string> resolve(const ProductCase& subject) {
  PlanSpace space(subject);
  if (subject.plan) return walked(space, *subject.plan);
  if (static_cast<std::int64_t>(subject.mesh.axes.size()) > limits::auto_mesh_axes) {
    return tl::unexpected<std::string>(
        fmt::format("plan=auto is for meshes of at most {} axes", limits::auto_mesh_axes));
  }
  const std::optional<Plan> cheapest = cheapest_plan(space);
  if (!cheapest) return tl::unexpected<std::string>("no plan reaches the consumer's layout");
  return walked(space, *cheapest);
}

}  // namespace shardcheck::model
