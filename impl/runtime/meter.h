#pragma once

/// What ranks send, receive and hold, counted at the runtime's own boundary and not by the
/// collectives that are to be judged.
///
/// A payload counts once at its sender, in the phase and dtype of that moment, and once at its
/// receiver when it is consumed, under the phase in which it was sent. A message of 0 bytes makes
/// an entry of 0 bytes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/observation.h>

namespace shardcheck::impl {

/// A message and its place among all messages of the world.
struct RecordedMessage {
  std::int64_t order = 0;
  Message message;
};

/// One rank's counts. Written by its own rank alone, read after the world has ended. On cache lines
/// of its own, since each thread writes to one all the time.
struct alignas(64) RankMeter {
  std::vector<Transfer> sent;        ///< in the order counted; equal keys may stand apart
  std::vector<Transfer> received;    ///< likewise
  std::int64_t temporary_bytes = 0;  ///< the peak
  std::vector<RecordedMessage> messages;
};

/// Back to nothing counted; keeps the memory.
void clear(RankMeter& meter);

/// Counts one message.
inline void count(std::vector<Transfer>& transfers, std::int64_t phase, std::int64_t source,
                  std::int64_t destination, std::int64_t bytes) {
  if (!transfers.empty()) {
    Transfer& last = transfers.back();
    if (last.phase == phase && last.source == source && last.destination == destination) {
      last.bytes += bytes;
      ++last.messages;
      return;
    }
  }
  transfers.push_back({phase, source, destination, bytes, 1});
}

/// One entry a (phase, source, destination), ascending.
void sort_and_merge(std::vector<Transfer>& transfers);

Ledger ledger_of(std::span<const RankMeter> meters);

/// The peaks, by rank.
std::vector<std::int64_t> temporary_bytes_of(std::span<const RankMeter> meters);

/// Every recorded message, in the order sent; leaves none in the meters.
std::vector<Message> take_messages(std::span<RankMeter> meters);

/// Requires: the payload is a whole number of elements of `dtype`.
std::vector<std::uint64_t> elements_of(std::span<const std::byte> payload, Dtype dtype);

}  // namespace shardcheck::impl
