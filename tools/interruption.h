#pragma once

/// Ctrl-C and SIGTERM as something to look at between two steps, so that what is known by then is
/// written down.

namespace shardcheck::tools {

/// From now on both signals are counted instead of ending the process; what was counted is
/// forgotten. A pipe whose reader is gone becomes an error of write().
void watch_for_interrupts();

/// The second one means that the user is impatient.
int interrupt_count();

}  // namespace shardcheck::tools
