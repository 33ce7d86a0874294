#pragma once

/// Makes a failing case smaller: the structural shrinker, each candidate judged in a child process
/// under limits, accepted only if it fails with the same signature. `run`, `enumerate` and
/// `minimize` all come here.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <shardcheck/tools/results/results.h>

namespace shardcheck::tools {

struct MinimiseSettings {
  std::string fault;                      ///< planted in the backend; empty: none
  std::string failures_dir = "failures";  ///< the candidate at work stands there
  /// In candidates rather than in seconds, so that equal searches end with equal cases.
  std::int64_t candidates_max = 4000;
  std::optional<double> seconds_max;  ///< for the whole search; nothing: none
  double case_seconds = 20;           ///< a case silent for that long is a timeout
  std::int64_t memory_mib = 4096;     ///< of address space, each child process
};

struct MinimisedFailure {
  CaseFailure failure;
  std::int64_t candidates = 0;  ///< tried
  std::string stopped_because;  ///< empty: it is the smallest that fails alike
};

/// Nothing if the case doesn't fail alike when it is run alone. `improved` sees each smaller case
/// that fails alike, so that it can be kept at once. The results carry the plan as it was resolved,
/// and their values if they are few: generators change, the text stays. Ends early, with the best
/// so far (`found` itself if there is none smaller), when an interrupt is counted (interruption.h).
/// Minimising a result gives it again.
std::optional<MinimisedFailure> minimise_failure(
    const MinimiseSettings& settings, const CaseFailure& found,
    const std::function<void(const CaseFailure& smaller)>& improved);

struct JudgedAlone {
  std::optional<CaseFailure> failure;  ///< nothing: it passes, isn't run, or was interrupted
  std::string why_unsupported;         ///< empty: the backend ran it
};

/// The case judged in a process of its own, as thoroughly as by `replay`.
JudgedAlone judge_alone(const MinimiseSettings& settings, const Case& subject);

}  // namespace shardcheck::tools
