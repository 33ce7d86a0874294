#include "operation_pool.h"

#include <utility>

namespace shardcheck::impl {
namespace {

/// 31 bits, as the slot has, so that a ticket is never negative.
std::int64_t generation_in_ticket(const Operation& operation) {
  return operation.generation & 0x7fffffff;
}

}  // namespace

void OperationPool::clear() {
  for (std::size_t slot = 0; slot < used_count_; ++slot) {
    if (operations_[slot]->is_used) reset(*operations_[slot]);
  }
  used_count_ = 0;
  free_.clear();
}

Operation& OperationPool::take() {
  if (free_.empty()) {
    if (used_count_ == operations_.size()) {
      auto made = std::make_unique<Operation>();
      made->slot = static_cast<std::int32_t>(used_count_);
      // So that giving one back needs no memory.
      if (free_.capacity() <= used_count_) free_.reserve(2 * (used_count_ + 1));
      operations_.push_back(std::move(made));
    }
    free_.push_back(static_cast<std::int32_t>(used_count_++));
  }
  Operation& operation = *operations_[static_cast<std::size_t>(free_.back())];
  free_.pop_back();
  operation.is_used = true;
  return operation;
}

void OperationPool::release_if_over(Operation& operation) {
  if (!operation.is_awaited) return;
  if (operation.delivery.load(std::memory_order_acquire) != Delivery::consumed) return;
  reset(operation);
  free_.push_back(operation.slot);
}

Operation* OperationPool::find(Pending pending, std::int64_t rank) const {
  if (pending.ticket < 0) return nullptr;
  const auto slot = static_cast<std::size_t>(pending.ticket & 0xffffffff);
  if (slot >= used_count_) return nullptr;
  Operation& operation = *operations_[slot];
  const bool is_same = operation.is_used && generation_in_ticket(operation) == pending.ticket >> 32;
  if (!is_same || operation.is_awaited || operation.name.rank != rank) return nullptr;
  return &operation;
}

void OperationPool::reset(Operation& operation) {
  operation.copy.reset();
  operation.consume = nullptr;
  operation.next = nullptr;
  operation.delivery.store(Delivery::waiting, std::memory_order_relaxed);
  operation.is_used = false;
  operation.is_awaited = false;
  ++operation.generation;
}

Pending pending(const Operation& operation) {
  return {(generation_in_ticket(operation) << 32) | operation.slot};
}

}  // namespace shardcheck::impl
