#pragma once

/// The verdict on a case whose process didn't live to tell: a crash, silence, or no memory for it.

#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck::tools {

/// `wait_status` is waitpid's; not used if the process was silent for `seconds` and then ended.
Verdict verdict_of_lost_process(bool was_silent, double seconds, int wait_status);

/// What a child exits with when there is no memory for a case's data or its judgement: that is no
/// fault of the code under test. (What its own run can't have is the ending of that run.)
inline constexpr int out_of_memory_exit = 77;
bool ran_out_of_memory(int wait_status);

/// Unsupported, with the reason.
Verdict verdict_of_unjudged_case();

}  // namespace shardcheck::tools
