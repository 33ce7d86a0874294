#pragma once

/// The sends and receives of a world of fibers, in slots that are used again and again.
///
/// A Pending's ticket is slot and generation: a second wait for the same operation, or one for an
/// operation that never was, is noticed however often the slot has been used since.
///
/// One thread.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <shardcheck/model/case/dtype.h>

#include "endpoint.h"
#include "wait_graph.h"

namespace shardcheck::impl {

inline constexpr std::int32_t no_slot = -1;

struct Operation {
  OperationName name;
  std::size_t bytes = 0;
  // A send's.
  Dtype dtype = Dtype::u8;
  const std::byte* payload = nullptr;  ///< in the sender's buffer or in `copy`
  std::unique_ptr<std::byte[]> copy;
  // A receive's.
  std::function<void(std::span<const std::byte>)> consume;

  bool is_complete = false;     ///< its wait may return
  bool is_consumed = false;     ///< its payload has arrived; nobody needs it any more
  bool is_awaited = false;      ///< its wait has returned
  std::int32_t next = no_slot;  ///< in its channel's queue
  std::uint32_t generation = 0;
};

class OperationPool {
 public:
  /// Forgets everything, keeps the memory.
  void clear();

  /// A slot with a fresh operation. Invalidates references to others.
  std::int32_t take();

  /// Back into the pool once it is consumed and awaited; otherwise does nothing.
  void release_if_over(std::int32_t slot);

  Operation& operator[](std::int32_t slot) { return operations_[static_cast<std::size_t>(slot)]; }

  Pending pending(std::int32_t slot) const;

  /// no_slot unless it is an operation of this rank that nobody has waited for.
  std::int32_t slot_of(Pending pending, std::int64_t rank) const;

  /// The operations that are not over, in slot order.
  std::vector<const Operation*> unfinished() const;

 private:
  std::vector<Operation> operations_;
  std::vector<bool> is_used_;
  std::vector<std::int32_t> free_;
};

}  // namespace shardcheck::impl
