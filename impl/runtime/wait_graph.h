#pragma once

/// Who waits for whom, and how a deadlock is put into words.
///
///     "receive in phase 1, message 2"      the third message of that phase from rank to rank
///
/// A rank waits for one operation at a time, so that the graph has at most one edge from a rank.

#include <cstdint>
#include <span>
#include <string>

#include <shardcheck/model/case/observation.h>

namespace shardcheck::impl {

/// One send or receive, as its rank knows it.
struct OperationName {
  bool is_send = false;
  std::int64_t rank = 0;    ///< whose operation it is
  std::int64_t peer = 0;    ///< destination of a send, source of a receive
  std::int64_t phase = 0;   ///< of `rank` when it started the operation
  std::int64_t number = 0;  ///< among the operations of that phase from this rank to or from that
                            ///< peer, from 0
};

/// `rank` can't go on before `peer` does its half of the operation.
WaitEdge wait_edge(const OperationName& operation, bool peer_has_finished);

/// "rank 0 waits for rank 1, which waits for rank 0": the first knot of the graph.
std::string deadlock_cause(std::span<const WaitEdge> edges);

}  // namespace shardcheck::impl
