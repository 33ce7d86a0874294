#include "local_product.h"

#include <algorithm>

#include <shardcheck/model/case/contract.h>

namespace shardcheck {

namespace {

std::size_t place_of_local(const model::ResolvedPlan& plan) {
  const auto local = std::ranges::find(plan.steps, Step::Kind::local, &Step::kind);
  SHARDCHECK_REQUIRE(local != plan.steps.end(), "a legal plan multiplies once");
  return static_cast<std::size_t>(local - plan.steps.begin());
}

}  // namespace

const model::PlanState& before_local(const model::ResolvedPlan& plan) {
  return plan.states[place_of_local(plan)];
}

const model::TensorState& after_local(const model::ResolvedPlan& plan) {
  return *plan.states[place_of_local(plan) + 1].c;
}

std::int64_t first_of_group(const Mesh& mesh, std::int64_t rank, const std::vector<int>& axes) {
  const std::vector<std::int64_t> at = model::coordinates(mesh, rank);
  std::int64_t first = rank;
  std::int64_t stride = 1;
  for (std::size_t axis = mesh.axes.size(); axis-- > 0;) {
    if (std::ranges::find(axes, static_cast<int>(axis)) != axes.end()) first -= at[axis] * stride;
    stride *= mesh.axes[axis].size;
  }
  return first;
}

}  // namespace shardcheck
