#pragma once

/// How partials and finished elements leave a member and arrive at another: what all algorithms do
/// with one message.
///
///     const PartialSender sender(member, reduction, longest);
///     const Pending sent = sender.start(next, sums, count);
///     receive_partials(member, previous, reduction, Side::left, sums, count);
///     member.endpoint.wait(sent);
///
/// Peers are named by their member number. Source: docs/collectives.md, "Values".

#include <shardcheck/impl/convert.h>
#include <shardcheck/impl/operators.h>

#include "collectives.h"

namespace shardcheck::impl {

/// Sends partials rounded to wire, straight from where they lie if they lie in wire already.
class PartialSender {
 public:
  /// Announces the dtype. `room`: the most elements that are under way at a time.
  PartialSender(const Member& member, const Reduction& reduction, std::int64_t room);

  /// The sums must stay as they are until the send is waited for. If they don't lie in wire they
  /// are rounded into the room, from its element `at` on.
  Pending start(std::int64_t peer, const std::byte* sums, std::int64_t count,
                std::int64_t at = 0) const;

 private:
  const Member& member_;
  const Reduction& reduction_;
  std::byte* room_ = nullptr;  ///< nothing if partials are sent as they lie
};

/// sums = what `peer` sent ⊕ sums, or the other way round: `side` is where the message stands.
void receive_partials(const Member& member, std::int64_t peer, const Reduction& reduction,
                      Side side, std::byte* sums, std::int64_t count);

/// sums = what `peer` sent.
void receive_first_partials(const Member& member, std::int64_t peer, const Reduction& reduction,
                            std::byte* sums, std::int64_t count);

/// Requires: the dtype is announced.
Pending start_send(const Member& member, std::int64_t peer, const std::byte* elements,
                   std::int64_t bytes);
/// Copies what `peer` sends to where it has room until the receive is waited for.
Pending start_receive(const Member& member, std::int64_t peer, std::byte* elements,
                      std::int64_t bytes);
/// Copies what `peer` sends.
void receive(const Member& member, std::int64_t peer, std::byte* elements, std::int64_t bytes);

/// What is sent from now on is of that dtype.
inline void announce(const Member& member, Dtype dtype) {
  member.endpoint.begin_phase(member.phase, dtype);
}

/// The division of an average; nothing for the other operators.
void divide_if_average(const Member& member, const Reduction& reduction, std::byte* sums,
                       std::int64_t count);

/// Finished sums as elements of dtype out. Nothing to do if `finished` is `sums` itself.
void round_to_out(const Reduction& reduction, const std::byte* sums, std::int64_t count,
                  std::byte* finished);

/// Sends that are waited for together; `most` of them at a time.
class Sends {
 public:
  Sends(const Member& member, std::int64_t most);

  void add(Pending pending);
  /// Afterwards there is room for `most` again.
  void wait_for_all();

 private:
  const Member& member_;
  Pending* pending_;
  std::int64_t count_ = 0;
};

}  // namespace shardcheck::impl
