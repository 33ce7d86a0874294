#include "minimise_failure.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/shrink.h>
#include <shardcheck/properties/judge/relating.h>

#include <shardcheck/tools/cases/telling.h>
#include <shardcheck/tools/process/clock.h>
#include <shardcheck/tools/process/interruption.h>
#include "judge_process.h"

namespace shardcheck::tools {
namespace {

constexpr double candidate_seconds_max = 5;
/// A candidate that hangs costs its whole limit. Cases of a minimiser's size take milliseconds; one
/// that was taken for hanging because the machine was busy is found out at the end, and the search
/// is made again with the next limit.
constexpr double hanging_seconds_min = 0.3;
constexpr double patience_factor = 4;

/// What else has to run beside a case for this failure to show.
CheckOptions further_for(const CaseFailure& found) {
  CheckOptions further{.tokens = found.is_from_tokens, .relation = relation_of(found.signature)};
  further.repeat = found.status == Status::nondeterministic ||
                   found.signature.starts_with(name(Invariant::determinism));
  return further;
}

class Search {
 public:
  Search(const MinimiseSettings& settings, const CaseFailure& found, double candidate_seconds,
         double deadline)
      : settings_(settings),
        found_(found),
        deadline_(deadline),
        judging_{settings.fault, further_for(found), candidate_seconds, settings.memory_mib,
                 settings.failures_dir},
        sieve_(judging_) {}

  /// Most candidates don't fail alike, and one process can say so for all of them. The others are
  /// judged again in a process of their own: what is kept must fail whatever ran before it. Whoever
  /// hangs or crashes has just ended his process, and isn't asked twice.
  bool fails_alike(const Case& candidate) {
    if (!stopped_because().empty()) return false;
    if (!fails_alike_in(sieve_, candidate)) return false;
    if (found_.signature.starts_with(name(Invariant::liveness))) return true;
    JudgeProcess fresh(judging_);
    return fails_alike_in(fresh, candidate);
  }

  /// With the whole patience of a run, in a process of its own.
  bool is_confirmed(const Case& subject) {
    JudgeSettings patient = judging_;
    patient.seconds_max = std::min(settings_.case_seconds, candidate_seconds_max);
    JudgeProcess fresh(patient);
    return fails_alike_in(fresh, subject);
  }

  std::string stopped_because() const {
    if (interrupt_count() > 0) return "interrupted";
    return seconds_now() >= deadline_ ? "the time is over" : "";
  }

  /// The last one that failed alike.
  const CaseFailure& last() const { return last_; }

 private:
  bool fails_alike_in(JudgeProcess& judge, const Case& candidate) {
    std::optional<CaseFailure> failure = judge.judge(candidate);
    if (!failure || failure->signature != found_.signature) return false;
    last_ = std::move(*failure);
    last_.number = found_.number;
    return true;
  }

  const MinimiseSettings& settings_;
  const CaseFailure& found_;
  double deadline_ = 0;
  JudgeSettings judging_;
  JudgeProcess sieve_;
  CaseFailure last_;
};

/// The failure with what its case leaves to be chosen spelled out, if it fails alike with that:
/// what is chosen may change, the text stays.
CaseFailure spelled_out(Search& search, const Case& smallest) {
  CaseFailure kept = search.last();
  kept.line = print(smallest);
  const auto spell = telling_of(kind_of(smallest)).spelled;
  const std::optional<Case> spelled = spell != nullptr ? spell(smallest, {}) : std::nullopt;
  return spelled && search.fails_alike(*spelled) ? search.last() : kept;
}

}  // namespace

std::optional<MinimisedFailure> minimise_failure(
    const MinimiseSettings& settings, const CaseFailure& found,
    const std::function<void(const CaseFailure& smaller)>& improved) {
  const auto start = parse(found.line);
  if (!start) return std::nullopt;
  constexpr double for_ever = 1e18;
  const double deadline = settings.seconds_max ? seconds_now() + *settings.seconds_max : for_ever;
  const double patience = std::min(settings.case_seconds, candidate_seconds_max);
  const bool hangs = found.status == Status::timeout;
  double limit = hangs ? std::min(hanging_seconds_min, patience) : patience;
  std::int64_t candidates = 0;
  for (;; limit = std::min(limit * patience_factor, patience)) {
    Search search(settings, found, limit, deadline);
    if (!search.is_confirmed(*start)) {
      // An interrupt ends a candidate unheard, which says nothing about the case.
      if (interrupt_count() == 0) return std::nullopt;
      return MinimisedFailure{found, candidates, "interrupted"};
    }
    CaseFailure best = search.last();
    const Minimised minimised = minimise(
        *start, [&](const Case& candidate) { return search.fails_alike(candidate); },
        settings.candidates_max - candidates,
        [&](const Case&) {
          best = search.last();
          improved(best);
        });
    candidates += minimised.candidates_tried;
    const bool is_confirmed = search.is_confirmed(minimised.subject);
    const std::string stopped = search.stopped_because();
    if (!stopped.empty()) return MinimisedFailure{best, candidates, stopped};
    if (!is_confirmed && limit < patience) continue;
    if (!is_confirmed) {
      return MinimisedFailure{best, candidates, "the smallest doesn't fail every time"};
    }
    return MinimisedFailure{
        spelled_out(search, minimised.subject), candidates,
        minimised.budget_spent ? fmt::format("{} candidates were tried", candidates) : ""};
  }
}

JudgedAlone judge_alone(const MinimiseSettings& settings, const Case& subject) {
  JudgeProcess judge({settings.fault, every_run, settings.case_seconds, settings.memory_mib,
                      settings.failures_dir});
  std::optional<CaseFailure> failure = judge.judge(subject);
  return {std::move(failure), judge.why_unsupported()};
}

}  // namespace shardcheck::tools
