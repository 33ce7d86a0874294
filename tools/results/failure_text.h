#pragma once

/// A failure in words, alike wherever a person reads of it.

#include <string>

#include "results.h"

namespace shardcheck::tools {

/// Why, and what came instead of what was allowed, of the first finding; whole lines, indented.
std::string failure_text(const CaseFailure& failure);

}  // namespace shardcheck::tools
