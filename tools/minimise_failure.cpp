#include "minimise_failure.h"

#include <algorithm>

#include <shardcheck/model/case/inputs.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/shrink.h>

#include "judge_process.h"

namespace shardcheck::tools {
namespace {

/// A budget in candidates, not in seconds, so that equal runs end with equal cases.
constexpr std::int64_t candidates_max = 4000;
/// A candidate that hangs costs its whole limit.
constexpr std::int64_t hanging_candidates_max = 60;
constexpr double candidate_seconds_max = 5;

Case with_given_values(const Case& subject) {
  Case given = subject;
  const Inputs inputs(subject);
  given.data = {Data::Regime::given, 0, {}, {}};
  for (std::int64_t row = 0; row < subject.i; ++row) {
    for (std::int64_t k = 0; k < subject.k; ++k)
      given.data.a.push_back(inputs.at(Tensor::a, row, k));
  }
  for (std::int64_t k = 0; k < subject.k; ++k) {
    for (std::int64_t column = 0; column < subject.j; ++column) {
      given.data.b.push_back(inputs.at(Tensor::b, k, column));
    }
  }
  return given;
}

bool has_few_values(const Case& subject) {
  return subject.i * subject.k + subject.k * subject.j <= limits::given_values_when_minimised;
}

}  // namespace

std::optional<SmallerFailure> minimise_failure(
    const RunOptions& options, const CaseFailure& found,
    const std::function<void(const std::string& line)>& progress) {
  const auto start = parse(found.line);
  if (!start) return std::nullopt;
  CheckOptions further{.relation = relation_of(found.signature)};
  further.repeat = found.status == Status::nondeterministic ||
                   found.signature.starts_with(name(Invariant::determinism));
  const bool hangs = found.status == Status::timeout;
  const double seconds_max =
      hangs ? std::min(options.case_seconds, candidate_seconds_max) : candidate_seconds_max;
  // Most candidates don't fail alike, and one process can say so for all of them. The others are
  // judged again in a process of their own: what is kept must fail whatever ran before it.
  JudgeProcess sieve(options, further, seconds_max);
  std::optional<CaseFailure> last;
  const auto fails_alike = [&](JudgeProcess& judge, const Case& candidate) {
    std::optional<CaseFailure> failure = judge.judge(candidate);
    if (!failure || failure->signature != found.signature) return false;
    last = std::move(failure);
    return true;
  };
  const auto still_fails = [&](const Case& candidate) {
    if (!fails_alike(sieve, candidate)) return false;
    JudgeProcess fresh(options, further, seconds_max);
    return fails_alike(fresh, candidate);
  };
  if (!still_fails(*start)) return std::nullopt;

  const Minimised minimised =
      minimise(*start, still_fails, hangs ? hanging_candidates_max : candidates_max,
               [&](const Case& smaller) { progress(print(smaller)); });
  Case smallest = minimised.subject;
  if (smallest.data.regime != Data::Regime::given && has_few_values(smallest)) {
    const Case given = with_given_values(smallest);
    if (still_fails(given)) smallest = given;
  }
  // The last word on the case kept, and with it the plan that `auto` meant.
  if (!still_fails(smallest)) return std::nullopt;
  const auto resolved = parse(last->line);
  if (!resolved || !still_fails(*resolved)) last->line = print(smallest);
  last->number = found.number;
  return SmallerFailure{*last, !minimised.budget_spent};
}

}  // namespace shardcheck::tools
