#pragma once

/// The verdict on a case whose process didn't live to tell: a crash, or silence.

#include <shardcheck/properties/verdict.h>

namespace shardcheck::tools {

/// `wait_status` is waitpid's; not used if the process was silent for `seconds` and then ended.
Verdict verdict_of_lost_process(bool was_silent, double seconds, int wait_status);

}  // namespace shardcheck::tools
