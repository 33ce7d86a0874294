#pragma once

/// A failing case on disk: the line, and above it, as comments, what was wrong and where it was
/// seen. The name says invariant, kind, collective, algorithm and backend, so that failures that
/// are alike in these share a file, from one run to the next.

#include <string>

#include "results.h"

namespace shardcheck::tools {

struct FailureNote {
  std::string fault;   ///< planted in the backend; empty: none
  std::string origin;  ///< "case 7 of seed 1, minimised"
  bool is_reproduced = true;
};

/// "failures/coverage-k_missing-reduce_scatter-ring.case"
std::string failure_path(const std::string& folder, const std::string& fault,
                         const CaseFailure& failure);

/// Replaces the file at `path` at once or not at all: whatever happens, a whole file stays there.
/// False if it can't be written.
bool write_failure(const std::string& path, const CaseFailure& failure, const FailureNote& note);

/// `shardcheck replay failures/….case`, with the planted fault if there is one. `what`: a path, or
/// a case in quotes.
std::string replay_command(const std::string& fault, const std::string& what);

}  // namespace shardcheck::tools
