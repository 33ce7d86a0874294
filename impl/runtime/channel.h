#pragma once

/// The way from one rank to another: which receive gets which message.

#include <cstdint>
#include <vector>

#include "meter.h"
#include "operation_pool.h"

namespace shardcheck::impl {

/// Numbers the operations of one phase from 0.
struct Numbering {
  std::int64_t phase = -1;
  std::int64_t next = 0;
};

inline std::int64_t next_number(Numbering& numbering, std::int64_t phase) {
  if (numbering.phase != phase) numbering = {phase, 0};
  return numbering.next++;
}

/// Sends for which no receive was started yet, or receives for which no message was sent yet, in
/// the order started. Never both.
struct Channel {
  Operation* first = nullptr;
  Operation* last = nullptr;
};

/// The operation's counterpart, taken out of the channel; or null, and the operation queues up.
inline Operation* match_or_queue(Channel& channel, Operation& operation) {
  if (channel.first == nullptr) {
    channel.first = channel.last = &operation;
    return nullptr;
  }
  if (channel.first->name.is_send == operation.name.is_send) {
    channel.last->next = &operation;
    channel.last = &operation;
    return nullptr;
  }
  Operation* const counterpart = channel.first;
  channel.first = counterpart->next;
  return counterpart;
}

/// Counts the messages that wait in the channel.
inline void count_unreceived(std::vector<Transfer>& transfers, const Channel& channel) {
  if (channel.first == nullptr || !channel.first->name.is_send) return;
  for (const Operation* send = channel.first; send != nullptr; send = send->next) {
    count(transfers, send->name.phase, send->name.rank, send->name.peer,
          static_cast<std::int64_t>(send->bytes));
  }
}

}  // namespace shardcheck::impl
