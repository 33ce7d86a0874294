#include <string>
#include <utility>

#include <fmt/format.h>

#include "invariants.h"
#include "number_text.h"

namespace shardcheck {

namespace {

/// "rank 0 waits for rank 1 (receive ...)", joined; the wait-for graph in words.
std::string words(const std::vector<WaitEdge>& graph) {
  std::string text;
  for (const WaitEdge& edge : graph) {
    if (!text.empty()) text += "; ";
    text += fmt::format("rank {} waits for rank {}", edge.waiting, edge.awaited);
    if (!edge.reason.empty()) text += fmt::format(" ({})", edge.reason);
  }
  return text;
}

Finding unfinished(const Observation& observation, std::string kind, std::string got) {
  std::string evidence = words(observation.wait_graph);
  if (!observation.cause.empty()) {
    evidence = evidence.empty() ? observation.cause : observation.cause + "; " + evidence;
  }
  return {.invariant = Invariant::liveness,
          .kind = std::move(kind),
          .rank = observation.ending_rank,
          .allowed = "every rank finishes",
          .got = std::move(got),
          .evidence = std::move(evidence)};
}

void judge_left_over(const Observation& observation, Judgement& judgement) {
  if (!observation.left_over) return;
  for (const Transfer& transfer : *observation.left_over) {
    add(judgement,
        {.invariant = Invariant::liveness,
         .kind = "left_over",
         .rank = transfer.source,
         .allowed = "every message is received",
         .got = fmt::format("{} of {} from rank {} to rank {} in phase {}",
                            counted(transfer.messages, "message"), counted(transfer.bytes, "byte"),
                            transfer.source, transfer.destination, transfer.phase),
         .evidence = "nobody received it"});
  }
}

}  // namespace

Judgement judge_liveness(const Observation& observation) {
  Judgement judgement;
  switch (observation.ending) {
    case Ending::finished:
      observe(judgement);
      judge_left_over(observation, judgement);
      break;
    case Ending::deadlocked:
      add(judgement, unfinished(observation, "deadlock", "no rank can go on"));
      break;
    case Ending::threw: add(judgement, unfinished(observation, "threw", "an exception")); break;
    case Ending::timed_out:
      add(judgement, unfinished(observation, "timeout", "no end in the time allowed"));
      break;
    case Ending::crashed:
      add(judgement, unfinished(observation, "crashed", "the process died"));
      break;
    case Ending::unsupported: break;
  }
  return judgement;
}

}  // namespace shardcheck
