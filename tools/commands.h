#pragma once

/// The sub-commands of `shardcheck`, one function and one file each, and what they exit with.
///
/// shardcheck.cpp turns the command line into these structs; nothing below it knows the command
/// line. Only the files of this folder print.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <shardcheck/properties/generate/generate.h>

namespace shardcheck::tools {

/// What the process exits with.
enum class Exit : int {
  passed = 0,        ///< everything that ran passed
  findings = 1,      ///< a failure: wrong, different from run to run, silent or crashed
  bad_input = 2,     ///< bad usage, a bad case, a file that can't be read or written
  nothing_shown = 3  ///< nothing ran, or a reach goal is unmet
};

struct RunOptions {
  std::int64_t cases = 20000;
  std::optional<double> seconds;  ///< wall clock; nothing: until all cases ran
  std::uint64_t seed = 1;
  Restrictions restrictions;
  std::string fault;                      ///< plant this mistake; empty: none
  std::string json;                       ///< file to write; empty: none
  std::string report;                     ///< JUnit XML file to write; empty: none
  std::string failures_dir = "failures";  ///< where failing cases are kept
  std::int64_t jobs = 1;                  ///< worker processes
  std::int64_t failures_max = 20;         ///< different failures after which the run stops
  double case_seconds = 20;               ///< a case silent for that long is a timeout
};

struct ReplayOptions {
  std::string what;  ///< a case, a file, a folder, or `-`
  std::string fault;
  std::string json;  ///< file to write; empty: none
};

struct ExplainOptions {
  std::string what;
  std::string fault;
  bool full = false;  ///< abbreviate nothing
};

struct PlanOptions {
  std::string what;
  bool full = false;
};

Exit run(const RunOptions& options);
Exit replay(const ReplayOptions& options);
Exit explain(const ExplainOptions& options);
Exit plan(const PlanOptions& options);
Exit list();

}  // namespace shardcheck::tools
