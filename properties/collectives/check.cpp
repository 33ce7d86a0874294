#include "check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/float_environment.h>
#include <shardcheck/model/collective/expect.h>
#include <shardcheck/properties/judge/conclude.h>
#include <shardcheck/properties/judge/relating.h>
#include <shardcheck/properties/judge/run_invariants.h>

#include "evidence.h"
#include "metamorphic.h"
#include "run.h"

namespace shardcheck {

namespace {

/// Kept from case to case, for allocating is a good part of a small case.
CollectiveArena& arena() {
  thread_local CollectiveArena kept;
  return kept;
}

/// A case run and judged, with what a comparison with another one needs.
struct Examination {
  Verdict verdict;
  std::unique_ptr<model::CollectiveExpectation> expectation;  ///< nothing if the case is illegal
  RunRecord run;
};

/// The case as the backend's promises leave it; nothing if they leave it as it is. An order that
/// isn't promised is free in one call that reduces; judge_elements() sees to several in a row.
std::optional<CallsCase> held_to_promises(const CallsCase& subject,
                                               const Promises& promises) {
  const bool is_free = subject.calls.size() == 1 && reduces(subject.calls.front().collective);
  if (promises.declared_order || !is_free) return std::nullopt;
  CallsCase loosened = subject;
  loosened.order = Order::any;
  return loosened;
}

void judge_finished(const CollectiveEvidence& evidence, const RunAgain& run_again,
                    Judgements& judgements, Verdict& verdict) {
  Judgement& ownership = of(judgements, Invariant::ownership);
  const std::vector<bool> owns_rightly = judge_owners(evidence, ownership);
  Elements elements = judge_elements(evidence, owns_rightly);
  confirm_untouched(evidence.run, run_again, elements);
  judge_replicas(evidence, owns_rightly, ownership);
  const DtypeCombination& dtypes = evidence.subject.dtypes;
  of(judgements, Invariant::memory) = judge_memory(evidence.run, elements, dtypes.out);
  of(judgements, Invariant::ledger) =
      judge_ledger(evidence.expectation.sent, evidence.run.observation.ledger, dtypes);
  const std::vector<std::int64_t>& allowed = evidence.expectation.temporary_bytes_max;
  const auto& told = evidence.run.observation.temporary_bytes;
  judge_temporaries(allowed, told, of(judgements, Invariant::ledger));
  verdict.temporaries = temporaries(allowed, told);
  of(judgements, Invariant::value) = judge_value(evidence, elements);
  verdict.elements_by_grade = elements.by_grade;
  verdict.elements_rounded = elements.rounded;
}

void judge_run(const CollectiveEvidence& evidence, const RunAgain& run_again,
               Judgements& judgements, Verdict& verdict) {
  const Observation& observation = evidence.run.observation;
  of(judgements, Invariant::liveness) = judge_liveness(observation);
  switch (observation.ending) {
    case Ending::finished: judge_finished(evidence, run_again, judgements, verdict); break;
    case Ending::unsupported: verdict.reason = observation.cause; break;
    case Ending::deadlocked:
    case Ending::threw:
    case Ending::timed_out:
    case Ending::crashed:
      of(judgements, Invariant::memory) =
          judge_memory(evidence.run, {}, evidence.subject.dtypes.out);
      break;
  }
}

Judgement judge_repeated(const CollectiveEvidence& first, const CallsCase& asked,
                         Backend& backend) {
  CallsCase again = asked;
  again.run = rescheduled(asked.run);
  const RunRecord repeated = run_once(again, first.expectation, backend, arena(), {.salt = 1});
  // A backend may have one runtime only.
  if (repeated.observation.ending == Ending::unsupported) return {};
  const bool promises_bits =
      first.subject.order == Order::declared && first.promises.declared_order;
  return judge_determinism(first.run, repeated, first.subject.dtypes.out, promises_bits);
}

Examination examine(const CallsCase& judged, const CallsCase& asked,
                    Backend& backend, const CheckOptions& options);

Judgement compare_related(CollectiveRelation relation, const CollectivesRelated& related,
                          const CollectiveEvidence& first, Backend& backend) {
  CollectiveComparison comparison(relation, related, first);
  for (std::size_t index = 0; index < related.cases.size(); ++index) {
    const CallsCase& asked = related.cases[index].subject;
    const std::optional<CallsCase> loosened = held_to_promises(asked, first.promises);
    const CallsCase& judged = loosened ? *loosened : asked;
    const Examination other = examine(judged, asked, backend, {});
    SHARDCHECK_REQUIRE(other.expectation != nullptr, "a relation makes legal cases");
    comparison.compare(index, {judged, *other.expectation, first.promises, other.run},
                       other.verdict);
  }
  return comparison.conclude();
}

/// Nothing was wrong with the case by itself; is it beside a related one?
Judgement relate_and_compare(const CollectiveEvidence& first, const CallsCase& asked,
                             Backend& backend, const CheckOptions& options,
                             std::vector<CollectiveRelation>& compared) {
  Judgement all;
  for (const CollectiveRelation relation : relations_to_try(
           collective_relations, options.collective_relation, options.relating, print(asked))) {
    const std::optional<CollectivesRelated> related = relate(relation, asked, first);
    if (!related) continue;
    Judgement one = compare_related(relation, *related, first, backend);
    if (one.outcome != Outcome::not_observed) compared.push_back(relation);
    absorb(all, std::move(one));
    if (options.relating == Relating::drawn) break;
  }
  return all;
}

/// `asked`: what the backend is given; `judged`: the same as far as the backend promises anything.
Examination examine(const CallsCase& judged, const CallsCase& asked,
                    Backend& backend, const CheckOptions& options) {
  Examination made;
  Verdict& verdict = made.verdict;
  auto expectation = model::expect(judged);
  if (!expectation) {
    verdict.status = Status::illegal;
    verdict.reason = expectation.error();
    return made;
  }
  made.expectation = std::move(*expectation);
  made.run = run_once(asked, *made.expectation, backend, arena());
  const Promises promises = backend.promises();
  const CollectiveEvidence evidence{judged, *made.expectation, promises, made.run};
  Judgements judgements;
  const auto run_again = [&] {
    return run_once(asked, *made.expectation, backend, arena(), {.salt = 1});
  };
  judge_run(evidence, run_again, judgements, verdict);
  const bool is_finished = made.run.observation.ending == Ending::finished;
  if (options.repeat && is_finished) {
    of(judgements, Invariant::determinism) = judge_repeated(evidence, asked, backend);
  }
  if (is_finished && is_clean(judgements)) {
    of(judgements, Invariant::metamorphic) =
        relate_and_compare(evidence, asked, backend, options, verdict.collective_relations);
  }
  conclude(judgements, made.run.observation.ending, made.expectation->vacuity, verdict);
  return made;
}

}  // namespace

Verdict check(const CallsCase& subject, Backend& backend,
              const CheckOptions& options) {
  remember_case(print(subject));
  require_float_environment();
  const std::optional<CallsCase> loosened = held_to_promises(subject, backend.promises());
  return examine(loosened ? *loosened : subject, subject, backend, options).verdict;
}

std::optional<CollectiveRelation> collective_relation_of(std::string_view signature) {
  const auto relation = relation_name_in(signature);
  return relation ? collective_relation_named(*relation) : std::nullopt;
}

}  // namespace shardcheck
