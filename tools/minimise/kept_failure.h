#pragma once

/// Failures as a run leaves them behind: written to failures/ as soon as they are found, made
/// smaller at once, one file for all that are alike, replayable by its one line of text.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <shardcheck/tools/results/results.h>

#include "minimise_failure.h"

namespace shardcheck::tools {

struct KeptFailure {
  CaseFailure found;               ///< as the run met it
  CaseFailure shown;               ///< after minimising: what is reported
  std::vector<std::string> folds;  ///< of those met that became this one
  std::int64_t cases = 0;          ///< of the run that failed so
  bool is_minimised = false;
  bool is_reproduced = true;  ///< it failed again when it was run alone
  std::string path;           ///< of its file; empty if there is none
};

class FailureKeeper {
 public:
  /// `origin`: where the run's cases come from, "seed 7". `progress` sees what is at work.
  FailureKeeper(MinimiseSettings settings, std::string origin,
                std::function<void(const std::string&)> progress);

  /// Saves what is new, at once and as it was found; then minimises it, unless there was an
  /// interrupt, and folds what became alike. Returns how many different failures there are.
  std::int64_t keep(const Results& results);

  /// In the order in which the run met them.
  const std::vector<KeptFailure>& failures() const { return failures_; }

 private:
  bool is_known(const std::string& fold) const;
  std::vector<KeptFailure>::iterator alike(const std::string& fold);
  void save(KeptFailure& failure) const;
  void minimise(KeptFailure& failure) const;
  void add(KeptFailure failure);

  MinimiseSettings settings_;
  std::string origin_;
  std::function<void(const std::string&)> progress_;
  std::vector<KeptFailure> failures_;
};

}  // namespace shardcheck::tools
