#pragma once

/// A run from the first case to the last report, wherever its cases come from: what `run` and
/// `enumerate` have in common.

#include <functional>
#include <string>

#include "commands.h"

namespace shardcheck::tools {

/// `next_line`: the lines of options.cases cases, one a call; not set: they are drawn from the
/// seed, and the reach goals are assessed. Requires: valid restrictions.
Exit run_cases(const RunOptions& options, std::function<std::string()> next_line);

}  // namespace shardcheck::tools
