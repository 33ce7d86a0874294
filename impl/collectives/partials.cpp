#include "partials.h"

#include <algorithm>
#include <array>
#include <memory>

namespace shardcheck::impl {
namespace {

/// Elements that go through all steps at a time, so that they stay in a core's first cache.
constexpr std::int64_t block_count = 512;

/// One operand, or none, own partials and what becomes of both, block by block: nothing is stored
/// between the steps that needn't be.
class Intake {
 public:
  Intake(const Member& member, const Reduction& reduction, Place own, Target target)
      : reduction_(reduction),
        storage_(storage_of(reduction.acc)),
        own_(own),
        target_(target),
        divisor_(target.is_finished && reduction.op == Operator::average ? member.group.count : 0) {
    is_wire_stored_ = is_stored_as_is(reduction.wire, storage_);
    // A division wants its operands aligned.
    keeps_storage_ =
        !target.is_finished || (divisor_ == 0 && is_stored_as_is(reduction.out, storage_));
  }

  void combine(Side side, Place operand, std::int64_t count) {
    if ((is_wire_stored_ || !(operand.is_in_wire || own_.is_in_wire)) && keeps_storage_) {
      return combine_into(reduction_.op, side, reduction_.acc, operand.elements, own_.elements,
                          target_.elements, count);
    }
    for (std::int64_t start = 0; start < count; start += block_count) {
      const std::int64_t length = std::min(block_count, count - start);
      std::byte* sums = room_at(start);
      combine_into(reduction_.op, side, reduction_.acc, at(operand, start, length, operand_),
                   at(own_, start, length, widened_), sums, length);
      finish(start, sums, length);
    }
  }

  void put(std::int64_t count) {
    for (std::int64_t start = 0; start < count; start += block_count) {
      const std::int64_t length = std::min(block_count, count - start);
      std::byte* sums = room_at(start);
      const std::byte* own = at(own_, start, length, widened_);
      if (own != sums) std::copy_n(own, length * bytes_of(storage_), sums);
      finish(start, sums, length);
    }
  }

 private:
  using Block = std::array<std::byte, 8 * block_count>;

  /// The elements of a block in storage, in `room` if they don't lie so.
  const std::byte* at(Place place, std::int64_t start, std::int64_t length, Block& room) const {
    if (!place.is_in_wire) return place.elements + start * bytes_of(storage_);
    const std::byte* elements = place.elements + start * info(reduction_.wire).bytes;
    if (is_wire_stored_) return elements;
    widen(reduction_.wire, elements, storage_, room.data(), length);
    return room.data();
  }

  std::byte* room_at(std::int64_t start) {
    return keeps_storage_ ? target_.elements + start * bytes_of(storage_) : combined_.data();
  }

  void finish(std::int64_t start, std::byte* sums, std::int64_t length) {
    if (keeps_storage_) return;
    if (divisor_ > 0) divide(reduction_.acc, divisor_, sums, length);
    narrow(storage_, sums, reduction_.out, target_.elements + start * info(reduction_.out).bytes,
           length);
  }

