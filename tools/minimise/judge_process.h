#pragma once

/// A child process that runs and judges the cases it is told, so that a candidate of the minimiser
/// may crash, hang or eat memory without taking anything else along.

#include <cstdint>
#include <optional>
#include <string>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/check.h>

#include <shardcheck/tools/process/child_process.h>
#include <shardcheck/tools/results/results.h>

namespace shardcheck::tools {

struct JudgeSettings {
  std::string fault;               ///< planted in the backend; empty: none
  CheckOptions further;            ///< what else is run beside each case
  double seconds_max = 20;         ///< a case silent for longer is a timeout
  std::int64_t memory_mib = 4096;  ///< of address space; not held to under a sanitizer
  std::string running_dir;         ///< the case at work stands there, in running-PID.case
};

/// One thread; requires that the process has no other when judge() is called. The child is started
/// by the first case and again after each that it didn't survive.
class JudgeProcess {
 public:
  explicit JudgeProcess(JudgeSettings settings);
  JudgeProcess(const JudgeProcess&) = delete;
  JudgeProcess& operator=(const JudgeProcess&) = delete;

  /// Nothing if the case passes, or if an interrupt came before its end. `line` of the failure
  /// carries the plan as it was resolved.
  std::optional<CaseFailure> judge(const Case& subject);

  /// Why the backend didn't run the last case; empty: it did.
  const std::string& why_unsupported() const { return why_unsupported_; }

 private:
  JudgeSettings settings_;
  ChildProcess child_;
  std::string why_unsupported_;
};

}  // namespace shardcheck::tools
