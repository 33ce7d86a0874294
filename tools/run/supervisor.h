#pragma once

/// Runs the cases of a run in worker processes: hands out chunks, adds up results in the order of
/// the cases, turns a dead worker into a crash and a silent one into a timeout, starts another, and
/// goes on. What it returns depends on the seed and on how many cases ran, not on the workers.

#include <cstdint>
#include <functional>
#include <string>

#include <shardcheck/tools/results/results.h>
#include "run_options.h"

namespace shardcheck::tools {

struct RunOutcome {
  Results results;
  std::int64_t cases = 0;  ///< the run's first so many cases are in `results`
  std::int64_t workers_lost = 0;
  /// Cases whose data or judgement there was no memory for; in `results` they are `unsupported`.
  std::int64_t not_judged = 0;
  std::string first_not_judged;  ///< "case 7", and its line if it was drawn
  double seconds = 0;            ///< wall clock
  bool is_interrupted = false;
  std::string stopped_because;  ///< empty: everything asked for ran
};

struct RunHooks {
  /// Called several times a second with what is known so far.
  std::function<void(const RunOutcome&)> progress;
  /// Called when a failure of a new fold was added; returns how many different ones there are. The
  /// time that it takes isn't the run's.
  std::function<std::int64_t(const Results&)> keep_failures;
  /// The lines of the cases, one a call, in order; not set: cases are drawn by number.
  std::function<std::string()> next_line{};
};

/// Requires: valid restrictions, a known fault, a folder for failures that can be written to; this
/// process has one thread. Interrupts are watched for from here on.
RunOutcome supervise(const RunOptions& options, const RunHooks& hooks);

}  // namespace shardcheck::tools
