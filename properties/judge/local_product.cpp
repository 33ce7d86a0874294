#include "local_product.h"

#include <algorithm>
#include <cstddef>

#include <shardcheck/model/case/contract.h>

namespace shardcheck {

const model::PlanState& operands_multiplied(const model::ResolvedPlan& plan) {
  const auto product =
      std::ranges::find_if(plan.steps, [](const Step& step) { return multiplies(step.kind); });
  SHARDCHECK_REQUIRE(product != plan.steps.end(), "a legal plan multiplies once");
  // To multiply moves neither operand, so that they are afterwards as they were then.
  return plan.states[static_cast<std::size_t>(product - plan.steps.begin()) + 1];
}

model::TensorState born(const model::ResolvedPlan& plan) {
  const model::PlanState& operands = operands_multiplied(plan);
  model::TensorState c;
  for (std::size_t rank = 0; rank < operands.a.shards.size(); ++rank) {
    c.shards.push_back({operands.a.shards[rank].rows, operands.b.shards[rank].columns});
  }
  c.rows_over = operands.a.rows_over;
  c.columns_over = operands.b.columns_over;
  c.partial_over = operands.a.columns_over;
  return c;
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
