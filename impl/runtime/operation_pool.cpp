#include "operation_pool.h"

namespace shardcheck::impl {

void OperationPool::clear() {
  operations_.clear();
  free_.clear();
  is_used_.clear();
}

std::int32_t OperationPool::take() {
  if (free_.empty()) {
    operations_.emplace_back();
    is_used_.push_back(true);
    return static_cast<std::int32_t>(operations_.size()) - 1;
  }
  const std::int32_t slot = free_.back();
  free_.pop_back();
  is_used_[static_cast<std::size_t>(slot)] = true;
  return slot;
}

void OperationPool::release_if_over(std::int32_t slot) {
  Operation& operation = (*this)[slot];
  if (!operation.is_consumed || !operation.is_awaited) return;
  operation.is_complete = operation.is_consumed = operation.is_awaited = false;
  operation.next = no_slot;
  ++operation.generation;
  is_used_[static_cast<std::size_t>(slot)] = false;
  free_.push_back(slot);
}

Pending OperationPool::pending(std::int32_t slot) const {
  const auto generation =
      static_cast<std::int64_t>(operations_[static_cast<std::size_t>(slot)].generation);
  // 31 bits of each, so that a ticket is never negative.
  return {((generation & 0x7fffffff) << 32) | slot};
}

std::int32_t OperationPool::slot_of(Pending pending, std::int64_t rank) const {
  if (pending.ticket < 0) return no_slot;
  const auto slot = static_cast<std::size_t>(pending.ticket & 0xffffffff);
  if (slot >= operations_.size() || !is_used_[slot]) return no_slot;
  const Operation& operation = operations_[slot];
  const bool is_same =
      (operation.generation & 0x7fffffff) == static_cast<std::uint64_t>(pending.ticket >> 32);
  if (!is_same || operation.is_awaited || operation.name.rank != rank) return no_slot;
  return static_cast<std::int32_t>(slot);
}

std::vector<const Operation*> OperationPool::unfinished() const {
  std::vector<const Operation*> found;
  for (std::size_t slot = 0; slot < operations_.size(); ++slot) {
    if (is_used_[slot]) found.push_back(&operations_[slot]);
  }
  return found;
}

}  // namespace shardcheck::impl
