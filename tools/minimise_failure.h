#pragma once

/// Makes a failing case smaller: the structural shrinker, each candidate judged in a child process,
/// accepted only if it fails with the same signature.

#include <functional>
#include <optional>
#include <string>

#include "commands.h"
#include "results.h"

namespace shardcheck::tools {

struct SmallerFailure {
  CaseFailure failure;
  bool is_minimal = false;  ///< nothing smaller fails alike; else the budget ended first
};

/// Nothing if the case doesn't fail alike when it is run alone. The result carries the plan as it
/// was resolved, and its values if they are few: generators change, the text stays.
std::optional<SmallerFailure> minimise_failure(
    const RunOptions& options, const CaseFailure& found,
    const std::function<void(const std::string& line)>& progress);

}  // namespace shardcheck::tools
