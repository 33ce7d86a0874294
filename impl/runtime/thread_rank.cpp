#include <exception>
#include <utility>

#include "mistakes.h"
#include "thread_world.h"

namespace shardcheck::impl {

std::int64_t ThreadRank::rank_count() const { return world_.rank_count_; }

void ThreadRank::begin_phase(std::int64_t phase, Dtype dtype) {
  phase_ = phase;
  dtype_ = dtype;
}

/// What an operation of the endpoint does. If it is left half-done the world has failed, even if
/// the rank program catches the exception.
template <typename Work>
auto ThreadRank::whole(const Work& work) {
  try {
    return work();
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    world_.fail(Ending::threw, rank_, current_exception_text());
    take_back_sends();
    throw;
  }
}

/// A rank that unwinds isn't held up: its buffers may be gone already.
bool ThreadRank::unwinds() const { return std::uncaught_exceptions() > exceptions_before_; }

Pending ThreadRank::start_send(std::int64_t destination, std::span<const std::byte> payload) {
  if (unwinds()) return {};
  return whole([&] {
    Operation& send = start(true, destination, payload.size());
    count(meter().sent, phase_, rank_, destination, static_cast<std::int64_t>(payload.size()));
    if (world_.traces_) {
      const std::int64_t order = world_.message_count_.fetch_add(1);
      meter().messages.push_back(
          {order, {phase_, rank_, destination, dtype_, elements_of(payload, dtype_)}});
    }
    send.payload = payload.data();
    world_.rank(destination).put_into_inbox(send);
    return pending(send);
  });
}

Pending ThreadRank::start_receive(std::int64_t source, std::size_t bytes,
                                  std::function<void(std::span<const std::byte>)> consume) {
  if (unwinds()) return {};
  return whole([&] {
    Operation& receive = start(false, source, bytes);
    receive.consume = std::move(consume);
    Operation* const send = match_or_queue(channels_[static_cast<std::size_t>(source)], receive);
    if (send != nullptr) arrived_.push_back({send, &receive});
    return pending(receive);
  });
}

void ThreadRank::wait(Pending pending) {
  if (unwinds()) return;
  whole([&] {
    check_cancelled();
    Operation* const operation = operations_.find(pending, rank_);
    if (operation == nullptr) break_off(not_pending(rank_));
    wait_until_complete(*operation);
    operation->is_awaited = true;
    operations_.release_if_over(*operation);
    --outstanding_;
  });
}

void ThreadRank::note_temporary_bytes(std::int64_t bytes) {
  std::int64_t& peak = meter().temporary_bytes;
  if (bytes > peak) peak = bytes;
}

void ThreadRank::begin() {
  const auto count = static_cast<std::size_t>(world_.rank_count_);
  phase_ = 0;
  dtype_ = Dtype::u8;
  outstanding_ = 0;
  operations_.clear();
  channels_.assign(count, {});
  sends_.assign(count, {});
  receives_.assign(count, {});
  arrived_.clear();
  consumed_count_ = 0;
  calls_ = 0;
  processor_time_.reset();
  inbox_.store(nullptr);
  has_finished_.store(false);
}

void ThreadRank::run(const std::function<void(Endpoint&)>& program, Endpoint& endpoint) {
  exceptions_before_ = std::uncaught_exceptions();
  try {
    if (!world_.is_cancelled_.load()) program(endpoint);
    if (outstanding_ > 0 && !world_.is_cancelled_.load()) {
      operations_.for_each([&](const Operation& operation) {
        if (!operation.is_awaited) world_.fail(Ending::threw, rank_, never_awaited(operation.name));
      });
    }
  } catch (const Cancelled&) {
    // Why is known already.
  } catch (...) {
    world_.fail(Ending::threw, rank_, current_exception_text());
  }
  take_back_sends();
  has_finished_.store(true);
}

void ThreadRank::count_left_over(std::vector<Transfer>& transfers) {
  empty_inbox();
  for (const Channel& channel : channels_) count_unreceived(transfers, channel);
}

RankMeter& ThreadRank::meter() { return world_.meters_[static_cast<std::size_t>(rank_)]; }

/// On the sender's thread.
void ThreadRank::put_into_inbox(Operation& send) {
  Operation* last = inbox_.load(std::memory_order_relaxed);
  do {
    send.next = last;
  } while (!inbox_.compare_exchange_weak(last, &send, std::memory_order_release,
                                         std::memory_order_relaxed));
  signal_.notify();
}

void ThreadRank::empty_inbox() {
  if (inbox_.load(std::memory_order_relaxed) == nullptr) return;
  Operation* last = inbox_.exchange(nullptr, std::memory_order_acquire);
  Operation* in_order = nullptr;
  while (last != nullptr) {
    Operation* const before = last->next;
    last->next = in_order;
    in_order = last;
    last = before;
  }
  while (in_order != nullptr) {
    Operation* const send = in_order;
    in_order = std::exchange(send->next, nullptr);
    Channel& channel = channels_[static_cast<std::size_t>(send->name.rank)];
    Operation* const receive = match_or_queue(channel, *send);
    if (receive != nullptr) arrived_.push_back({send, receive});
  }
}

void ThreadRank::consume_next() {
  const auto [send, receive] = arrived_[consumed_count_++];
  if (consumed_count_ == arrived_.size()) {
    arrived_.clear();
    consumed_count_ = 0;
  }
  auto waiting = Delivery::waiting;
  if (!send->delivery.compare_exchange_strong(waiting, Delivery::claimed)) {
    // Withdrawn: the world has failed.
    take_back_sends();
    throw Cancelled{};
  }
  // The sender may be gone as soon as the send counts as consumed.
  const OperationName name = send->name;
  const std::size_t bytes = send->bytes;
  const auto let_go = [&, sent = send] {
    sent->delivery.store(Delivery::consumed, std::memory_order_release);
    world_.rank(name.rank).signal().notify();
  };
  if (bytes != receive->bytes) {
    let_go();
    break_off(wrong_length(receive->name, receive->bytes, bytes));
  }
  try {
    count(meter().received, name.phase, name.rank, rank_, static_cast<std::int64_t>(bytes));
    receive->consume({send->payload, bytes});
  } catch (...) {
    let_go();
    throw;
  }
  let_go();
  receive->delivery.store(Delivery::consumed, std::memory_order_relaxed);
  operations_.release_if_over(*receive);
}

Operation& ThreadRank::start(bool is_send, std::int64_t peer, std::size_t bytes) {
  check_cancelled();
  look_at_clocks();
  OperationName name{is_send, rank_, peer, phase_, 0};
  if (auto mistake = mistake_in_start(name, bytes, dtype_, world_.rank_count_, ++outstanding_)) {
    break_off(std::move(*mistake));
  }
  name.number = next_number((is_send ? sends_ : receives_)[static_cast<std::size_t>(peer)], phase_);
  Operation& operation = operations_.take();
  operation.name = name;
  operation.bytes = bytes;
  operation.dtype = dtype_;
  return operation;
}

void ThreadRank::wait_until_complete(const Operation& operation) {
  while (!is_complete(operation)) {
    // Counted before looking at anything: what happens after a look changes the count. A failure is
    // such a thing too.
    const std::uint32_t seen = signal_.count();
    check_cancelled();
    empty_inbox();
    if (has_arrived()) {
      consume_next();
    } else if (!is_complete(operation)) {
      look_at_clocks();
      if (!signal_.differs_soon(seen, world_.patience_)) world_.sleep(rank_, operation, seen);
    }
  }
}

/// Now and then: a program that would never end calls its endpoint for ever.
void ThreadRank::look_at_clocks() {
  if (++calls_ % sync::calls_between_looks != 0) return;
  const std::chrono::nanoseconds now = sync::processor_time();
  const std::chrono::nanoseconds before = processor_time_.value_or(now);
  processor_time_ = now;
  world_.time_out_if_due(now - before);
  check_cancelled();
}

/// Afterwards nobody reads a buffer of this rank any more. Before every throw: unwinding kills
/// buffers that others may be about to read.
void ThreadRank::take_back_sends() {
  operations_.for_each([](Operation& operation) {
    if (!operation.name.is_send) return;
    auto delivery = Delivery::waiting;
    if (operation.delivery.compare_exchange_strong(delivery, Delivery::withdrawn)) return;
    sync::yield_while(operation.delivery, Delivery::claimed);
  });
}

void ThreadRank::check_cancelled() {
  if (!world_.is_cancelled_.load(std::memory_order_acquire)) return;
  take_back_sends();
  throw Cancelled{};
}

void ThreadRank::break_off(std::string cause) {
  world_.fail(Ending::threw, rank_, std::move(cause));
  take_back_sends();
  throw Cancelled{};
}

}  // namespace shardcheck::impl
