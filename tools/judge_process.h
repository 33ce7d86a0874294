#pragma once

/// A child process that runs and judges the cases it is told, so that a candidate of the minimiser
/// may crash or hang without taking anything else along.

#include <sys/types.h>
#include <optional>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/check.h>

#include "channel.h"
#include "commands.h"
#include "results.h"

namespace shardcheck::tools {

/// One thread; requires that the process has no other when judge() is called. The child is started
/// by the first case and again after each that it didn't survive.
class JudgeProcess {
 public:
  /// `further`: what else is run beside each case. A case silent for `seconds_max` is a timeout.
  JudgeProcess(const RunOptions& options, const CheckOptions& further, double seconds_max);
  JudgeProcess(const JudgeProcess&) = delete;
  JudgeProcess& operator=(const JudgeProcess&) = delete;
  ~JudgeProcess();

  /// Nothing if the case passes. `line` of the failure carries the plan as it was resolved.
  std::optional<CaseFailure> judge(const Case& subject);

 private:
  bool start();
  int end();

  const RunOptions& options_;
  CheckOptions further_;
  double seconds_max_ = 0;
  pid_t pid_ = -1;
  Channel cases_;    ///< to the child
  Channel results_;  ///< from it
};

}  // namespace shardcheck::tools
