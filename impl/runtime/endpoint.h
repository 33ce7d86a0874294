#pragma once

/// How a rank talks to the others: the one interface that collectives and products are written
/// against, whether ranks are fibers of one thread or threads of their own.
///
/// Messages between two ranks arrive in the order sent. A send may be read late: its buffer belongs
/// to the runtime until the matching wait() (or the blocking form) returns. Each endpoint is used
/// by its own rank alone.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include <shardcheck/model/case/dtype.h>

namespace shardcheck::impl {

/// A pending operation of one endpoint.
struct Pending {
  std::int64_t ticket = -1;
};

class Endpoint {
 public:
  virtual ~Endpoint() = default;

  virtual std::int64_t rank() const = 0;
  virtual std::int64_t rank_count() const = 0;

  /// Everything sent from now on belongs to this phase (a step of the plan, from 0) and carries
  /// elements of `dtype`. The meter charges it so.
  virtual void begin_phase(std::int64_t phase, Dtype dtype) = 0;

  /// Starts a send of `payload` to `destination`. Requires: destination is another rank.
  virtual Pending start_send(std::int64_t destination, std::span<const std::byte> payload) = 0;

  /// Starts to receive the next message from `source`. `consume` runs once, on this rank, with the
  /// payload as it lies in the sender's buffer or in a copy; it may add it to something or copy it.
  /// A message of another length than `bytes` is an error of the program and ends the run.
  virtual Pending start_receive(std::int64_t source, std::size_t bytes,
                                std::function<void(std::span<const std::byte>)> consume) = 0;

  /// Returns when the operation is complete. Each Pending is waited for exactly once.
  virtual void wait(Pending pending) = 0;

  /// Bytes for elements that this rank now holds beyond its inputs and output, for the meter
  /// (docs/plans.md, "Temporaries").
  virtual void note_temporary_bytes(std::int64_t bytes) = 0;

  void send(std::int64_t destination, std::span<const std::byte> payload) {
    wait(start_send(destination, payload));
  }
  void receive(std::int64_t source, std::size_t bytes,
               std::function<void(std::span<const std::byte>)> consume) {
    wait(start_receive(source, bytes, std::move(consume)));
  }
};

/// Puts something between a rank and its endpoint; a test's way to lose or hold a message. Called
/// once a rank, before it starts.
using EndpointWrapper = std::function<std::unique_ptr<Endpoint>(Endpoint& inner)>;

}  // namespace shardcheck::impl
