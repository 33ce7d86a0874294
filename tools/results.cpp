#include "results.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/algorithm.h>

namespace shardcheck::tools {
namespace {

void raise(HighestTemporaries& highest, const HighestTemporaries& other) {
  highest.peak_bytes = std::max(highest.peak_bytes, other.peak_bytes);
  highest.permille = std::max(highest.permille, other.permille);
}

std::string fold_of_kind(const ProductCase& subject, const Verdict& verdict) {
  // A process that died couldn't tell which plan it took; the case may.
  const bool is_told = !verdict.plan.empty() || !subject.plan;
  for (const Step& step : is_told ? verdict.plan : *subject.plan) {
    switch (step.kind) {
      case Step::Kind::reduce_scatter:
        return fmt::format("{} reduce_scatter {}", signature(verdict),
                           name(algorithm_of(subject, Collective::reduce_scatter)));
      case Step::Kind::all_reduce:
        return fmt::format("{} all_reduce {}", signature(verdict),
                           name(algorithm_of(subject, Collective::all_reduce)));
      case Step::Kind::gather_local: return fmt::format("{} gather_local", signature(verdict));
      case Step::Kind::local_scatter: return fmt::format("{} local_scatter", signature(verdict));
      case Step::Kind::summa: return fmt::format("{} summa", signature(verdict));
      case Step::Kind::cannon: return fmt::format("{} cannon", signature(verdict));
      case Step::Kind::slice:
      case Step::Kind::gather:
      case Step::Kind::exchange:
      case Step::Kind::local: break;
    }
  }
  return signature(verdict);
}

/// The last call that reduces, or the last.
std::string fold_of_kind(const CallsCase& subject, const Verdict& verdict) {
  const auto found = std::find_if(subject.calls.rbegin(), subject.calls.rend(),
                                  [](const Call& call) { return reduces(call.collective); });
  const Call& call = found == subject.calls.rend() ? subject.calls.back() : *found;
  return fmt::format("{} {} {}", signature(verdict), name(call.collective), name(call.algorithm));
}

}  // namespace

bool fails_a_run(Status status) { return is_failure(status) || status == Status::illegal; }

std::string fold_of(const Case& subject, const Verdict& verdict) {
  return std::visit([&](const auto& one) { return fold_of_kind(one, verdict); }, subject);
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
  std::visit([&](const auto& one) { count(results.tally, one, verdict); }, subject);
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
