#include "fault_tables.h"
#include "partial_run.h"

namespace shardcheck {

namespace {

/// Every rank hands over its unfinished rows as if laying them end to end were a result.
Observation partials_concatenated(const ProductCase& subject, const Request& request,
                                  Backend& inner) {
  const auto partial = without_reductions(subject);
  if (!partial) return inner.run(request);
  Observation observation = inner.run({*partial, request.ranks, request.trace});
  observation.steps.reset();
  observation.ledger.reset();
  return observation;
}

/// Rank r reports the rows that follow its own.
Observation rows_off_by_one(const ProductCase& subject, const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  const std::int64_t elements = subject.i * subject.j;
  for (std::vector<std::int64_t>& owned : observation.owned) {
    for (std::int64_t& coordinate : owned) {
      coordinate = (coordinate + subject.j) % elements;
    }
  }
  return observation;
}

}  // namespace

std::vector<PlantedFault> product_ownership_faults() {
  return {
      {"partials_concatenated", "partials are laid end to end instead of being added",
       "class D: a partial is taken for a result", Invariant::ownership,
       planted(&partials_concatenated)},
      {"rows_off_by_one", "every rank reports the rows after its own",
       "class B: an offset of one block", Invariant::ownership, planted(&rows_off_by_one)},
  };
}

}  // namespace shardcheck
