#include <algorithm>

#include "rewriting.h"

namespace shardcheck {

/// Each all-reduce becomes a reduce-scatter and an all-gather. They send as much as the two halves
/// of the all-reduce, in the same widths. Their blocks are others (rows of C, not elements counted
/// row by row), and a ring starts the sum of a block at its owner; `direct` adds from member 0 on
/// whatever the block, and then only the partial that doesn't travel, and so isn't rounded to wire,
/// is another one.
std::optional<Related> reduced_then_gathered(const ProductCase& subject,
                                             const model::ResolvedPlan& plan) {
  if (!has_step(subject, plan.steps, Step::Kind::all_reduce)) return std::nullopt;
  Related related = unchanged(subject, plan);
  Plan steps;
  related.phase_of.clear();
  for (std::size_t phase = 0; phase < plan.steps.size(); ++phase) {
    const Step& step = plan.steps[phase];
    steps.push_back(step);
    related.phase_of.push_back(static_cast<std::int64_t>(phase));
    if (step.kind != Step::Kind::all_reduce) continue;
    steps.back().kind = Step::Kind::reduce_scatter;
    steps.push_back(step);
    steps.back().kind = Step::Kind::gather;
    related.phase_of.push_back(static_cast<std::int64_t>(phase));
  }
  related.subject.plan = std::move(steps);
  const bool is_direct = algorithm_of(subject, Collective::all_reduce) == Algorithm::direct &&
                         algorithm_of(subject, Collective::reduce_scatter) == Algorithm::direct;
  related.rounds_alike = is_direct && subject.dtypes.wire == subject.dtypes.acc;
  // The rows held come in another order after the gather; a later cut by position then gives an
  // exchange something else to move.
  const bool has_halves = algorithm_of(subject, Collective::all_reduce) != Algorithm::doubling &&
                          algorithm_of(subject, Collective::reduce_scatter) != Algorithm::halving;
  if (!has_exchange_of_c(plan.steps) && has_halves) {
    std::ranges::fill(related.bytes, Related::Bytes::equal);
  }
  return related;
}

}  // namespace shardcheck
