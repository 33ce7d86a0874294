#include <array>
#include <string_view>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan_rules.h>

#include "partial_run.h"
#include "planted.h"

namespace shardcheck {

namespace {

/// Reduces by a plan that costs more, or that wasn't asked for, and tells the truth about it.
Observation another_plan(const Request& request, Backend& inner) {
  const auto resolved = model::resolve(request.subject);
  if (!resolved) return inner.run(request);
  constexpr std::array<std::string_view, 4> plans{"local+reduce_scatter+gather", "local+all_reduce",
                                                  "gather:A/x+gather:B/x+local", "local+gather"};
  for (const std::string_view text : plans) {
    ProductCase other = request.subject;
    const auto plan = parse_plan(other.mesh, text);
    if (!plan || *plan == resolved->steps) continue;
    other.plan = *plan;
    if (model::resolve(other)) return inner.run({other, request.ranks, request.trace});
  }
  return inner.run(request);
}

/// The consumer wants replicas; every rank keeps its own partial and says that it stopped there.
Observation all_reduce_left_out(const Request& request, Backend& inner) {
  const auto partial = without_reductions(request.subject);
  if (!partial) return inner.run(request);
  return inner.run({*partial, request.ranks, request.trace});
}

}  // namespace

std::vector<Fault> plan_faults() {
  return {
      {"another_plan", "a legal plan that wasn't asked for or isn't the cheapest",
       "class Q: an algorithm chosen that may not be used here", Invariant::plan,
       planted(&another_plan)},
      {"all_reduce_left_out", "partials are returned where sums are wanted",
       "openxla/xla#40034: all-reduce left out", Invariant::plan, planted(&all_reduce_left_out)},
  };
}

}  // namespace shardcheck
