#include "wait_graph.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace shardcheck::impl {
namespace {

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

}  // namespace shardcheck::impl
