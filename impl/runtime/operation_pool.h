#pragma once

/// Sends and receives in slots that are used again and again, from world to world too.
///
/// A Pending's ticket is slot and generation: a second wait for the same operation, or one for an
/// operation that never was, is noticed however often the slot has been used since.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <shardcheck/model/case/dtype.h>

#include "endpoint.h"
#include "sync.h"
#include "wait_graph.h"

namespace shardcheck::impl {

/// How far a payload has come. Only threads see `claimed` and `withdrawn`, and only in sends.
enum class Delivery : std::uint8_t {
  waiting,
  claimed,   ///< the receiver reads the sender's buffer at this moment
  consumed,  ///< neither buffer is needed any more
  withdrawn  ///< the sender's world has failed; the buffer must not be read
};

struct Operation {
  OperationName name;
  std::size_t bytes = 0;
  Operation* next = nullptr;  ///< in its channel, or in an inbox
  sync::Atomic<Delivery> delivery = Delivery::waiting;

  // A send's.
  Dtype dtype = Dtype::u8;
  const std::byte* payload = nullptr;  ///< in the sender's buffer or in `copy`
  std::unique_ptr<std::byte[]> copy;   ///< fibers only, and only if copied early
  // A receive's.
  std::function<void(std::span<const std::byte>)> consume;

  // The pool's.
  std::int32_t slot = 0;
  std::uint32_t generation = 0;
  bool is_used = false;
  bool is_awaited = false;
};

/// True if a wait for it may return.
inline bool is_complete(const Operation& operation) {
  return operation.copy != nullptr ||
         operation.delivery.load(std::memory_order_acquire) == Delivery::consumed;
}

/// Operations stay where they are until clear(). One thread, but for what Operation::delivery
/// guards.
class OperationPool {
 public:
  /// Forgets every operation, keeps the memory.
  void clear();

  Operation& take();

  /// Back into the pool once it is both consumed and awaited; otherwise does nothing.
  void release_if_over(Operation& operation);

  /// Null unless it is an operation of this rank that nobody has waited for.
  Operation* find(Pending pending, std::int64_t rank) const;

  /// Calls visit(Operation&) for all that are not over, in slot order.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t slot = 0; slot < used_count_; ++slot) {
      if (operations_[slot]->is_used) visit(*operations_[slot]);
    }
  }

 private:
  static void reset(Operation& operation);

  std::vector<std::unique_ptr<Operation>> operations_;
  std::size_t used_count_ = 0;  ///< slots below it were used since clear()
  std::vector<std::int32_t> free_;
};

Pending pending(const Operation& operation);

}  // namespace shardcheck::impl
