#include <string>

#include <fmt/format.h>

#include "invariants.h"
#include "number_text.h"

namespace shardcheck {

namespace {

std::string_view words(Ending ending) {
  switch (ending) {
    case Ending::finished: return "finished";
    case Ending::deadlocked: return "deadlocked";
    case Ending::threw: return "threw";
    case Ending::timed_out: return "timed out";
    case Ending::crashed: return "crashed";
    case Ending::unsupported: return "unsupported";
  }
  return "";
}

/// Bits are held to only where the order of every sum is promised.
bool promises_bits(const Evidence& evidence) {
  return evidence.subject.order == Order::declared && evidence.promises.declared_order &&
         evidence.promises.local_order;
}

void compare_elements(const Evidence& evidence, const RunRecord& again, Judgement& judgement) {
  const auto& owned = evidence.run.observation.owned;
  const Dtype out = evidence.subject.dtypes.out;
  for (std::size_t rank = 0; rank < owned.size(); ++rank) {
    for (std::size_t position = 0; position < evidence.run.bits[rank].size(); ++position) {
      const Bits first = evidence.run.bits[rank][position];
      const Bits second = again.bits[rank][position];
      if (is_same(out, first, second)) continue;
      add(judgement, {.invariant = Invariant::determinism,
                      .kind = "bits_differ",
                      .rank = static_cast<std::int64_t>(rank),
                      .coordinate = owned[rank][position],
                      .allowed = with_hex(out, first) + ", as in the first run",
                      .got = with_hex(out, second)});
    }
  }
}

}  // namespace

Judgement judge_determinism(const Evidence& evidence, const RunRecord& again) {
  Judgement judgement;
  observe(judgement);
  const Observation& first = evidence.run.observation;
  const Observation& second = again.observation;
  const auto differs = [&](std::string kind, std::string allowed, std::string got) {
    add(judgement, {.invariant = Invariant::determinism,
                    .kind = std::move(kind),
                    .allowed = std::move(allowed),
                    .got = std::move(got),
                    .evidence = "the same case on another schedule"});
  };
  if (first.ending != second.ending) {
    differs("ending_differs", std::string(words(first.ending)), std::string(words(second.ending)));
    return judgement;
  }
  if (first.owned != second.owned) {
    differs("owned_differs", "the coordinates of the first run", "others");
    return judgement;
  }
  if (promises_bits(evidence)) compare_elements(evidence, again, judgement);
  if (first.steps != second.steps) differs("steps_differ", "the steps of the first run", "others");
  if (first.ledger != second.ledger) {
    differs("ledger_differs", "the ledger of the first run", "another");
  }
  return judgement;
}

}  // namespace shardcheck
