#include <exception>
#include <thread>
#include <utility>

#include "mistakes.h"
#include "thread_world.h"

namespace shardcheck::impl {
namespace {

/// How often a waiting rank lets others run before it sleeps. Handing the core over costs less than
/// sleeping and being woken.
constexpr int yields_before_sleep = 16;

}  // namespace

std::int64_t ThreadRank::rank_count() const { return world_.rank_count_; }

void ThreadRank::begin_phase(std::int64_t phase, Dtype dtype) {
  phase_ = phase;
  dtype_ = dtype;
}

Pending ThreadRank::start_send(std::int64_t destination, std::span<const std::byte> payload) {
  // A rank that unwinds isn't held up: its buffers may be gone already.
  if (std::uncaught_exceptions() > 0) return {};
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
}

Pending ThreadRank::start_receive(std::int64_t source, std::size_t bytes,
                                  std::function<void(std::span<const std::byte>)> consume) {
  if (std::uncaught_exceptions() > 0) return {};
  Operation& receive = start(false, source, bytes);
  receive.consume = std::move(consume);
  Operation* const send = match_or_queue(channels_[static_cast<std::size_t>(source)], receive);
  if (send != nullptr) arrived_.push_back({send, &receive});
  return pending(receive);
}

void ThreadRank::wait(Pending pending) {
  if (std::uncaught_exceptions() > 0) return;
  check_cancelled();
  Operation* const operation = operations_.find(pending, rank_);
  if (operation == nullptr) break_off(not_pending(rank_));
  wait_until_complete(*operation);
  operation->is_awaited = true;
  operations_.release_if_over(*operation);
  --outstanding_;
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
  inbox_.clear();
}

void ThreadRank::run(const std::function<void(Endpoint&)>& program, Endpoint& endpoint) {
  try {
    if (!world_.is_cancelled_) program(endpoint);
    if (outstanding_ > 0 && !world_.is_cancelled_) {
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
}

void ThreadRank::count_left_over(std::vector<Transfer>& transfers) {
  empty_inbox();
  for (const Channel& channel : channels_) count_unreceived(transfers, channel);
}

void ThreadRank::wake() {
  events_.fetch_add(1, std::memory_order_release);
  events_.notify_one();
}

RankMeter& ThreadRank::meter() { return world_.meters_[static_cast<std::size_t>(rank_)]; }

void ThreadRank::put_into_inbox(Operation& send) {
  {
    const std::lock_guard lock(inbox_mutex_);
    inbox_.push_back(&send);
  }
  wake();
}

void ThreadRank::empty_inbox() {
  {
    const std::lock_guard lock(inbox_mutex_);
    inbox_read_.swap(inbox_);
  }
  for (Operation* const send : inbox_read_) {
    Channel& channel = channels_[static_cast<std::size_t>(send->name.rank)];
    Operation* const receive = match_or_queue(channel, *send);
    if (receive != nullptr) arrived_.push_back({send, receive});
  }
  inbox_read_.clear();
}

bool ThreadRank::has_arrived() { return consumed_count_ < arrived_.size(); }

void ThreadRank::consume_next() {
  Operation* const send = arrived_[consumed_count_].send;
  Operation* const receive = arrived_[consumed_count_].receive;
  ++consumed_count_;
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
  const auto let_go = [&] {
    send->delivery.store(Delivery::consumed, std::memory_order_release);
    world_.rank(name.rank).wake();
  };
  if (bytes != receive->bytes) {
    let_go();
    break_off(wrong_length(receive->name, receive->bytes, bytes));
  }
  try {
    receive->consume({send->payload, bytes});
  } catch (...) {
    let_go();
    world_.fail(Ending::threw, rank_, current_exception_text());
    take_back_sends();
    throw;
  }
  let_go();
  receive->delivery.store(Delivery::consumed, std::memory_order_relaxed);
  operations_.release_if_over(*receive);
  count(meter().received, name.phase, name.rank, rank_, static_cast<std::int64_t>(bytes));
}

Operation& ThreadRank::start(bool is_send, std::int64_t peer, std::size_t bytes) {
  check_cancelled();
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
    // Read before looking at anything: what happens after a look changes it. A failure is such a
    // thing too.
    const std::uint32_t events_seen = events();
    check_cancelled();
    empty_inbox();
    if (has_arrived()) {
      consume_next();
    } else if (!is_complete(operation)) {
      await_event(operation, events_seen);
    }
  }
}

void ThreadRank::await_event(const Operation& operation, std::uint32_t events_seen) {
  for (std::int64_t spin = 0; spin < world_.spins_; ++spin) {
    if (events() != events_seen) return;
  }
  for (int yield = 0; yield < yields_before_sleep; ++yield) {
    if (events() != events_seen) return;
    std::this_thread::yield();
  }
  world_.sleep(rank_, operation, events_seen);
}

/// Afterwards nobody reads a buffer of this rank any more. Before every throw: unwinding kills
/// buffers that others may be about to read.
void ThreadRank::take_back_sends() {
  operations_.for_each([](Operation& operation) {
    if (!operation.name.is_send) return;
    auto delivery = Delivery::waiting;
    if (operation.delivery.compare_exchange_strong(delivery, Delivery::withdrawn)) return;
    while (operation.delivery.load(std::memory_order_acquire) == Delivery::claimed) {
      std::this_thread::yield();
    }
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
