#pragma once

/// Failures as a run leaves them behind: written to failures/ as soon as they are found, made
/// smaller at the end, one file each, replayable by its one line of text.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "commands.h"
#include "results.h"

namespace shardcheck::tools {

struct KeptFailure {
  CaseFailure found;  ///< as the run met it
  CaseFailure shown;  ///< after minimising: what is reported
  std::string fold;
  std::int64_t cases = 0;  ///< of the run that failed alike
  bool is_minimised = false;
  bool is_reproduced = true;  ///< it failed again when it was run alone
  std::string path;           ///< of its file; empty if there is none
};

class FailureKeeper {
 public:
  explicit FailureKeeper(const RunOptions& options) : options_(options) {}

  /// Saves what is new, at once and as it was found.
  void keep(const Results& results);

  /// Minimises every failure, replaces the files and folds those that became the same case.
  /// `progress` sees what is at work.
  void minimise_all(const std::function<void(const std::string&)>& progress);

  /// In the order in which the run met them.
  const std::vector<KeptFailure>& failures() const { return failures_; }

 private:
  const RunOptions& options_;
  std::vector<KeptFailure> failures_;
};

/// `shardcheck replay 'failures/…case'`, with the planted fault if there is one.
std::string replay_command(const RunOptions& options, const KeptFailure& failure);

}  // namespace shardcheck::tools
