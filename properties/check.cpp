#include "check.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>

#include "judge/conclude.h"
#include "judge/invariants.h"
#include "judge/relating.h"
#include "kinds/judging.h"

namespace shardcheck {

namespace {

/// Kept from case to case, for allocating is a good part of a small case.
Arena& arena() {
  thread_local Arena kept;
  return kept;
}

/// What every run of one check has in common.
struct Setup {
  Backend& backend;
  Promises promises;
  const Judging& kind;
};

/// A case run and judged, with what a comparison with another one needs.
struct Examination {
  Verdict verdict;
  std::unique_ptr<model::Expectation> expectation;  ///< nothing if the case is illegal
  RunRecord run;
  Judgements judgements;
};

/// What a run that finished is held to, once its course is judged.
void judge_results(const Judging& kind, const Evidence& evidence, const RunAgain& run_again,
                   Judgements& judgements, Verdict& verdict) {
  Judgement& ownership = of(judgements, Invariant::ownership);
  const std::vector<bool> owns_rightly = judge_owners(evidence, ownership);
  Elements elements = judge_elements(evidence, owns_rightly);
  confirm_untouched(evidence.run, run_again, elements);
  std::vector<Swap> swaps;
  Explanation explanation;
  if (elements.wrong > 0) {
    swaps = find_swaps(evidence, owns_rightly, elements);
    explanation = kind.explain(evidence, owns_rightly, elements, swaps);
  }
  judge_replicas(evidence, owns_rightly, swaps, ownership);
  of(judgements, Invariant::memory) = judge_memory(evidence.run, elements, evidence.out());
  if (kind.judge_coverage != nullptr) kind.judge_coverage(evidence, explanation, judgements);
  of(judgements, Invariant::value) = judge_value(evidence, elements, swaps, explanation.why);
  verdict.elements_by_grade = elements.by_grade;
  verdict.elements_rounded = elements.rounded;
}

void judge_finished(const Judging& kind, const Evidence& evidence, const RunAgain& run_again,
                    Judgements& judgements, Verdict& verdict) {
  if (kind.judge_course != nullptr) kind.judge_course(evidence, judgements);
  const auto adopted = kind.adopt != nullptr ? kind.adopt(evidence) : nullptr;
  const model::Expectation& expectation = adopted ? *adopted : evidence.expectation;
  const Evidence taken{evidence.asked, expectation, evidence.promises, evidence.run};
  judge_results(kind, taken, run_again, judgements, verdict);
  if (kind.is_course_known != nullptr && !kind.is_course_known(taken)) return;
  const Observation& told = evidence.run.observation;
  Judgement& ledger = of(judgements, Invariant::ledger);
  ledger = judge_ledger(expectation.sent, told.ledger, expectation.setting().dtypes);
  judge_temporaries(expectation.temporary_bytes_max, told.temporary_bytes, ledger);
  verdict.temporaries = temporaries(expectation.temporary_bytes_max, told.temporary_bytes);
}

void judge_run(const Judging& kind, const Evidence& evidence, const RunAgain& run_again,
               Judgements& judgements, Verdict& verdict) {
  of(judgements, Invariant::liveness) = judge_liveness(evidence.run.observation);
  switch (evidence.run.observation.ending) {
    case Ending::finished: judge_finished(kind, evidence, run_again, judgements, verdict); break;
    case Ending::unsupported:
      verdict.reason = evidence.run.observation.cause;
      of(judgements, Invariant::memory) = judge_memory(evidence.run, {}, evidence.out());
      break;
    case Ending::deadlocked:
    case Ending::threw:
    case Ending::timed_out:
    case Ending::crashed:
      of(judgements, Invariant::memory) = judge_memory(evidence.run, {}, evidence.out());
      break;
  }
}

Evidence evidence_of(const Setup& setup, const Case& asked, const Examination& made) {
  return {asked, *made.expectation, setup.promises, made.run};
}

/// The case by itself, with nothing beside it.
Examination examine(const Setup& setup, const Case& asked) {
  Examination made;
  auto expectation = model::expect(asked, setup.promises);
  if (!expectation) {
    made.verdict.status = Status::illegal;
    made.verdict.reason = expectation.error();
    return made;
  }
  made.expectation = std::move(*expectation);
  if (setup.kind.note_resolved != nullptr) {
    setup.kind.note_resolved(*made.expectation, made.verdict);
  }
  made.run = run_once(asked, *made.expectation, setup.backend, arena());
  const auto run_again = [&] {
    return run_once(asked, *made.expectation, setup.backend, arena(), {.salt = 1});
  };
  judge_run(setup.kind, evidence_of(setup, asked, made), run_again, made.judgements, made.verdict);
  return made;
}

void finish(Examination& made) {
  conclude(made.judgements, made.run.observation.ending, made.expectation->vacuity, made.verdict);
}

/// A case that stands beside another one, concluded.
Examination examine_beside(const Setup& setup, const Case& asked) {
  Examination made = examine(setup, asked);
  if (made.expectation) finish(made);
  return made;
}

void run_repeated(const Setup& setup, const Case& asked, Examination& made) {
  Case again = asked;
  setting(again).run = rescheduled(setting(asked).run);
  const RunRecord repeated =
      run_once(again, *made.expectation, setup.backend, arena(), {.salt = 1});
  // A backend may have one runtime only.
  if (repeated.observation.ending == Ending::unsupported) return;
  const Setting& judged = made.expectation->setting();
  of(made.judgements, Invariant::determinism) = judge_determinism(
      made.run, repeated, judged.dtypes.out, setup.kind.promises_bits(asked, setup.promises));
}

/// What the verdict on the case in tokens says of the case: its findings are the case's, and if
/// there are none, coverage holds, provided that a fault would have shown. Nothing is said if the
/// backend doesn't do i64.
void judge_tokens(const Case& tokens, const Verdict& alone, Judgements& judgements) {
  for (Finding finding : alone.findings) {
    finding.evidence += fmt::format("{}seen when the case was run in i64 with random tokens: {}",
                                    finding.evidence.empty() ? "" : "; ", print(tokens));
    add(of(judgements, finding.invariant), std::move(finding));
  }
  if (!alone.findings.empty()) {
    const Invariant first = alone.findings.front().invariant;
    of(judgements, first).finding_count += alone.finding_count - std::ssize(alone.findings);
  }
  if (alone.status == Status::pass) observe(of(judgements, Invariant::coverage));
}

/// Nothing was wrong with the case by itself; was every contribution counted, whatever its data
/// hide?
void run_in_tokens(const Setup& setup, const Case& asked, Examination& made) {
  if (setup.kind.in_tokens == nullptr) return;
  const std::optional<Case> tokens = setup.kind.in_tokens(evidence_of(setup, asked, made));
  if (!tokens) return;
  const Verdict alone = examine_beside(setup, *tokens).verdict;
  judge_tokens(*tokens, alone, made.judgements);
  made.verdict.is_from_tokens = !alone.findings.empty();
}

std::vector<Relation> relations_to_try(const Case& asked, const CheckOptions& options) {
  if (options.relation) return {*options.relation};
  switch (options.relating) {
    case Relating::none: return {};
    case Relating::drawn: return relations_drawn(kind_of(asked), print(asked));
    case Relating::every: return relations_in_turn(kind_of(asked));
  }
  return {};
}

Judgement compare_with_related(const Setup& setup, Comparison& comparison) {
  for (std::size_t index = 0; index < comparison.cases().size(); ++index) {
    const Case& related = comparison.cases()[index];
    const Examination other = examine_beside(setup, related);
    SHARDCHECK_REQUIRE(other.expectation != nullptr, "a relation makes legal cases");
    comparison.compare(index, evidence_of(setup, related, other), other.verdict);
  }
  return comparison.conclude();
}

/// Nothing was wrong with the case by itself; is it beside a related one?
void relate_and_compare(const Setup& setup, const Case& asked, const CheckOptions& options,
                        Examination& made) {
  const Evidence first = evidence_of(setup, asked, made);
  for (const Relation relation : relations_to_try(asked, options)) {
    const std::unique_ptr<Comparison> comparison = setup.kind.relate(relation, first);
    if (!comparison) continue;
    Judgement one = compare_with_related(setup, *comparison);
    if (one.outcome != Outcome::not_observed) made.verdict.relations.push_back(relation);
    absorb(of(made.judgements, Invariant::metamorphic), std::move(one));
    if (options.relating == Relating::drawn) break;
  }
}

/// The case by itself, and all that the options ask for beside it.
Verdict examine_whole(const Setup& setup, const Case& asked, const CheckOptions& options) {
  Examination made = examine(setup, asked);
  if (!made.expectation) return made.verdict;
  if (made.run.observation.ending == Ending::finished) {
    if (options.repeat) run_repeated(setup, asked, made);
    const bool is_covered =
        of(made.judgements, Invariant::coverage).outcome != Outcome::not_observed;
    if (options.tokens && is_clean(made.judgements) && !is_covered &&
        !made.expectation->vacuity.is_trivial) {
      run_in_tokens(setup, asked, made);
    }
    if (is_clean(made.judgements)) relate_and_compare(setup, asked, options, made);
  }
  finish(made);
  return made.verdict;
}

}  // namespace

Verdict check(const Case& subject, Backend& backend, const CheckOptions& options) {
  remember_case(print(subject));
  require_float_environment();
  const Kind kind = kind_of(subject);
  if (!backend.serves(kind)) {
    Verdict verdict;
    verdict.status = Status::unsupported;
    verdict.reason = fmt::format("the backend serves no cases of kind={}", name(kind));
    return verdict;
  }
  return examine_whole({backend, backend.promises(), judging_of(kind)}, subject, options);
}

std::string signature(const Verdict& verdict) {
  if (verdict.findings.empty()) return "";
  const Finding& first = verdict.findings.front();
  return fmt::format("{}/{}", name(first.invariant), first.kind);
}

}  // namespace shardcheck
