#include "fiber_world.h"

#include <cstring>
#include <exception>
#include <utility>

#include "mistakes.h"

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

/// What an operation of the endpoint does. If it is left half-done the world has failed, even if
/// the rank program catches the exception.
template <typename Work>
auto FiberWorld::whole(std::int64_t rank, const Work& work) {
  try {
    return work();
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    fail(Ending::threw, rank, current_exception_text());
    throw;
  }
}

Pending FiberWorld::start_send(std::int64_t rank, std::int64_t destination,
                               std::span<const std::byte> payload) {
  // A rank that unwinds isn't held up: its buffers may be gone already.
  if (std::uncaught_exceptions() > 0) return {};
  return whole(rank, [&] {
    Operation& send = start(true, rank, destination, payload.size());
    RankMeter& meter = meters_[static_cast<std::size_t>(rank)];
    const std::int64_t phase = send.name.phase;
    count(meter.sent, phase, rank, destination, static_cast<std::int64_t>(payload.size()));
    if (traces_) {
      meter.messages.push_back(
          {message_count_++,
           {phase, rank, destination, send.dtype, elements_of(payload, send.dtype)}});
    }
    send.payload = payload.data();
    const bool is_copied_early = schedule_.choose();
    if (is_copied_early) {
      send.copy = std::make_unique_for_overwrite<std::byte[]>(payload.size());
      if (!payload.empty()) std::memcpy(send.copy.get(), payload.data(), payload.size());
      send.payload = send.copy.get();
    }
    deliver(send);
    maybe_consume(rank);
    yield(rank);
    return pending(send);
  });
}

Pending FiberWorld::start_receive(std::int64_t rank, std::int64_t source, std::size_t bytes,
                                  std::function<void(std::span<const std::byte>)> consume) {
  if (std::uncaught_exceptions() > 0) return {};
  return whole(rank, [&] {
    Operation& receive = start(false, rank, source, bytes);
    receive.consume = std::move(consume);
    deliver(receive);
    maybe_consume(rank);
    yield(rank);
    return pending(receive);
  });
}

void FiberWorld::wait_for(std::int64_t rank, Pending pending) {
  if (std::uncaught_exceptions() > 0) return;
  whole(rank, [&] {
    yield(rank);
    Operation* const operation = operations_.find(pending, rank);
    if (operation == nullptr) break_off(rank, not_pending(rank));
    while (!is_complete(*operation)) {
      if (has_arrived(rank)) {
        consume_next(rank);
      } else {
        block(rank, *operation);
      }
    }
    operation->is_awaited = true;
    operations_.release_if_over(*operation);
    --state(rank).outstanding;
  });
}

Operation& FiberWorld::start(bool is_send, std::int64_t rank, std::int64_t peer,
                             std::size_t bytes) {
  if (is_cancelled_) throw Cancelled{};
  RankState& me = state(rank);
  OperationName name{is_send, rank, peer, me.phase, 0};
  const auto rank_count = static_cast<std::int64_t>(ranks_.size());
  if (auto mistake = mistake_in_start(name, bytes, me.dtype, rank_count, ++me.outstanding)) {
    break_off(rank, std::move(*mistake));
  }
  name.number = is_send ? next_number(way(rank, peer).sends, me.phase)
                        : next_number(way(peer, rank).receives, me.phase);
  Operation& operation = operations_.take();
  operation.name = name;
  operation.bytes = bytes;
  operation.dtype = me.dtype;
  return operation;
}

FiberWorld::Way& FiberWorld::way(std::int64_t source, std::int64_t destination) {
  const auto rank_count = static_cast<std::int64_t>(ranks_.size());
  std::int32_t& number = way_numbers_[static_cast<std::size_t>(destination * rank_count + source)];
  if (number < 0) {
    ways_.emplace_back();
    number = static_cast<std::int32_t>(ways_.size()) - 1;
  }
  return ways_[static_cast<std::size_t>(number)];
}

void FiberWorld::deliver(Operation& operation) {
  const bool is_send = operation.name.is_send;
  const std::int64_t source = is_send ? operation.name.rank : operation.name.peer;
  const std::int64_t destination = is_send ? operation.name.peer : operation.name.rank;
  Operation* const counterpart = match_or_queue(way(source, destination).channel, operation);
  if (counterpart == nullptr) return;
  state(destination)
      .arrived.push_back(is_send ? Match{&operation, counterpart} : Match{counterpart, &operation});
  // Whatever it is blocked on, it consumes what arrives meanwhile.
  if (state(destination).blocked_on != nullptr) set_runnable(destination);
}

bool FiberWorld::has_arrived(std::int64_t rank) {
  return state(rank).consumed_count < state(rank).arrived.size();
}

void FiberWorld::maybe_consume(std::int64_t rank) {
  if (has_arrived(rank) && schedule_.choose()) consume_next(rank);
}

void FiberWorld::consume_next(std::int64_t rank) {
  RankState& me = state(rank);
  const auto [send, receive] = me.arrived[me.consumed_count++];
  if (me.consumed_count == me.arrived.size()) {
    me.arrived.clear();
    me.consumed_count = 0;
  }
  if (send->bytes != receive->bytes) {
    break_off(rank, wrong_length(receive->name, receive->bytes, send->bytes));
  }
  receive->consume({send->payload, send->bytes});
  count(meters_[static_cast<std::size_t>(rank)].received, send->name.phase, send->name.rank, rank,
        static_cast<std::int64_t>(send->bytes));
  complete(*send);
  complete(*receive);
}

void FiberWorld::complete(Operation& operation) {
  operation.delivery.store(Delivery::consumed, std::memory_order_relaxed);
  const std::int64_t rank = operation.name.rank;
  if (state(rank).blocked_on == &operation) set_runnable(rank);
  operations_.release_if_over(operation);
}

void FiberWorld::check_outstanding(std::int64_t rank) {
  if (state(rank).outstanding == 0) return;
  operations_.for_each([&](const Operation& operation) {
    if (operation.name.rank != rank || operation.is_awaited) return;
    fail(Ending::threw, rank, never_awaited(operation.name));
  });
}

}  // namespace shardcheck::impl
