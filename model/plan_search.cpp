#include "plan_search.h"

namespace shardcheck::model {

std::optional<Plan> cheapest_plan(PlanSpace& space) {
  Plan plan{Step{}};
  auto state = take(space, space.start, plan.back());
  if (!state) return std::nullopt;
  for (int x = 0; x < static_cast<int>(space.subject.mesh.axes.size()); ++x) {
    const MeshAxes wanted =
        space.axes.over(space.consumer.axes[0]) | space.axes.over(space.consumer.axes[1]);
    const MeshAxes unfinished = state->c.partial_over & ~space.consumer.partial_over;
    if ((unfinished & axis_bit(x)) == 0) continue;
    const bool is_cut = (wanted & axis_bit(x)) != 0;
    plan.push_back({is_cut ? Step::Kind::reduce_scatter : Step::Kind::all_reduce,
                    Tensor::c,
                    x,
                    false,
                    {},
                    {}});
    state = take(space, *state, plan.back());
  }
  if (!is_what_the_consumer_wants(space, *state)) return std::nullopt;
  return plan;
}

}  // namespace shardcheck::model
