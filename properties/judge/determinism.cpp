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

void compare_elements(const RunRecord& run, const RunRecord& again, Dtype out,
                      Judgement& judgement) {
  const auto& owned = run.observation.owned;
  for (std::size_t rank = 0; rank < owned.size(); ++rank) {
    for (std::size_t position = 0; position < run.bits[rank].size(); ++position) {
      const Bits first = run.bits[rank][position];
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

Judgement judge_determinism(const RunRecord& run, const RunRecord& again, Dtype out,
                            bool promises_bits) {
  Judgement judgement;
  observe(judgement);
  const Observation& first = run.observation;
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
  if (promises_bits) compare_elements(run, again, out, judgement);
  if (first.steps != second.steps) differs("steps_differ", "the steps of the first run", "others");
  if (first.ledger != second.ledger) {
    differs("ledger_differs", "the ledger of the first run", "another");
  }
  return judgement;
}

Run rescheduled(const Run& run) {
  Run again = run;
  switch (run.kind) {
    case Run::Kind::fibers:
      if (run.seed % 4 == 3) {
        again.kind = Run::Kind::threads;
        break;
      }
      [[fallthrough]];
    case Run::Kind::pct: ++again.seed; break;
    case Run::Kind::trace: again = Run{}; break;
    case Run::Kind::threads: break;  // the machine reschedules by itself
  }
  return again;
}

}  // namespace shardcheck
