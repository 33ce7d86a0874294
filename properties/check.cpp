#include "check.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>

#include "judge/invariants.h"
#include "judge/judgement.h"
#include "judge/run_record.h"

namespace shardcheck {

namespace {

using Judgements = std::array<Judgement, invariants.size()>;

Judgement& of(Judgements& judgements, Invariant invariant) {
  return judgements[static_cast<std::size_t>(invariant)];
}

/// The same case on another schedule.
Case rescheduled(const Case& subject) {
  Case again = subject;
  switch (subject.run.kind) {
    case Run::Kind::fibers:
    case Run::Kind::pct: ++again.run.seed; break;
    case Run::Kind::trace: again.run = Run{}; break;
    case Run::Kind::threads: break;  // the machine reschedules by itself
  }
  return again;
}

/// What a run that finished is held to, once the plan is judged.
void judge_results(const Evidence& evidence, Judgements& judgements, Verdict& verdict) {
  Judgement& ownership = of(judgements, Invariant::ownership);
  const std::vector<bool> owns_rightly = judge_owners(evidence, ownership);
  const Elements elements = judge_elements(evidence, owns_rightly);
  std::vector<Swap> swaps;
  std::vector<Suspicion> suspicions;
  if (elements.wrong > 0) {
    swaps = find_swaps(evidence, owns_rightly, elements);
    suspicions = find_suspects(evidence, elements, swaps);
  }
  judge_replicas(evidence, owns_rightly, swaps, ownership);
  of(judgements, Invariant::memory) = judge_memory(evidence, elements);
  of(judgements, Invariant::coverage) = judge_coverage(evidence, elements, suspicions);
  of(judgements, Invariant::value) = judge_value(evidence, elements, swaps, suspicions);
  verdict.elements_by_grade = elements.by_grade;
  verdict.elements_rounded = elements.rounded;
}

/// The expectation for the steps that the backend says it took, if the case left the plan open and
/// they are a legal one: a tie settled otherwise is not wrong, nor is what follows from it.
struct Adopted {
  Case subject;
  std::unique_ptr<model::Expectation> expectation;
};

std::unique_ptr<Adopted> adopt(const Evidence& evidence) {
  const std::optional<Plan>& steps = evidence.run.observation.steps;
  if (!steps || evidence.subject.plan || *steps == evidence.expectation.plan.steps) return nullptr;
  auto adopted = std::make_unique<Adopted>();
  adopted->subject = evidence.subject;
  adopted->subject.plan = steps;
  auto expectation = model::expect(adopted->subject);
  if (!expectation) return nullptr;
  adopted->expectation = std::move(*expectation);
  return adopted;
}

/// The ledger is judged only for the steps that it belongs to.
bool steps_are_known(const Evidence& evidence) {
  const std::optional<Plan>& steps = evidence.run.observation.steps;
  return !steps || *steps == evidence.expectation.plan.steps;
}

void judge_finished(const Evidence& evidence, Judgements& judgements, Verdict& verdict) {
  of(judgements, Invariant::plan) = judge_plan(evidence);
  const std::unique_ptr<Adopted> adopted = adopt(evidence);
  const model::Expectation& expectation = adopted ? *adopted->expectation : evidence.expectation;
  const Evidence taken{evidence.subject, expectation, evidence.promises, evidence.run};
  judge_results(taken, judgements, verdict);
  if (steps_are_known(taken)) of(judgements, Invariant::ledger) = judge_ledger(taken);
}

Status status_of(const Verdict& verdict, const Observation& observation,
                 const model::Vacuity& vacuity) {
  if (observation.ending == Ending::timed_out) return Status::timeout;
  if (observation.ending == Ending::unsupported) return Status::unsupported;
  if (!verdict.findings.empty()) {
    const bool only_determinism = verdict.findings.front().invariant == Invariant::determinism;
    return only_determinism ? Status::nondeterministic : Status::fail;
  }
  const bool is_blind = vacuity.gates && vacuity.blind > 0 && !vacuity.is_trivial;
  return is_blind ? Status::vacuous : Status::pass;
}

void conclude(Judgements& judgements, Verdict& verdict) {
  for (std::size_t index = 0; index < judgements.size(); ++index) {
    verdict.outcomes[index] = judgements[index].outcome;
    std::ranges::move(judgements[index].findings, std::back_inserter(verdict.findings));
  }
}

/// Kept from case to case, for allocating is a good part of a small case.
Arena& arena() {
  thread_local Arena kept;
  return kept;
}

/// A broken contract names the case.
void remember(const Case& subject) {
  thread_local std::string line;
  set_case_at_work({});
  line = print(subject);
  set_case_at_work(line);
}

}  // namespace

Verdict check(const Case& subject, Backend& backend, const CheckOptions& options) {
  remember(subject);
  Verdict verdict;
  const auto expectation = model::expect(subject);
  if (!expectation) {
    verdict.status = Status::illegal;
    verdict.reason = expectation.error();
    return verdict;
  }
  const model::Expectation& expected = **expectation;
  verdict.plan = expected.plan.steps;
  verdict.is_trivial = expected.vacuity.is_trivial;

  const model::PlanState& start = expected.plan.states.front();
  const RunRecord run = run_once(subject, start, backend, arena());
  const Promises promises = backend.promises();
  const Evidence evidence{subject, expected, promises, run};
  Judgements judgements;
  of(judgements, Invariant::liveness) = judge_liveness(evidence);
  switch (run.observation.ending) {
    case Ending::finished: judge_finished(evidence, judgements, verdict); break;
    case Ending::unsupported: verdict.reason = run.observation.cause; break;
    case Ending::deadlocked:
    case Ending::threw:
    case Ending::timed_out:
    case Ending::crashed: of(judgements, Invariant::memory) = judge_memory(evidence, {}); break;
  }
  if (options.repeat && run.observation.ending == Ending::finished) {
    const Case again = rescheduled(subject);
    const RunRecord repeated = run_once(again, start, backend, arena(), {.salt = 1});
    of(judgements, Invariant::determinism) = judge_determinism(evidence, repeated);
  }
  conclude(judgements, verdict);
  verdict.status = status_of(verdict, run.observation, expected.vacuity);
  if (verdict.status == Status::vacuous) verdict.reason = expected.vacuity.first_blind;
  return verdict;
}

std::string signature(const Verdict& verdict) {
  if (verdict.findings.empty()) return "";
  const Finding& first = verdict.findings.front();
  return fmt::format("{}/{}", name(first.invariant), first.kind);
}

}  // namespace shardcheck
