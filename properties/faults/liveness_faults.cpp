#include <map>
#include <stdexcept>

#include "fault_tables.h"
#include "wrapped_endpoint.h"

namespace shardcheck {

namespace {

bool is_last(const impl::Endpoint& endpoint) {
  return endpoint.rank() + 1 == endpoint.rank_count();
}

/// The last rank goes on as if it had sent; the others wait for ever.
class SilentRank final : public WrappedEndpoint {
 public:
  using WrappedEndpoint::WrappedEndpoint;

  impl::Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    return is_last(*this) ? never_sent : WrappedEndpoint::start_send(destination, payload);
  }
  void wait(impl::Pending pending) override {
    if (pending.ticket != never_sent.ticket) WrappedEndpoint::wait(pending);
  }

 private:
  static constexpr impl::Pending never_sent{-2};
};

class ThrowingRank final : public WrappedEndpoint {
 public:
  using WrappedEndpoint::WrappedEndpoint;

  impl::Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    if (is_last(*this)) throw std::runtime_error("planted: the last rank can't send");
    return WrappedEndpoint::start_send(destination, payload);
  }
};

/// The last rank sends everything twice; nobody takes the second one.
class RepeatingRank final : public WrappedEndpoint {
 public:
  using WrappedEndpoint::WrappedEndpoint;

  impl::Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    const impl::Pending first = WrappedEndpoint::start_send(destination, payload);
    if (is_last(*this)) repeats_[first.ticket] = inner().start_send(destination, payload);
    return first;
  }
  void wait(impl::Pending pending) override {
    WrappedEndpoint::wait(pending);
    const auto repeat = repeats_.find(pending.ticket);
    if (repeat == repeats_.end()) return;
    WrappedEndpoint::wait(repeat->second);
    repeats_.erase(repeat);
  }

 private:
  std::map<std::int64_t, impl::Pending> repeats_;  ///< by the ticket of the first one
};

}  // namespace

std::vector<PlantedFault> liveness_faults() {
  return {
      {"rank_never_sends", "the last rank takes its messages for sent",
       "class H: a send is skipped, its receive still waits", Invariant::liveness,
       planted(wrapped<SilentRank>())},
      {"rank_throws", "the last rank ends with an exception",
       "class H: one rank crashes, the others wait", Invariant::liveness,
       planted(wrapped<ThrowingRank>())},
      {"message_sent_twice", "the last rank sends every message twice",
       "class C: a shard sent twice", Invariant::liveness, planted(wrapped<RepeatingRank>())},
  };
}

}  // namespace shardcheck
