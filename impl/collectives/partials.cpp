#include "partials.h"

#include <algorithm>
#include <memory>

namespace shardcheck::impl {

PartialSender::PartialSender(const Member& member, const Reduction& reduction, std::int64_t room)
    : member_(member), reduction_(reduction) {
  announce(member, reduction.wire);
  if (!is_stored_as_is(reduction.wire, storage_of(reduction.acc))) {
    room_ = member.workspace.take(room * info(reduction.wire).bytes);
  }
}

Pending PartialSender::start(std::int64_t peer, const std::byte* sums, std::int64_t count,
                             std::int64_t at) const {
  const std::int64_t width = info(reduction_.wire).bytes;
  if (room_ == nullptr) return start_send(member_, peer, sums, count * width);
  std::byte* rounded = room_ + at * width;
  narrow(storage_of(reduction_.acc), sums, reduction_.wire, rounded, count);
  return start_send(member_, peer, rounded, count * width);
}

void receive_partials(const Member& member, std::int64_t peer, const Reduction& reduction,
                      Side side, std::byte* sums, std::int64_t count) {
  const auto combine = [&](std::span<const std::byte> message) {
    combine_widened(reduction.op, side, reduction.wire, message.data(), reduction.acc, sums, count);
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
                      std::int64_t bytes) {
  return member.endpoint.start_receive(rank_of(member.group, peer), static_cast<std::size_t>(bytes),
                                       [elements](std::span<const std::byte> message) {
                                         std::copy(message.begin(), message.end(), elements);
                                       });
}

void receive(const Member& member, std::int64_t peer, std::byte* elements, std::int64_t bytes) {
  member.endpoint.wait(start_receive(member, peer, elements, bytes));
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
