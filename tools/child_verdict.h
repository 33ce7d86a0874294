#pragma once

/// A verdict on one case from a child process with a time limit, so that a candidate of the
/// minimiser may crash or hang without taking anything else along.

#include <optional>
#include <string>

#include <shardcheck/model/case/case.h>

#include "commands.h"
#include "results.h"

namespace shardcheck::tools {

/// Nothing if the case passes. `line` of the failure carries the plan as it was resolved. Requires:
/// this process has one thread.
std::optional<CaseFailure> failure_in_child(const RunOptions& options, const Case& subject,
                                            bool repeat, double seconds_max);

}  // namespace shardcheck::tools
