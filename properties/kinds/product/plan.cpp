#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/ledger.h>

#include <shardcheck/properties/judge/number_text.h>

#include "invariants.h"

namespace shardcheck {

namespace {

std::int64_t total_bytes(const std::vector<Transfer>& transfers) {
  std::int64_t total = 0;
  for (const Transfer& transfer : transfers) total += transfer.bytes;
  return total;
}

Finding found(const ProductEvidence& evidence, std::string kind, std::string why) {
  const Mesh& mesh = evidence.subject.mesh;
  return {.invariant = Invariant::plan,
          .kind = std::move(kind),
          .allowed = print(mesh, evidence.expectation.plan.steps),
          .got = print(mesh, *evidence.run.observation.steps),
          .evidence = std::move(why)};
}

}  // namespace

Judgement judge_plan(const ProductEvidence& evidence) {
  Judgement judgement;
  if (!evidence.run.observation.steps) return judgement;
  observe(judgement);
  const Plan& steps = *evidence.run.observation.steps;
  if (steps == evidence.expectation.plan.steps) return judgement;

  ProductCase as_taken = evidence.subject;
  as_taken.plan = steps;
  const auto resolved = model::resolve(as_taken);
  if (!resolved) {
    add(judgement, found(evidence, "illegal_step", resolved.error()));
    return judgement;
  }
  if (evidence.subject.plan) {
    add(judgement, found(evidence, "differs", "the case names its plan"));
    return judgement;
  }
  const std::int64_t least = total_bytes(evidence.expectation.sent);
  const std::int64_t taken = total_bytes(model::ledger(as_taken, *resolved));
  if (taken == least) return judgement;  // a tie, settled otherwise
  add(judgement, found(evidence, taken > least ? "costlier" : "cheaper",
                       fmt::format("{} in all instead of {}", counted(taken, "byte"), least)));
  return judgement;
}

}  // namespace shardcheck
