#include "check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>

#include "judge/conclude.h"
#include "judge/invariants.h"
#include "judge/judgement.h"
#include "judge/metamorphic.h"
#include "judge/relating.h"
#include "judge/run_invariants.h"
#include "judge/run_record.h"
#include "judge/tokens.h"

namespace shardcheck {

namespace {

/// What a run that finished is held to, once the plan is judged.
void judge_results(const Evidence& evidence, const RunAgain& run_again, Judgements& judgements,
                   Verdict& verdict) {
  Judgement& ownership = of(judgements, Invariant::ownership);
  const std::vector<bool> owns_rightly = judge_owners(evidence, ownership);
  Elements elements = judge_elements(evidence, owns_rightly);
  confirm_untouched(evidence.run, run_again, elements);
  std::vector<Swap> swaps;
  std::vector<Suspicion> suspicions;
  if (elements.wrong > 0) {
    swaps = find_swaps(evidence, owns_rightly, elements);
    suspicions = find_suspects(evidence, elements, swaps);
  }
  judge_replicas(evidence, owns_rightly, swaps, ownership);
  of(judgements, Invariant::memory) =
      judge_memory(evidence.run, elements, evidence.subject.dtypes.out);
  of(judgements, Invariant::coverage) = judge_coverage(evidence, elements, suspicions);
  of(judgements, Invariant::value) = judge_value(evidence, elements, swaps, suspicions);
  verdict.elements_by_grade = elements.by_grade;
  verdict.elements_rounded = elements.rounded;
}

model::LocalOrder local_order(const Promises& promises) {
  return promises.local_order ? model::LocalOrder::ascending : model::LocalOrder::free;
}

/// The expectation for the steps that the backend says it took, if the case left the plan open and
/// they are a legal one: a tie settled otherwise is not wrong, nor is what follows from it.
struct Adopted {
  ProductCase subject;
  std::unique_ptr<model::Expectation> expectation;
};

std::unique_ptr<Adopted> adopt(const Evidence& evidence) {
  const std::optional<Plan>& steps = evidence.run.observation.steps;
  if (!steps || evidence.subject.plan || *steps == evidence.expectation.plan.steps) return nullptr;
  auto adopted = std::make_unique<Adopted>();
  adopted->subject = evidence.subject;
  adopted->subject.plan = steps;
  auto expectation = model::expect(adopted->subject, local_order(evidence.promises));
  if (!expectation) return nullptr;
  adopted->expectation = std::move(*expectation);
  return adopted;
}

/// The ledger is judged only for the steps that it belongs to.
bool steps_are_known(const Evidence& evidence) {
  const std::optional<Plan>& steps = evidence.run.observation.steps;
  return !steps || *steps == evidence.expectation.plan.steps;
}

void judge_finished(const Evidence& evidence, const RunAgain& run_again, Judgements& judgements,
                    Verdict& verdict) {
  of(judgements, Invariant::plan) = judge_plan(evidence);
  const std::unique_ptr<Adopted> adopted = adopt(evidence);
  const model::Expectation& expectation = adopted ? *adopted->expectation : evidence.expectation;
  const Evidence taken{evidence.subject, expectation, evidence.promises, evidence.run};
  judge_results(taken, run_again, judgements, verdict);
  if (!steps_are_known(taken)) return;
  const Observation& observation = evidence.run.observation;
  Judgement& judgement = of(judgements, Invariant::ledger);
  judgement = judge_ledger(expectation.sent, observation.ledger, evidence.subject.dtypes);
  judge_temporaries(expectation.temporary_bytes_max, observation.temporary_bytes, judgement);
  verdict.temporaries = temporaries(expectation.temporary_bytes_max, observation.temporary_bytes);
}

/// Kept from case to case, for allocating is a good part of a small case.
Arena& arena() {
  thread_local Arena kept;
  return kept;
}

/// A case run and judged, with what a comparison with another one needs.
struct Examination {
  Verdict verdict;
  std::unique_ptr<model::Expectation> expectation;  ///< nothing if the case is illegal
  RunRecord run;
};

/// The case as the backend's promises leave it; nothing if they leave it as it is. Sums across
/// ranks in any order are those of order=any.
std::optional<ProductCase> held_to_promises(const ProductCase& subject, const Promises& promises) {
  if (promises.declared_order) return std::nullopt;
  ProductCase loosened = subject;
  loosened.order = Order::any;
  return loosened;
}

Examination examine(const ProductCase& judged, const ProductCase& asked, Backend& backend,
                    const CheckOptions& options);

/// Nothing was wrong with the case by itself; was every k multiplied, whatever its data hide?
void run_in_tokens(const Evidence& first, const ProductCase& asked, Backend& backend,
                   Judgements& judgements, Verdict& verdict) {
  const std::optional<Plan>& told = first.run.observation.steps;
  const auto tokens = in_tokens(asked, told ? *told : first.expectation.plan.steps);
  if (!tokens) return;
  const std::optional<ProductCase> loosened = held_to_promises(*tokens, first.promises);
  const ProductCase& judged = loosened ? *loosened : *tokens;
  const Verdict alone = examine(judged, *tokens, backend, {}).verdict;
  judge_tokens(*tokens, alone, judgements);
  verdict.is_from_tokens = !alone.findings.empty();
}

/// Bits are held to only where the order of every sum is promised.
bool promises_bits(const ProductCase& subject, const Promises& promises) {
  return subject.order == Order::declared && promises.declared_order && promises.local_order;
}

/// Nothing was wrong with the case by itself; is it beside a related one?
Judgement relate_and_compare(const Evidence& first, const ProductCase& asked, Backend& backend,
                             const CheckOptions& options, std::vector<Relation>& compared) {
  Judgement all;
  const std::optional<Plan>& steps = first.run.observation.steps;
  // Another plan at the same cost is a right answer to another question than the related case's.
  if (steps && *steps != first.expectation.plan.steps) return all;
  for (const Relation relation :
       relations_to_try(relations, options.relation, options.relating, print(asked))) {
    const std::optional<Related> related = relate(relation, asked, first.expectation.plan);
    if (!related) continue;
    const std::optional<ProductCase> loosened = held_to_promises(related->subject, first.promises);
    const ProductCase& judged = loosened ? *loosened : related->subject;
    const Examination other = examine(judged, related->subject, backend, {});
    SHARDCHECK_REQUIRE(other.expectation != nullptr, "a relation makes legal cases");
    const Evidence second{judged, *other.expectation, first.promises, other.run};
    Judgement one = judge_metamorphic(first, relation, *related, second, other.verdict);
    if (one.outcome != Outcome::not_observed) compared.push_back(relation);
    absorb(all, std::move(one));
    if (options.relating == Relating::drawn) break;
  }
  return all;
}

void judge_run(const Evidence& evidence, const RunAgain& run_again, Judgements& judgements,
               Verdict& verdict) {
  of(judgements, Invariant::liveness) = judge_liveness(evidence.run.observation);
  switch (evidence.run.observation.ending) {
    case Ending::finished: judge_finished(evidence, run_again, judgements, verdict); break;
    case Ending::unsupported: verdict.reason = evidence.run.observation.cause; break;
    case Ending::deadlocked:
    case Ending::threw:
    case Ending::timed_out:
    case Ending::crashed:
      of(judgements, Invariant::memory) =
          judge_memory(evidence.run, {}, evidence.subject.dtypes.out);
      break;
  }
}

/// `asked`: what the backend is given; `judged`: the same as far as the backend promises anything.
Examination examine(const ProductCase& judged, const ProductCase& asked, Backend& backend,
                    const CheckOptions& options) {
  Examination made;
  Verdict& verdict = made.verdict;
  auto expectation = model::expect(judged, local_order(backend.promises()));
  if (!expectation) {
    verdict.status = Status::illegal;
    verdict.reason = expectation.error();
    return made;
  }
  made.expectation = std::move(*expectation);
  const model::Expectation& expected = *made.expectation;
  verdict.plan = expected.plan.steps;
  const model::PlanState& start = expected.plan.states.front();
  made.run = run_once(asked, start, backend, arena());
  const Promises promises = backend.promises();
  const Evidence evidence{judged, expected, promises, made.run};
  Judgements judgements;
  const auto run_again = [&] { return run_once(asked, start, backend, arena(), {.salt = 1}); };
  judge_run(evidence, run_again, judgements, verdict);
  const bool is_finished = made.run.observation.ending == Ending::finished;
  if (options.repeat && is_finished) {
    ProductCase again = asked;
    again.run = rescheduled(asked.run);
    const RunRecord repeated = run_once(again, start, backend, arena(), {.salt = 1});
    // A backend may have one runtime only.
    if (repeated.observation.ending != Ending::unsupported) {
      of(judgements, Invariant::determinism) =
          judge_determinism(made.run, repeated, judged.dtypes.out, promises_bits(judged, promises));
    }
  }
  const bool is_covered = of(judgements, Invariant::coverage).outcome != Outcome::not_observed;
  if (options.tokens && is_finished && is_clean(judgements) && !is_covered &&
      !expected.vacuity.is_trivial) {
    run_in_tokens(evidence, asked, backend, judgements, verdict);
  }
  if (is_finished && is_clean(judgements)) {
    of(judgements, Invariant::metamorphic) =
        relate_and_compare(evidence, asked, backend, options, verdict.relations);
  }
  conclude(judgements, made.run.observation.ending, expected.vacuity, verdict);
  return made;
}

}  // namespace

Verdict check(const ProductCase& subject, Backend& backend, const CheckOptions& options) {
  remember_case(print(subject));
  require_float_environment();
  const std::optional<ProductCase> loosened = held_to_promises(subject, backend.promises());
  return examine(loosened ? *loosened : subject, subject, backend, options).verdict;
}

std::string signature(const Verdict& verdict) {
  if (verdict.findings.empty()) return "";
  const Finding& first = verdict.findings.front();
  return fmt::format("{}/{}", name(first.invariant), first.kind);
}

std::optional<Relation> relation_of(std::string_view signature) {
  const auto relation = relation_name_in(signature);
  return relation ? relation_named(*relation) : std::nullopt;
}

}  // namespace shardcheck
