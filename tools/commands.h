#pragma once

/// The sub-commands of `shardcheck`, one function and one file each, and what they exit with.
///
/// shardcheck.cpp turns the command line into these structs; nothing below it knows the command
/// line. Only the files of this folder print.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/generate/generate.h>
#include <shardcheck/properties/generate/small_cases.h>
#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck::tools {

/// What the process exits with.
enum class Exit : int {
  passed = 0,         ///< everything that ran passed
  findings = 1,       ///< a failure: wrong, different from run to run, silent or crashed
  bad_input = 2,      ///< bad usage, a bad case, a file that can't be read or written
  nothing_shown = 3,  ///< nothing ran, some case could not be judged, a goal or a mistake is missed
  interrupted = 130  ///< SIGINT, SIGTERM or SIGHUP (as shells count signals); what is known is told
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
  std::int64_t memory_mib = 4096;         ///< address space of a process that minimises
  std::string enumerated;                 ///< the space, in words; empty: cases are drawn
};

/// "seed 7": where the cases of a run come from.
inline std::string origin_of(const RunOptions& options) {
  return options.enumerated.empty() ? "seed " + std::to_string(options.seed) : "the enumeration";
}

struct MinimizeOptions {
  std::string what;  ///< a case, a file, or `-`
  std::string fault;
  std::string json;                       ///< file to write; empty: none
  std::string failures_dir = "failures";  ///< where the smallest case so far is kept
  std::int64_t candidates_max = 4000;
  std::optional<double> seconds_max;  ///< for all of it; nothing: none
  double case_seconds = 20;
  std::int64_t memory_mib = 4096;
};

/// Which small cases `enumerate` runs; properties/generate/small_cases.h.
struct EnumerateOptions {
  SmallSpace space;
  RunOptions run;  ///< what applies to running them
  bool count_only = false;
};

struct ReplayOptions {
  std::string what;  ///< a case, a file, a folder, or `-`
  std::string fault;
  std::string json;            ///< file to write; empty: none
  double case_seconds = 60;    ///< a case silent for that long is a timeout
  bool is_in_process = false;  ///< run the cases in this process, without a limit
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

struct OrderOptions {
  std::string what;
  std::string fault;
};

/// What a command about a single case exits with, by its verdict. What can't be meant says nothing
/// of a backend; nor does a recorded schedule that doesn't fit the case.
Exit exit_of(const Case& subject, Status status);

Exit run(const RunOptions& asked);
Exit replay(const ReplayOptions& options);
Exit minimize(const MinimizeOptions& options);
Exit enumerate(EnumerateOptions options);
Exit explain(const ExplainOptions& options);
Exit plan(const PlanOptions& options);
Exit order(const OrderOptions& options);
Exit list();

}  // namespace shardcheck::tools
