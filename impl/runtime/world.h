#pragma once

/// Runs one program on every rank of a world and says what happened.
///
///     run_world(4, Run{}, false, [](Endpoint& endpoint) { ... });

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/case/setting.h>

#include "endpoint.h"

namespace shardcheck::impl {

struct WorldOutcome {
  Ending ending = Ending::finished;
  std::int64_t ending_rank = -1;
  std::string cause;
  std::vector<WaitEdge> wait_graph;
  Ledger ledger;
  std::vector<std::int64_t> temporary_bytes;  ///< by rank, the peak
  std::vector<Transfer> left_over;
  std::vector<Message> messages;  ///< only if `trace`, in the order sent
  /// Only if `trace`, and never for threads: what Run::trace needs to repeat this schedule. Empty
  /// if longer than limits::trace_choices.
  std::vector<std::int64_t> choices;
};

/// Of a world that had no memory to start, or to tell how it ended.
inline WorldOutcome without_memory() {
  WorldOutcome outcome;
  outcome.ending = Ending::unsupported;
  outcome.cause = "out of memory";
  return outcome;
}

/// The outcome as evidence. Who owns what is for the caller to add.
Observation observed(WorldOutcome outcome);

/// Returns when every rank has ended, by itself or because another one failed (the first cause is
/// the one reported). A kind of `run` that isn't built in ends `unsupported`. Never throws.
WorldOutcome run_world(std::int64_t rank_count, const Run& run, bool trace,
                       const std::function<void(Endpoint&)>& rank_program,
                       const EndpointWrapper& wrap = {});

}  // namespace shardcheck::impl
