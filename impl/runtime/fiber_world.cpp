#include "fiber_world.h"

#include <cstring>
#include <exception>
#include <utility>

#include "runtime_limits.h"

namespace shardcheck::impl {

std::int64_t FiberEndpoint::rank_count() const {
  return static_cast<std::int64_t>(world_.ranks_.size());
}

void FiberEndpoint::begin_phase(std::int64_t phase, Dtype dtype) {
  world_.state(rank_).phase = phase;
  world_.state(rank_).dtype = dtype;
}

Pending FiberEndpoint::start_send(std::int64_t destination, std::span<const std::byte> payload) {
  return world_.start_send(rank_, destination, payload);
}

Pending FiberEndpoint::start_receive(std::int64_t source, std::size_t bytes,
                                     std::function<void(std::span<const std::byte>)> consume) {
  return world_.start_receive(rank_, source, bytes, std::move(consume));
}

void FiberEndpoint::wait(Pending pending) { world_.wait_for(rank_, pending); }

void FiberEndpoint::note_temporary_bytes(std::int64_t bytes) {
  std::int64_t& peak = world_.meters_[static_cast<std::size_t>(rank_)].temporary_bytes;
  if (bytes > peak) peak = bytes;
}

Pending FiberWorld::start_send(std::int64_t rank, std::int64_t destination,
                               std::span<const std::byte> payload) {
  // A rank that unwinds isn't held up: its buffers may be gone already.
  if (std::uncaught_exceptions() > 0) return {};
  const std::int32_t slot = start(true, rank, destination, payload.size());
  Operation& operation = operations_[slot];
  const auto width = static_cast<std::size_t>(info(operation.dtype).bytes);
  if (payload.size() % width != 0) {
    break_off(rank, broken_element(operation.name, payload.size(), operation.dtype));
  }
  RankMeter& meter = meters_[static_cast<std::size_t>(rank)];
  const std::int64_t phase = operation.name.phase;
  count(meter.sent, phase, rank, destination, static_cast<std::int64_t>(payload.size()));
  if (traces_) {
    meter.messages.push_back(
        {message_count_++,
         {phase, rank, destination, operation.dtype, elements_of(payload, operation.dtype)}});
  }
  operation.payload = payload.data();
  const bool is_copied_early = schedule_.choose();
  if (is_copied_early) {
    operation.copy = std::make_unique_for_overwrite<std::byte[]>(payload.size());
    if (!payload.empty()) std::memcpy(operation.copy.get(), payload.data(), payload.size());
    operation.payload = operation.copy.get();
    operation.is_complete = true;
  }
  match_or_queue(slot);
  maybe_consume(rank);
  yield(rank);
  return operations_.pending(slot);
}

Pending FiberWorld::start_receive(std::int64_t rank, std::int64_t source, std::size_t bytes,
                                  std::function<void(std::span<const std::byte>)> consume) {
  if (std::uncaught_exceptions() > 0) return {};
  const std::int32_t slot = start(false, rank, source, bytes);
  operations_[slot].consume = std::move(consume);
  match_or_queue(slot);
  maybe_consume(rank);
  yield(rank);
  return operations_.pending(slot);
}

void FiberWorld::wait_for(std::int64_t rank, Pending pending) {
  if (std::uncaught_exceptions() > 0) return;
  yield(rank);
  const std::int32_t slot = operations_.slot_of(pending, rank);
  if (slot == no_slot) break_off(rank, not_pending(rank));
  while (!operations_[slot].is_complete) {
    if (has_arrived(rank)) {
      consume_next(rank);
    } else {
      block(rank, slot);
    }
  }
  operations_[slot].is_awaited = true;
  operations_.release_if_over(slot);
  --state(rank).outstanding;
}

std::int32_t FiberWorld::start(bool is_send, std::int64_t rank, std::int64_t peer,
                               std::size_t bytes) {
  if (is_cancelled_) throw Cancelled{};
  RankState& me = state(rank);
  OperationName name{is_send, rank, peer, me.phase, 0};
  const auto rank_count = static_cast<std::int64_t>(ranks_.size());
  if (peer < 0 || peer >= rank_count || peer == rank) {
    break_off(rank, no_such_peer(name, rank_count));
  }
  if (++me.outstanding > runtime_limits::operations_outstanding) {
    break_off(rank, too_many_outstanding(rank));
  }
  Channel& through = is_send ? channel(rank, peer) : channel(peer, rank);
  Numbering& numbering = is_send ? through.sends : through.receives;
  if (numbering.phase != name.phase) numbering = {name.phase, 0};
  name.number = numbering.next++;
  const std::int32_t slot = operations_.take();
  Operation& operation = operations_[slot];
  operation.name = name;
  operation.bytes = bytes;
  operation.dtype = me.dtype;
  return slot;
}

FiberWorld::Channel& FiberWorld::channel(std::int64_t source, std::int64_t destination) {
  const auto rank_count = static_cast<std::int64_t>(ranks_.size());
  std::int32_t& number =
      channel_numbers_[static_cast<std::size_t>(destination * rank_count + source)];
  if (number < 0) {
    number = static_cast<std::int32_t>(channels_.size());
    channels_.emplace_back();
  }
  return channels_[static_cast<std::size_t>(number)];
}

void FiberWorld::match_or_queue(std::int32_t slot) {
  const OperationName& name = operations_[slot].name;
  const std::int64_t source = name.is_send ? name.rank : name.peer;
  const std::int64_t destination = name.is_send ? name.peer : name.rank;
  Channel& through = channel(source, destination);
  if (through.first == no_slot) {
    through.first = through.last = slot;
    return;
  }
  if (operations_[through.first].name.is_send == name.is_send) {
    operations_[through.last].next = slot;
    through.last = slot;
    return;
  }
  const std::int32_t other = through.first;
  through.first = operations_[other].next;
  state(destination).arrived.push_back(name.is_send ? Match{slot, other} : Match{other, slot});
  // Whatever it is blocked on, it consumes what arrives meanwhile.
  if (state(destination).blocked_on != no_slot) set_runnable(destination);
}

bool FiberWorld::has_arrived(std::int64_t rank) {
  return state(rank).consumed_count < state(rank).arrived.size();
}

void FiberWorld::maybe_consume(std::int64_t rank) {
  if (has_arrived(rank) && schedule_.choose()) consume_next(rank);
}

void FiberWorld::consume_next(std::int64_t rank) {
  RankState& me = state(rank);
  const Match match = me.arrived[me.consumed_count++];
  if (me.consumed_count == me.arrived.size()) {
    me.arrived.clear();
    me.consumed_count = 0;
  }
  const std::size_t bytes = operations_[match.send].bytes;
  const std::int64_t phase = operations_[match.send].name.phase;
  const std::int64_t source = operations_[match.send].name.rank;
  if (bytes != operations_[match.receive].bytes) {
    break_off(rank, wrong_length(operations_[match.receive].name, operations_[match.receive].bytes,
                                 bytes));
  }
  // Taken out first: `consume` may itself use the endpoint, and move the operations.
  const auto consume = std::exchange(operations_[match.receive].consume, {});
  consume({operations_[match.send].payload, bytes});
  count(meters_[static_cast<std::size_t>(rank)].received, phase, source, rank,
        static_cast<std::int64_t>(bytes));
  operations_[match.send].copy.reset();
  complete(match.send);
  complete(match.receive);
}

void FiberWorld::complete(std::int32_t slot) {
  Operation& operation = operations_[slot];
  operation.is_complete = true;
  operation.is_consumed = true;
  const std::int64_t rank = operation.name.rank;
  if (state(rank).blocked_on == slot) set_runnable(rank);
  operations_.release_if_over(slot);
}

void FiberWorld::check_outstanding(std::int64_t rank) {
  if (state(rank).outstanding == 0) return;
  for (const Operation* operation : operations_.unfinished()) {
    if (operation->name.rank == rank && !operation->is_awaited) {
      fail(Ending::threw, rank, never_awaited(operation->name));
      return;
    }
  }
}

}  // namespace shardcheck::impl
