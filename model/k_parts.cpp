#include "k_parts.h"

#include <algorithm>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::model {

KParts::KParts(const Case& subject, const ResolvedPlan& plan, const Reduction& reduction)
    : begin{0},
      place_of_k(static_cast<std::size_t>(subject.k)),
      part_of_k(static_cast<std::size_t>(subject.k)) {
  const auto local = std::find_if(plan.steps.begin(), plan.steps.end(),
                                  [](const Step& step) { return step.kind == Step::Kind::local; });
  const PlanState& before = plan.states[static_cast<std::size_t>(local - plan.steps.begin())];
  for (std::size_t part = 0; part < reduction.rank_of_part.size(); ++part) {
    const auto rank = static_cast<std::size_t>(reduction.rank_of_part[part]);
    for (const std::int64_t k : before.a.shards[rank].columns) {
      place_of_k[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(ks.size());
      part_of_k[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(part);
      ks.push_back(k);
    }
    begin.push_back(static_cast<std::int64_t>(ks.size()));
  }
  SHARDCHECK_REQUIRE(static_cast<std::int64_t>(ks.size()) == subject.k,
                     "the k lists of the local products cover K once");
}

}  // namespace shardcheck::model
