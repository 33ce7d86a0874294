#pragma once

/// What a run of a case did, as told by the backend that ran it. Plain data: nothing here is
/// believed, all of it is judged.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dtype.h"
#include "plan.h"

namespace shardcheck {

enum class Ending : std::uint8_t {
  finished,
  deadlocked,  ///< no rank can go on and some are unfinished
  threw,       ///< a rank ended with an exception
  timed_out,
  crashed,     ///< the process died; only a supervisor can say so
  unsupported  ///< the backend doesn't run such a case
};

/// Bytes that one rank sent to another in one phase. A phase is one step of the plan, numbered from
/// 0 by its place in the plan. Self-copies are not messages.
struct Transfer {
  std::int64_t phase = 0;
  std::int64_t source = 0;
  std::int64_t destination = 0;
  std::int64_t bytes = 0;  ///< payload alone
  std::int64_t messages = 0;

  bool operator==(const Transfer&) const = default;
};

/// Payload as counted at both ends, one entry a (phase, source, destination) that had a message,
/// ascending in that order.
struct Ledger {
  std::vector<Transfer> sent;      ///< counted by the source when it sends
  std::vector<Transfer> received;  ///< counted by the destination when it receives

  bool operator==(const Ledger&) const = default;
};

/// One local product that one rank computed. Of a schedule: the whole, or one for each part of k
/// that it multiplied, but never one for each block of C. Each k counts once a rank.
struct LocalProduct {
  std::int64_t rank = 0;
  std::vector<std::int64_t> a_columns;  ///< the k of each column of A that was multiplied, in order
  std::vector<std::int64_t> b_rows;     ///< the k of each row of B that was multiplied, in order
  /// Only if Request::trace: coordinates i·J + j of the partial, and its bits in dtype acc.
  /// Of a product in parts the last one has the sum.
  std::vector<std::int64_t> coordinates;
  std::vector<std::uint64_t> partial;
};

/// One message, recorded only if Request::trace.
struct Message {
  std::int64_t phase = 0;
  std::int64_t source = 0;
  std::int64_t destination = 0;
  Dtype dtype = Dtype::f32;
  std::vector<std::uint64_t> elements;  ///< bits, in the order sent
};

/// `waiting` can't go on before `awaited` does something.
struct WaitEdge {
  std::int64_t waiting = 0;
  std::int64_t awaited = 0;
  std::string reason;  ///< "receive in reduce_scatter:C/x, message 2"

  bool operator==(const WaitEdge&) const = default;
};

struct Observation {
  Ending ending = Ending::finished;
  std::int64_t ending_rank = -1;     ///< the rank that ended first with a cause; -1: none
  std::string cause;                 ///< the exception's text, or why a case is unsupported
  std::vector<WaitEdge> wait_graph;  ///< for `deadlocked`

  /// By rank: the coordinate i·J + j of each element that the rank says it wrote to its output, in
  /// the order in which they stand there, from the output's start.
  std::vector<std::vector<std::int64_t>> owned;

  // Optional evidence: what is missing makes an invariant `not observed`, never passed.
  std::optional<Plan> steps;  ///< the steps taken
  std::optional<std::vector<LocalProduct>> products;
  std::optional<Ledger> ledger;
  /// By rank, the most bytes that it held at once for elements and partial sums beyond its inputs
  /// and output; index lists and what the transport keeps aren't counted.
  std::optional<std::vector<std::int64_t>> temporary_bytes;
  std::optional<std::vector<Transfer>> left_over;  ///< messages that nobody received
  std::vector<Message> messages;                   ///< only if Request::trace, in the order sent
};

}  // namespace shardcheck
