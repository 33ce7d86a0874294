#include <optional>
#include <utility>

#include <shardcheck/model/case/dtype_rules.h>

#include "fault_tables.h"
#include "other_way.h"

namespace shardcheck {

namespace {

/// A dtype for partials that is narrower than what was asked for.
std::optional<ProductCase> with_narrow_wire(const ProductCase& subject) {
  std::optional<ProductCase> narrowest;
  for (const DtypeInfo& wire : dtypes) {
    ProductCase narrow = subject;
    narrow.dtypes.wire = wire.dtype;
    const int before = info((narrowest ? *narrowest : subject).dtypes.wire).bytes;
    if (wire.bytes < before && is_legal(narrow.dtypes)) narrowest = std::move(narrow);
  }
  return narrowest;
}

Observation rounded_at_every_hop(const ProductCase& subject, const Request& request,
                                 Backend& inner) {
  const auto narrow = with_narrow_wire(subject);
  if (!narrow) return inner.run(request);
  Observation observation = inner.run({*narrow, request.ranks, request.trace});
  observation.ledger.reset();
  return observation;
}

/// Sums in the order of another algorithm than the one asked for.
Observation order_of_another_algorithm(const ProductCase& subject, const Request& request,
                                       Backend& inner) {
  Observation observation =
      inner.run({with_other_algorithms(subject), request.ranks, request.trace});
  observation.ledger.reset();
  return observation;
}

}  // namespace

std::vector<PlantedFault> product_value_faults() {
  return {
      {"rounded_at_every_hop", "partials travel in a narrower dtype than asked for",
       "class J: rounding at every hop instead of at the end", Invariant::value,
       planted(&rounded_at_every_hop)},
      {"order_of_another_algorithm", "partials are added in the order of another algorithm",
       "open-mpi/ompi#8010: order lost", Invariant::value, planted(&order_of_another_algorithm)},
  };
}

}  // namespace shardcheck
