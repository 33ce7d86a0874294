#include "results.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/tools/cases/telling.h>

namespace shardcheck::tools {
namespace {

void raise(HighestTemporaries& highest, const HighestTemporaries& other) {
  highest.peak_bytes = std::max(highest.peak_bytes, other.peak_bytes);
  highest.permille = std::max(highest.permille, other.permille);
}

}  // namespace

bool fails_a_run(Status status) { return is_failure(status) || status == Status::illegal; }

std::string fold_of(const Case& subject, const Verdict& verdict) {
  const std::string reducer = telling_of(kind_of(subject)).reducer(subject, verdict.plan);
  return reducer.empty() ? signature(verdict) : fmt::format("{} {}", signature(verdict), reducer);
}

CaseFailure case_failure(std::int64_t number, std::string line, const Verdict& verdict) {
  CaseFailure failure;
  failure.number = number;
  failure.line = std::move(line);
  failure.status = verdict.status;
  failure.signature = signature(verdict);
  failure.reason = verdict.reason;
  failure.findings = verdict.findings;
  failure.finding_count = verdict.finding_count;
  failure.is_from_tokens = verdict.is_from_tokens;
  return failure;
}

void count(Results& results, std::int64_t number, const Case& subject, std::string_view line,
           const Verdict& verdict) {
  count(results.tally, subject, verdict);
  results.statuses[static_cast<std::size_t>(verdict.status)] += 1;
  results.trivial += verdict.is_trivial ? 1 : 0;
  for (std::size_t grade = 0; grade < results.elements_by_grade.size(); ++grade) {
    results.elements_by_grade[grade] += verdict.elements_by_grade[grade];
  }
  results.elements_rounded += verdict.elements_rounded;
  for (std::size_t invariant = 0; invariant < results.outcomes.size(); ++invariant) {
    results.outcomes[invariant][static_cast<std::size_t>(verdict.outcomes[invariant])] += 1;
  }
  for (const Temporaries& rank : verdict.temporaries) {
    raise(results.temporaries,
          {rank.peak, rank.allowed == 0 ? 0 : rank.peak * 1000 / rank.allowed});
  }
  if (!fails_a_run(verdict.status)) return;
  count_failure(results, fold_of(subject, verdict),
                case_failure(number, std::string(line), verdict));
}

void count_failure(Results& results, const std::string& fold, CaseFailure failure) {
  failure.fold = fold;
  FoldedFailure& folded = results.failures[fold];
  if (folded.cases == 0 || failure.number < folded.first.number) folded.first = std::move(failure);
  folded.cases += 1;
}

void merge(Results& results, Results&& other) {
  merge(results.tally, other.tally);
  for (std::size_t status = 0; status < results.statuses.size(); ++status) {
    results.statuses[status] += other.statuses[status];
  }
  results.trivial += other.trivial;
  for (std::size_t grade = 0; grade < results.elements_by_grade.size(); ++grade) {
    results.elements_by_grade[grade] += other.elements_by_grade[grade];
  }
  results.elements_rounded += other.elements_rounded;
  raise(results.temporaries, other.temporaries);
  for (std::size_t invariant = 0; invariant < results.outcomes.size(); ++invariant) {
    for (std::size_t outcome = 0; outcome < results.outcomes[invariant].size(); ++outcome) {
      results.outcomes[invariant][outcome] += other.outcomes[invariant][outcome];
    }
  }
  for (auto& [fold, failure] : other.failures) {
    const std::int64_t cases = results.failures[fold].cases + failure.cases;
    count_failure(results, fold, std::move(failure.first));
    results.failures[fold].cases = cases;
  }
}

}  // namespace shardcheck::tools
