#pragma once

/// A verdict in words, for a person. Prints nothing itself.

#include <string>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/collective_case.h>

#include <shardcheck/properties/verdict.h>

namespace shardcheck {

/// One finding in one line: "coverage/k_missing rank 1, C[0,1]: allowed 22, got 14; k = 3 is
/// missing".
std::string print(const Case& subject, const Finding& finding);
std::string print(const CollectiveCase& subject, const Finding& finding);

/// Several lines: the status, the case, the command that replays it, the findings.
std::string print(const Case& subject, const Verdict& verdict);
std::string print(const CollectiveCase& subject, const Verdict& verdict);

}  // namespace shardcheck
