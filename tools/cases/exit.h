#pragma once

/// What a command exits with.

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck::tools {

/// What the process exits with.
enum class Exit : int {
  passed = 0,         ///< everything that ran passed
  findings = 1,       ///< a failure: wrong, different from run to run, silent or crashed
  bad_input = 2,      ///< bad usage, a bad case, a file that can't be read or written
  nothing_shown = 3,  ///< nothing ran, some case could not be judged, a goal or a mistake is missed
  interrupted = 130  ///< SIGINT, SIGTERM or SIGHUP (as shells count signals); what is known is told
};

/// What a command about a single case exits with, by its verdict. What can't be meant says nothing
/// of a backend; nor does a recorded schedule that doesn't fit the case.
Exit exit_of(const Case& subject, Status status);

}  // namespace shardcheck::tools
