#pragma once

/// Ranks as system threads with shared memory: the fast runtime on a machine with enough cores, and
/// the one that ThreadSanitizer can check.
///
/// Nothing is copied: `consume` reads the sender's buffer, and a send is complete when it has been
/// consumed. The calling thread is rank 0's, the others are kept from world to world. A rank that
/// waits consumes whatever arrives for its receives; it spins briefly if there are cores enough,
/// then yields, then sleeps. When the last rank that was awake goes to sleep and nothing has
/// happened that the others have yet to notice, nobody can go on: a deadlock is found at once,
/// without a clock.
///
/// A rank that leaves an operation by an exception takes back the sends it has started, so that
/// nobody reads buffers that die with it. A rank program that throws by itself between start_send
/// and wait must keep the buffer alive until the world has ended.

#include <chrono>
#include <cstdint>
#include <functional>

#include "runtime_limits.h"
#include "world.h"

namespace shardcheck::impl {

/// As run_world(), with a thread a rank. Any thread; not from within a rank program. `limit`: of
/// processor time, see runtime_limits::thread_world; ranks look at it as they call their endpoint.
/// Requires: rank_count in [1, limits::ranks].
WorldOutcome run_threads(std::int64_t rank_count, bool trace,
                         const std::function<void(Endpoint&)>& rank_program,
                         const EndpointWrapper& wrap,
                         std::chrono::milliseconds limit = runtime_limits::thread_world);

}  // namespace shardcheck::impl
