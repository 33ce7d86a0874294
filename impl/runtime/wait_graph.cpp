#include "wait_graph.h"

#include <algorithm>
#include <exception>
#include <vector>

#include <fmt/format.h>

#include "runtime_limits.h"

namespace shardcheck::impl {
namespace {

std::string print(const OperationName& operation) {
  return fmt::format("{} {} rank {} in phase {}, message {}",
                     operation.is_send ? "send" : "receive", operation.is_send ? "to" : "from",
                     operation.peer, operation.phase, operation.number);
}

const WaitEdge* edge_from(std::span<const WaitEdge> edges, std::int64_t rank) {
  const auto found = std::find_if(edges.begin(), edges.end(),
                                  [&](const WaitEdge& edge) { return edge.waiting == rank; });
  return found == edges.end() ? nullptr : &*found;
}

}  // namespace

WaitEdge wait_edge(const OperationName& operation, bool peer_has_finished) {
  return {operation.rank, operation.peer,
          fmt::format("{} in phase {}, message {}{}", operation.is_send ? "send" : "receive",
                      operation.phase, operation.number,
                      peer_has_finished ? "; that rank has finished" : "")};
}

std::string deadlock_cause(std::span<const WaitEdge> edges) {
  if (edges.empty()) return "no rank can go on";
  // From any start the walk ends in a cycle or at a rank that waits for nobody. A cycle is told
  // from its own first rank on.
  std::vector<std::int64_t> walk{edges.front().waiting};
  const WaitEdge* edge = &edges.front();
  while (edge != nullptr) {
    const auto seen = std::find(walk.begin(), walk.end(), edge->awaited);
    const bool closes = seen != walk.end();
    if (closes) walk.erase(walk.begin(), seen);
    walk.push_back(edge->awaited);
    if (closes) break;
    edge = edge_from(edges, edge->awaited);
  }
  std::string text = fmt::format("rank {} waits for rank {}", walk[0], walk[1]);
  for (std::size_t place = 2; place < walk.size(); ++place) {
    text += fmt::format(", which waits for rank {}", walk[place]);
  }
  if (edge == nullptr) text += ", which has finished";
  return text;
}

std::string wrong_length(const OperationName& receive, std::size_t bytes_expected,
                         std::size_t bytes_sent) {
  return fmt::format("{}: expected {} bytes, {} were sent", print(receive), bytes_expected,
                     bytes_sent);
}

std::string broken_element(const OperationName& send, std::size_t bytes, Dtype dtype) {
  return fmt::format("{}: {} bytes are no whole number of {} elements", print(send), bytes,
                     info(dtype).name);
}

std::string never_awaited(const OperationName& operation) {
  return fmt::format("rank {} ended without waiting for its {}", operation.rank, print(operation));
}

std::string not_pending(std::int64_t rank) {
  return fmt::format(
      "rank {} waits for an operation that it has waited for already or never started", rank);
}

std::string no_such_peer(const OperationName& operation, std::int64_t rank_count) {
  return fmt::format("rank {}: {}: a peer is another rank of {}", operation.rank, print(operation),
                     rank_count);
}

std::string too_many_outstanding(std::int64_t rank) {
  return fmt::format("rank {} has {} operations outstanding", rank,
                     runtime_limits::operations_outstanding);
}

std::string scheduling_limit(std::int64_t steps) {
  return fmt::format("not finished after {} scheduling steps", steps);
}

std::string current_exception_text() {
  try {
    throw;
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace shardcheck::impl
