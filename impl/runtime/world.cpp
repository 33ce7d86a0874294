#include "world.h"

#include <utility>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/float_environment.h>

#include "fibers.h"
#include "sanitizer.h"
#include "threads.h"

namespace shardcheck::impl {
namespace {

WorldOutcome unsupported(std::string cause) {
  WorldOutcome outcome;
  outcome.ending = Ending::unsupported;
  outcome.cause = std::move(cause);
  return outcome;
}

}  // namespace

WorldOutcome run_world(std::int64_t rank_count, const Run& run, bool trace,
                       const std::function<void(Endpoint&)>& rank_program,
                       const EndpointWrapper& wrap) {
  SHARDCHECK_REQUIRE(float_environment_problem().empty(),
                     "a rank rounds to nearest and keeps subnormal numbers");
  switch (run.kind) {
    case Run::Kind::fibers:
    case Run::Kind::pct:
    case Run::Kind::trace:
      if constexpr (under_thread_sanitizer) return unsupported("ThreadSanitizer knows no fibers");
      return run_fibers(rank_count, run, trace, rank_program, wrap);
    case Run::Kind::threads: return run_threads(rank_count, trace, rank_program, wrap);
  }
  return unsupported("no such kind of run");
}

Observation observed(WorldOutcome outcome) {
  Observation seen;
  seen.ending = outcome.ending;
  seen.ending_rank = outcome.ending_rank;
  seen.cause = std::move(outcome.cause);
  seen.wait_graph = std::move(outcome.wait_graph);
  seen.ledger = std::move(outcome.ledger);
  seen.temporary_bytes = std::move(outcome.temporary_bytes);
  seen.left_over = std::move(outcome.left_over);
  seen.messages = std::move(outcome.messages);
  return seen;
}

}  // namespace shardcheck::impl
