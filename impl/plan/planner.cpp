#include "planner.h"

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

#include "search.h"

namespace shardcheck::impl {
namespace {

using Result = tl::expected<ResolvedPlan, std::string>;

}  // namespace

Result resolve(Situation& situation) {
  const ProductCase& subject = situation.subject;
  ResolvedPlan plan;
  if (subject.plan) {
    plan.steps = *subject.plan;
  } else {
    std::optional<Plan> cheapest = cheapest_plan(situation);
    if (!cheapest) return tl::unexpected<std::string>("no legal plan was found");
    plan.steps = std::move(*cheapest);
  }
  plan.states.push_back(situation.start);
  for (const Step& step : plan.steps) {
    const auto next = after(situation, plan.states.back(), compact(step));
    if (!next) {
      return tl::unexpected(fmt::format("{}: {}", print(subject.mesh, Plan{step}), next.error()));
    }
    plan.states.push_back(*next);
  }
  if (!is_goal(situation, plan.states.back())) {
    return tl::unexpected<std::string>("the plan doesn't end with what the consumer asks for");
  }
  return plan;
}

}  // namespace shardcheck::impl
