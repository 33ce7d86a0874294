#pragma once

/// A verdict in words, for a person. Prints nothing itself.

#include <string>
#include <string_view>

#include <shardcheck/model/case/case.h>

#include "verdict.h"

namespace shardcheck {

/// One finding in one line: "coverage/k_missing rank 1, C[0,1]: allowed 22, got 14; k = 3 is
/// missing".
std::string print(const Case& subject, const Finding& finding);

/// Several lines: the status, the case, `replay` if it isn't empty, the findings. `replay` is the
/// command that runs the same backend on the case again: only the caller knows which one that is.
std::string print(const Case& subject, const Verdict& verdict, std::string_view replay = {});

}  // namespace shardcheck
