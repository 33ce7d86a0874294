#pragma once

/// Ctrl-C, SIGTERM and SIGHUP as something to look at between two steps, so that what is known by
/// then is written down.

#include <string_view>

namespace shardcheck::tools {

/// From now on these signals are counted instead of ending the process; what was counted is
/// forgotten. A pipe whose reader is gone becomes an error of write(). A
/// SIGHUP that nohup ignores stays ignored.
void watch_for_interrupts();

/// From now on they end the process at once, with 130 and these words on standard error: for a time
/// at which there is nothing to write down yet. Requires: the words outlive the process.
void end_when_interrupted(std::string_view words);

/// The second one means that the user is impatient.
int interrupt_count();

}  // namespace shardcheck::tools