  const Reduction& reduction_;
  Storage storage_;
  Place own_;
  Target target_;
  std::int64_t divisor_;
  bool is_wire_stored_ = false;
  bool keeps_storage_ = false;
  alignas(64) Block operand_;
  alignas(64) Block widened_;
  alignas(64) Block combined_;
};

}  // namespace

Place place_of(const Reduction& reduction, const std::byte* sums, std::int64_t at) {
  if (reduction.own != nullptr) {
    return {reduction.own + at * info(reduction.wire).bytes, true};
  }
  return {sums + at * bytes_of(storage_of(reduction.acc)), false};
}

Target last_target(const Reduction& reduction, std::byte* sums) {
  if (reduction.home != nullptr) return {reduction.home, true};
  return {sums, false};
}

void leave_in_sums(const Member& member, const Reduction& reduction, std::byte* sums,
                   std::int64_t count) {
  if (reduction.home == nullptr) divide_if_average(member, reduction, sums, count);
}

void combine(const Member& member, const Reduction& reduction, Side side, Place operand, Place own,
             Target target, std::int64_t count) {
  Intake(member, reduction, own, target).combine(side, operand, count);
}

void put(const Member& member, const Reduction& reduction, Place place, Target target,
         std::int64_t count) {
  Intake(member, reduction, place, target).put(count);
}

PartialSender::PartialSender(const Member& member, const Reduction& reduction, std::int64_t room)
    : member_(member), reduction_(reduction) {
  announce(member, reduction.wire);
  if (!is_stored_as_is(reduction.wire, storage_of(reduction.acc))) {
    room_ = member.workspace.take(room * info(reduction.wire).bytes);
  }
}

Pending PartialSender::start(std::int64_t peer, Place place, std::int64_t count,
                             std::int64_t at) const {
  const std::int64_t width = info(reduction_.wire).bytes;
  if (place.is_in_wire || room_ == nullptr) {
    return start_send(member_, peer, place.elements, count * width);
  }
  std::byte* rounded = room_ + at * width;
  narrow(storage_of(reduction_.acc), place.elements, reduction_.wire, rounded, count);
  return start_send(member_, peer, rounded, count * width);
}

void receive_partials(const Member& member, std::int64_t peer, const Reduction& reduction,
                      Side side, Place own, Target target, std::int64_t count) {
  const auto combine = [&](std::span<const std::byte> message) {
    Intake(member, reduction, own, target).combine(side, {message.data(), true}, count);
  };
  member.endpoint.receive(rank_of(member.group, peer),
                          static_cast<std::size_t>(count * info(reduction.wire).bytes),
                          [&combine](std::span<const std::byte> message) { combine(message); });
}

void receive_first_partials(const Member& member, std::int64_t peer, const Reduction& reduction,
                            std::byte* sums, std::int64_t count) {
  const auto take = [&](std::span<const std::byte> message) {
    widen(reduction.wire, message.data(), storage_of(reduction.acc), sums, count);
  };
  member.endpoint.receive(rank_of(member.group, peer),
                          static_cast<std::size_t>(count * info(reduction.wire).bytes),
                          [&take](std::span<const std::byte> message) { take(message); });
}

Pending start_send(const Member& member, std::int64_t peer, const std::byte* elements,
                   std::int64_t bytes) {
  return member.endpoint.start_send(rank_of(member.group, peer),
                                    {elements, static_cast<std::size_t>(bytes)});
}

Pending start_receive(const Member& member, std::int64_t peer, std::byte* elements,
                      std::int64_t bytes, Stores stores) {
  return member.endpoint.start_receive(
      rank_of(member.group, peer), static_cast<std::size_t>(bytes),
      [elements, stores](std::span<const std::byte> message) {
        copy_bytes(message.data(), elements, static_cast<std::int64_t>(message.size()), stores);
      });
}

void receive(const Member& member, std::int64_t peer, std::byte* elements, std::int64_t bytes,
             Stores stores) {
  member.endpoint.wait(start_receive(member, peer, elements, bytes, stores));
}

void receive(const Member& member, std::int64_t peer, std::byte* elements, std::int64_t bytes) {
  receive(member, peer, elements, bytes, stores_of(bytes));
}

void divide_if_average(const Member& member, const Reduction& reduction, std::byte* sums,
                       std::int64_t count) {
  if (reduction.op != Operator::average) return;
  divide(reduction.acc, member.group.count, sums, count);
}

void round_to_out(const Reduction& reduction, const std::byte* sums, std::int64_t count,
                  std::byte* finished) {
  if (finished == sums) return;
  narrow(storage_of(reduction.acc), sums, reduction.out, finished, count);
}

Sends::Sends(const Member& member, std::int64_t most)
    : member_(member),
      pending_(reinterpret_cast<Pending*>(
          member.workspace.take_for_lists(most * static_cast<std::int64_t>(sizeof(Pending))))) {}

void Sends::add(Pending pending) { std::construct_at(pending_ + count_++, pending); }

void Sends::wait_for_all() {
  for (std::int64_t at = 0; at < count_; ++at) member_.endpoint.wait(pending_[at]);
  count_ = 0;
}

}  // namespace shardcheck::impl
