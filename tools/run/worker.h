#pragma once

/// A worker: a child process of `run` that draws cases by number, runs and judges them, and reports
/// chunk by chunk. It may die at any case; the supervisor sees to the rest.

#include <sys/types.h>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <shardcheck/tools/process/channel.h>
#include <shardcheck/tools/process/running_case.h>

#include "run_options.h"

namespace shardcheck::tools {

/// Cases first, first + 1, …, first + count − 1 of the run.
struct Chunk {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::vector<std::string> lines;  ///< of the cases; empty: they are drawn by number
};

/// The supervisor's view of a worker.
struct Worker {
  pid_t pid = -1;
  Channel chunks;   ///< to the worker; only the write end is open here
  Channel results;  ///< from the worker; only the read end is open here
  CaseAtWork* at_work = nullptr;
  std::string running_path;
  std::optional<Chunk> chunk;     ///< what it is working on
  std::int64_t last_number = -1;  ///< the case at work when there was last progress
  double last_progress = 0;       ///< when that was, in seconds
};

/// Forks a worker. `others`: workers whose pipes the child must not hold open. Nothing if the
/// system has no process or pipe left. Requires: this process has one thread.
std::optional<Worker> start_worker(const RunOptions& options, const std::vector<Worker>& others);

/// False if the worker is gone.
bool give(Worker& worker, const Chunk& chunk);

/// Closes, waits for the process, forgets the file. Returns waitpid's status.
int end_worker(Worker& worker);

}  // namespace shardcheck::tools
