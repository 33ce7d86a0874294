#pragma once

/// Ranks as fibers of the calling thread: deterministic, replayable, a few microseconds a world.
///
/// start_send, start_receive and wait are scheduling choices, as is whether a send's payload is
/// copied at once or read out of the sender's buffer when it is consumed, and when, between its
/// arrival and the wait for it, a message is consumed. A rank that is inside any operation consumes
/// what has arrived for its receives, as an MPI library does, so that a wait for a late send
/// depends on the receive being started and not on its wait.
///
/// No rank can go on and somebody is unfinished: deadlock. While an exception unwinds a rank, its
/// operations do nothing.

#include <cstdint>
#include <functional>

#include "runtime_limits.h"
#include "world.h"

namespace shardcheck::impl {

/// As run_world(). Any thread; not from within a rank program.
/// Requires: run.kind isn't `threads`, rank_count in [1, limits::ranks].
WorldOutcome run_fibers(std::int64_t rank_count, const Run& run, bool trace,
                        const std::function<void(Endpoint&)>& rank_program,
                        const EndpointWrapper& wrap,
                        std::int64_t steps_allowed = runtime_limits::scheduling_steps);

}  // namespace shardcheck::impl
