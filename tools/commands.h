#pragma once

/// The sub-commands of `shardcheck`, one function and one file each.
///
/// shardcheck.cpp turns the command line into these structs; nothing below it knows the command
/// line. Only tools/ prints.

#include <cstdint>
#include <optional>
#include <string>

#include <shardcheck/properties/generate/small_cases.h>

#include <shardcheck/tools/cases/exit.h>
#include <shardcheck/tools/run/run_options.h>

namespace shardcheck::tools {

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

Exit run(const RunOptions& asked);
Exit replay(const ReplayOptions& options);
Exit minimize(const MinimizeOptions& options);
Exit enumerate(EnumerateOptions options);
Exit explain(const ExplainOptions& options);
Exit plan(const PlanOptions& options);
Exit order(const OrderOptions& options);
Exit list();

}  // namespace shardcheck::tools
