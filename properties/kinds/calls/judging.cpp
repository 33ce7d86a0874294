#include <shardcheck/properties/kinds/judging.h>

#include <utility>

#include "comparison.h"
#include "evidence.h"
#include "suspects.h"

namespace shardcheck {

namespace {

bool promises_bits(const Case& subject, const Promises& promises) {
  return setting(subject).order == Order::declared && promises.declared_order;
}

Explanation explain(const Evidence& of, const std::vector<bool>& /*owns_rightly*/,
                    const Elements& elements, const std::vector<Swap>& swaps) {
  return {suspects_by_mismatch(CallsEvidence(of), elements, swaps), {}};
}

std::unique_ptr<Comparison> relate_calls(Relation relation, const Evidence& of) {
  const CallsEvidence first(of);
  auto related = relate(relation, std::get<CallsCase>(of.asked), first);
  if (!related) return nullptr;
  return std::make_unique<CallsComparison>(relation, *std::move(related), first);
}

}  // namespace

const Judging calls_judging{.kind = Kind::calls,
                            .promises_bits = promises_bits,
                            // Among many members one value is easily another's by accident; that
                            // it is, its evidence says anyway.
                            .swapped_elements_min = 2,
                            .explain = explain,
                            .relate = relate_calls};

}  // namespace shardcheck
