#include <array>
#include <string_view>

#include "fault_tables.h"
#include "other_way.h"
#include "partial_run.h"

namespace shardcheck {

namespace {

/// Reduces by a plan that costs more, or that wasn't asked for, and tells the truth about it.
Observation another_plan(const ProductCase& subject, const Request& request, Backend& inner) {
  constexpr std::array<std::string_view, 4> plans{"local+reduce_scatter+gather", "local+all_reduce",
                                                  "gather:A/x+gather:B/x+local", "local+gather"};
  const auto other = with_another_plan(subject, plans);
  return other ? inner.run({*other, request.ranks, request.trace}) : inner.run(request);
}

/// The consumer wants replicas; every rank keeps its own partial and says that it stopped there.
Observation all_reduce_left_out(const ProductCase& subject, const Request& request,
                                Backend& inner) {
  const auto partial = without_reductions(subject);
  if (!partial) return inner.run(request);
  return inner.run({*partial, request.ranks, request.trace});
}

}  // namespace

std::vector<PlantedFault> plan_faults() {
  return {
      {"another_plan", "a legal plan that wasn't asked for or isn't the cheapest",
       "class Q: an algorithm chosen that may not be used here", Invariant::plan,
       planted(&another_plan)},
      {"all_reduce_left_out", "partials are returned where sums are wanted",
       "openxla/xla#40034: all-reduce left out", Invariant::plan, planted(&all_reduce_left_out)},
  };
}

}  // namespace shardcheck
