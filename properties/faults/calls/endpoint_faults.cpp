// Mistakes in what a rank sends and receives.

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <shardcheck/properties/faults/wrapped_endpoint.h>

#include "fault_tables.h"

namespace shardcheck {

namespace {

/// Nothing is sent where there is nothing to send, and yet it is waited for.
class SparingRank final : public WrappedEndpoint {
 public:
  using WrappedEndpoint::WrappedEndpoint;

  impl::Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    return payload.empty() ? never_sent : WrappedEndpoint::start_send(destination, payload);
  }
  void wait(impl::Pending pending) override {
    if (pending.ticket != never_sent.ticket) WrappedEndpoint::wait(pending);
  }

 private:
  static constexpr impl::Pending never_sent{-2};
};

/// In the second call and later, the last rank sends what it sent in the one before, if as much
/// went to the same rank then.
class RepeatingRank final : public WrappedEndpoint {
 public:
  using WrappedEndpoint::WrappedEndpoint;

  void begin_phase(std::int64_t phase, Dtype dtype) override {
    if (phase != phase_) {
      before_ = std::exchange(now_, {});
      phase_ = phase;
    }
    WrappedEndpoint::begin_phase(phase, dtype);
  }

  impl::Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    now_.push_back({destination, {payload.begin(), payload.end()}});
    if (rank() + 1 != rank_count()) return WrappedEndpoint::start_send(destination, payload);
    for (const Sent& sent : before_) {
      if (sent.destination != destination || sent.payload.size() != payload.size()) continue;
      // A late reader finds it here.
      kept_.push_back(std::make_unique<std::vector<std::byte>>(sent.payload));
      return WrappedEndpoint::start_send(destination, *kept_.back());
    }
    return WrappedEndpoint::start_send(destination, payload);
  }

 private:
  struct Sent {
    std::int64_t destination = 0;
    std::vector<std::byte> payload;
  };

  std::int64_t phase_ = 0;
  std::vector<Sent> before_;
  std::vector<Sent> now_;
  std::vector<std::unique_ptr<std::vector<std::byte>>> kept_;
};

class ThrowingRank final : public WrappedEndpoint {
 public:
  using WrappedEndpoint::WrappedEndpoint;

  impl::Pending start_receive(std::int64_t source, std::size_t bytes,
                              std::function<void(std::span<const std::byte>)> consume) override {
    if (bytes == 0) throw std::runtime_error("planted: a message of no bytes");
    return WrappedEndpoint::start_receive(source, bytes, std::move(consume));
  }
};

}  // namespace

std::vector<PlantedFault> endpoint_faults() {
  return {
      {"zero_byte_send_skipped", "a message of no bytes isn't sent, and is waited for",
       "class H: zero-byte send skipped, receive still waits", Invariant::liveness,
       planted_in_calls(wrapped<SparingRank>())},
      {"empty_block_throws", "a rank that receives an empty block ends with an exception",
       "class H: zero count, hang or crash", Invariant::liveness,
       planted_in_calls(wrapped<ThrowingRank>())},
      {"last_calls_data", "the last rank sends what it sent in the call before",
       "class G: buffer reused early, last call's data", Invariant::value,
       planted_in_calls(wrapped<RepeatingRank>())},
  };
}

}  // namespace shardcheck
