#pragma once

/// Who waits for whom, and how a deadlock, or a rank program's mistake, is put into words.
///
///     "receive in phase 1, message 2"      the third message of that phase from rank to rank
///
/// A rank waits for one operation at a time, so that the graph has at most one edge from a rank.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <shardcheck/model/case/dtype.h>
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

// Mistakes of a rank program, as the cause of an ending.
std::string wrong_length(const OperationName& receive, std::size_t bytes_expected,
                         std::size_t bytes_sent);
std::string broken_element(const OperationName& send, std::size_t bytes, Dtype dtype);
std::string never_awaited(const OperationName& operation);
std::string not_pending(std::int64_t rank);
std::string no_such_peer(const OperationName& operation, std::int64_t rank_count);
std::string too_many_outstanding(std::int64_t rank);

std::string scheduling_limit(std::int64_t steps);

/// For a catch (...) handler: what the exception says.
std::string current_exception_text();

}  // namespace shardcheck::impl
