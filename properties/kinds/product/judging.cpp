#include <shardcheck/properties/kinds/judging.h>

#include <iterator>
#include <utility>

#include "comparison.h"
#include "evidence.h"
#include "invariants.h"
#include "probe_words.h"
#include "suspects.h"
#include "tokens.h"

namespace shardcheck {

namespace {

bool promises_bits(const Case& subject, const Promises& promises) {
  return setting(subject).order == Order::declared && promises.declared_order &&
         promises.local_order;
}

void note_resolved(const model::Expectation& expectation, Verdict& verdict) {
  verdict.plan = static_cast<const model::ProductExpectation&>(expectation).plan.steps;
}

void judge_course(const Evidence& evidence, Judgements& judgements) {
  of(judgements, Invariant::plan) = judge_plan(ProductEvidence(evidence));
}

/// The expectation for what the backend may have done, where that isn't what the case says.
///
/// Steps that it says it took, if the case left the plan open and they are a legal one: a tie
/// settled otherwise is not wrong, nor is what follows from it. And no grouping of the terms at
/// all, if it neither tells its steps nor promises an order: then nobody knows which terms a rank
/// added.
std::unique_ptr<model::Expectation> adopt(const Evidence& of) {
  const ProductEvidence evidence(of);
  const std::optional<Plan>& steps = evidence.run.observation.steps;
  ProductCase as_taken = evidence.subject;
  auto grouping = model::Grouping::planned;
  if (steps && !evidence.subject.plan && *steps != evidence.expectation.plan.steps) {
    as_taken.plan = steps;
  } else if (!steps && !evidence.promises.declared_order) {
    grouping = model::Grouping::unknown;
  } else {
    return nullptr;
  }
  auto expectation = model::expect_product(as_taken, evidence.promises, grouping);
  return expectation ? std::move(*expectation) : nullptr;
}

bool is_course_known(const Evidence& of) {
  const ProductEvidence evidence(of);
  const std::optional<Plan>& steps = evidence.run.observation.steps;
  return !steps || *steps == evidence.expectation.plan.steps;
}

Explanation explain(const Evidence& of, const std::vector<bool>& /*owns_rightly*/,
                    const Elements& elements, const std::vector<Swap>& swaps) {
  const ProductEvidence evidence(of);
  Explanation explanation;
  explanation.why.resize(elements.mismatches.size());
  if (evidence.subject.c.partial_over.empty()) {
    for (std::size_t index = 0; index < explanation.why.size(); ++index) {
      const Mismatch& mismatch = elements.mismatches[index];
      explanation.why[index] = probe_words(evidence.subject, mismatch.coordinate, mismatch.got);
    }
  }
  for (const Suspicion& suspicion : find_suspects(evidence, elements, swaps)) {
    for (const std::size_t index : suspicion.mismatches) {
      explanation.why[index] = describe(suspicion);
    }
    explanation.suspected.push_back(suspected(evidence, elements, suspicion));
  }
  return explanation;
}

void judge_coverage(const Evidence& evidence, const Explanation& explanation,
                    Judgements& judgements) {
  Judgement& judgement = of(judgements, Invariant::coverage);
  judgement = judge_products(ProductEvidence(evidence));
  // What the lists have named needs no second proof from the values.
  if (judgement.outcome == Outcome::broken) return;
  for (const Finding& finding : explanation.suspected) add(judgement, finding);
}

std::optional<Case> with_tokens(const Evidence& of) {
  const ProductEvidence evidence(of);
  const std::optional<Plan>& told = evidence.run.observation.steps;
  auto tokens =
      in_tokens(std::get<ProductCase>(of.asked), told ? *told : evidence.expectation.plan.steps);
  if (!tokens) return std::nullopt;
  return *std::move(tokens);
}

std::unique_ptr<Comparison> relate_product(Relation relation, const Evidence& of) {
  // Another plan at the same cost is a right answer to another question than the related case's.
  if (!is_course_known(of)) return nullptr;
  const ProductEvidence first(of);
  auto related = relate(relation, std::get<ProductCase>(of.asked), first.expectation.plan);
  if (!related) return nullptr;
  return std::make_unique<ProductComparison>(relation, *std::move(related), first);
}

}  // namespace

const Judging product_judging{.kind = Kind::product,
                              .promises_bits = promises_bits,
                              .note_resolved = note_resolved,
                              .judge_course = judge_course,
                              .adopt = adopt,
                              .is_course_known = is_course_known,
                              .explain = explain,
                              .judge_coverage = judge_coverage,
                              .in_tokens = with_tokens,
                              .relate = relate_product};

}  // namespace shardcheck
