#pragma once

/// Rank programs for the tests of both runtimes, small enough that what they must do is plain.

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "endpoint.h"

namespace shardcheck::impl {

using RankProgram = std::function<void(Endpoint&)>;

inline std::span<const std::byte> bytes_of(const std::int64_t& value) {
  return std::as_bytes(std::span(&value, 1));
}

inline std::function<void(std::span<const std::byte>)> copy_to(std::int64_t& target) {
  return [&target](std::span<const std::byte> payload) {
    std::memcpy(&target, payload.data(), sizeof target);
  };
}

/// P-1 steps; in each a rank hands the number it got last (its own rank + 1 at first) to its
/// successor and adds the one it receives. results[rank] = 1 + ... + P.
inline RankProgram ring_sum(std::vector<std::int64_t>& results) {
  return [&results](Endpoint& endpoint) {
    const std::int64_t rank = endpoint.rank();
    const std::int64_t rank_count = endpoint.rank_count();
    endpoint.begin_phase(0, Dtype::i64);
    std::int64_t carried = rank + 1;
    std::int64_t sum = carried;
    for (std::int64_t step = 1; step < rank_count; ++step) {
      std::int64_t received = 0;
      const Pending send = endpoint.start_send((rank + 1) % rank_count, bytes_of(carried));
      const Pending receive = endpoint.start_receive((rank + rank_count - 1) % rank_count,
                                                     sizeof received, copy_to(received));
      endpoint.wait(receive);
      endpoint.wait(send);
      carried = received;
      sum += received;
    }
    results[static_cast<std::size_t>(rank)] = sum;
  };
}

/// Every rank sends 1000·rank + destination to every other, two messages a pair, all started before
/// any is waited for, and waited for in the opposite order. The second message of a pair is 10^6
/// more and counts three times. results[rank] = all_to_all_result().
inline RankProgram all_to_all(std::vector<std::int64_t>& results) {
  return [&results](Endpoint& endpoint) {
    const std::int64_t rank = endpoint.rank();
    const std::int64_t rank_count = endpoint.rank_count();
    endpoint.begin_phase(1, Dtype::i32);
    std::vector<std::int64_t> outgoing;
    outgoing.reserve(static_cast<std::size_t>(2 * rank_count));
    std::vector<std::int64_t> incoming(static_cast<std::size_t>(2 * rank_count));
    std::vector<Pending> pending;
    for (std::int64_t peer = 0; peer < rank_count; ++peer) {
      if (peer == rank) continue;
      for (std::int64_t message = 0; message < 2; ++message) {
        outgoing.push_back(1000 * rank + peer + 1'000'000 * message);
        pending.push_back(endpoint.start_send(peer, bytes_of(outgoing.back())));
        std::int64_t& slot = incoming[static_cast<std::size_t>(2 * peer + message)];
        pending.push_back(endpoint.start_receive(peer, sizeof slot, copy_to(slot)));
      }
    }
    while (!pending.empty()) {
      endpoint.wait(pending.back());
      pending.pop_back();
    }
    std::int64_t sum = 0;
    for (std::size_t place = 0; place < incoming.size(); ++place) {
      // The messages of a pair weigh differently, so that exchanging them shows.
      sum += incoming[place] * (place % 2 == 0 ? 1 : 3);
    }
    results[static_cast<std::size_t>(rank)] = sum;
  };
}

/// Each of the P-1 sources s gives (1000s + rank) + 3·(1000s + rank + 10^6).
inline std::int64_t all_to_all_result(std::int64_t rank, std::int64_t rank_count) {
  const std::int64_t sources = rank_count * (rank_count - 1) / 2 - rank;
  return 4000 * sources + (rank_count - 1) * (4 * rank + 3'000'000);
}

}  // namespace shardcheck::impl
