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

#include <shardcheck/impl/numbers/convert.h>
#include <shardcheck/impl/numbers/operators.h>

#include "collectives.h"
#include "copy.h"

namespace shardcheck::impl {

/// Partials of this member: in dtype wire, where its input has them, or in storage.
struct Place {
  const std::byte* elements = nullptr;
  bool is_in_wire = false;
};

/// This member's partials from element `at` on, as a call finds them.
Place place_of(const Reduction& reduction, const std::byte* sums, std::int64_t at);

/// Where combined values go: into sums, or finished, that is divided if they are an average and
/// rounded to out.
struct Target {
  std::byte* elements = nullptr;
  bool is_finished = false;
};

/// The last values of this member's block: home if the call wants them there, else into `sums`,
/// where leave_in_sums() finds them.
Target last_target(const Reduction& reduction, std::byte* sums);

/// What is left to do for values that last_target() may have left in `sums`.
void leave_in_sums(const Member& member, const Reduction& reduction, std::byte* sums,
                   std::int64_t count);

/// The values of `place`, with which nothing is combined any more, go to the target.
void put(const Member& member, const Reduction& reduction, Place place, Target target,
         std::int64_t count);

/// target = operand ⊕ own, or the other way round: `side` is where the operand stands.
void combine(const Member& member, const Reduction& reduction, Side side, Place operand, Place own,
             Target target, std::int64_t count);

/// Sends partials rounded to wire, straight from where they lie if they lie in wire already.
class PartialSender {
 public:
  /// Announces the dtype. `room`: the most elements that are under way at a time.
  PartialSender(const Member& member, const Reduction& reduction, std::int64_t room);

  /// The sums must stay as they are until the send is waited for. If they don't lie in wire they
  /// are rounded into the room, from its element `at` on.
  Pending start(std::int64_t peer, Place place, std::int64_t count, std::int64_t at = 0) const;
  Pending start(std::int64_t peer, const std::byte* sums, std::int64_t count,
                std::int64_t at = 0) const {
    return start(peer, Place{sums, false}, count, at);
  }

 private:
  const Member& member_;
  const Reduction& reduction_;
  std::byte* room_ = nullptr;  ///< nothing if partials are sent as they lie
};

/// target = what `peer` sent ⊕ own, or the other way round: `side` is where the message stands.
void receive_partials(const Member& member, std::int64_t peer, const Reduction& reduction,
                      Side side, Place own, Target target, std::int64_t count);

/// The same with own partials in `sums`, which take in the message.
inline void receive_partials(const Member& member, std::int64_t peer, const Reduction& reduction,
                             Side side, std::byte* sums, std::int64_t count) {
  receive_partials(member, peer, reduction, side, {sums, false}, {sums, false}, count);
}

/// sums = what `peer` sent.
void receive_first_partials(const Member& member, std::int64_t peer, const Reduction& reduction,
                            std::byte* sums, std::int64_t count);

/// Requires: the dtype is announced.
Pending start_send(const Member& member, std::int64_t peer, const std::byte* elements,
                   std::int64_t bytes);
/// Copies what `peer` sends to where it has room until the receive is waited for.
Pending start_receive(const Member& member, std::int64_t peer, std::byte* elements,
                      std::int64_t bytes, Stores stores = Stores::cached);
/// Copies what `peer` sends. Large messages are streamed.
void receive(const Member& member, std::int64_t peer, std::byte* elements, std::int64_t bytes);
void receive(const Member& member, std::int64_t peer, std::byte* elements, std::int64_t bytes,
             Stores stores);

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
