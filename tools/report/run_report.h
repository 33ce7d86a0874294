#pragma once

/// A finished run, for a person, a program and a build server. One struct, three ways to write it.

#include <string>
#include <vector>

#include <shardcheck/properties/generate/goals.h>

#include <shardcheck/tools/cases/exit.h>
#include <shardcheck/tools/minimise/kept_failure.h>
#include <shardcheck/tools/run/run_options.h>
#include <shardcheck/tools/run/supervisor.h>

namespace shardcheck::tools {

struct RunReport {
  const RunOptions& options;
  const RunOutcome& outcome;
  const std::vector<KeptFailure>& failures;
  std::string backend;
  std::vector<GoalResult> goals;
  Exit exit = Exit::passed;
};

/// Why a run without failures says nothing of its backend, or of the harness: nothing ran, nothing
/// is supported, a planted mistake was not found. A line each; reach goals aside.
std::vector<std::string> shortfalls(const RunReport& report);

/// What the run ends with, `exit` aside.
Exit exit_of(const RunReport& report);

/// Distribution, goals, counts, failures; ends with a line break.
std::string as_text(const RunReport& report);

/// One JSON object. Equal for equal seeds and cases, but for what stands under `timing`.
std::string as_json(const RunReport& report);

/// JUnit XML: a test a reach goal and a test an invariant, so that a build server lists them.
std::string as_junit(const RunReport& report);

}  // namespace shardcheck::tools
