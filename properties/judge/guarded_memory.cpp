#include "guarded_memory.h"

#include <algorithm>
#include <cstring>

#include <shardcheck/model/case/contract.h>

namespace shardcheck {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t guard_bytes = 64;
/// Above this, memory that a case doesn't need is given back.
constexpr std::size_t kept_bytes = std::size_t{64} << 20;

std::size_t aligned(std::size_t offset) { return (offset + alignment - 1) / alignment * alignment; }

std::byte canary(std::size_t offset) {
  return static_cast<std::byte>(0xa5U ^ (offset * 37U & 0xffU));
}

}  // namespace

void GuardedMemory::lay_out(std::span<const std::size_t> bytes, Shape shape) {
  SHARDCHECK_REQUIRE(bytes.size() % shape.buffers == 0, "every rank has the same buffers");
  shape_ = shape;
  places_.resize(bytes.size());
  std::size_t offset = 0;
  std::size_t copied = 0;
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    Place& place = places_[index];
    place.guard = offset;
    place.begin = aligned(offset + guard_bytes);
    place.end = place.begin + bytes[index];
    place.copy = copied;
    const std::size_t number = index % shape.buffers;
    if (number < shape.inputs) copied += bytes[index];
    offset = number + 1 == shape.buffers ? end_of_rank(place) : place.end;
  }
  reserve(offset + alignment);
  kept_.resize(copied);
  write_guards();
}

std::size_t GuardedMemory::end_of_rank(const Place& last) { return last.end + guard_bytes; }

void GuardedMemory::reserve(std::size_t bytes) {
  const bool is_wasteful = capacity_ > kept_bytes && bytes < capacity_ / 4;
  if (bytes <= capacity_ && !is_wasteful) return;
  memory_.reset();
  memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  capacity_ = bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  base_ = (alignment - address % alignment) % alignment;
  kept_.shrink_to_fit();
}

void GuardedMemory::write_guards() {
  std::byte* memory = memory_.get() + base_;
  const auto guard = [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) memory[at] = canary(at);
  };
  for (std::size_t index = 0; index < places_.size(); ++index) {
    guard(places_[index].guard, places_[index].begin);
    const bool is_last = (index + 1) % shape_.buffers == 0;
    if (is_last) guard(places_[index].end, end_of_rank(places_[index]));
  }
}

std::span<std::byte> GuardedMemory::buffer(std::size_t rank, std::size_t number) {
  const Place& at = place(rank, number);
  return {memory_.get() + base_ + at.begin, at.end - at.begin};
}

std::span<const std::byte> GuardedMemory::buffer(std::size_t rank, std::size_t number) const {
  const Place& at = place(rank, number);
  return {memory_.get() + base_ + at.begin, at.end - at.begin};
}

void GuardedMemory::keep_inputs() {
  for (std::size_t rank = 0; rank < rank_count(); ++rank) {
    for (std::size_t number = 0; number < shape_.inputs; ++number) {
      std::ranges::copy(buffer(rank, number), kept_.data() + place(rank, number).copy);
    }
  }
}

std::optional<std::size_t> GuardedMemory::first_changed_byte(std::size_t rank,
                                                             std::size_t number) const {
  const std::span<const std::byte> now = buffer(rank, number);
  const std::byte* before = kept_.data() + place(rank, number).copy;
  if (now.empty() || std::memcmp(now.data(), before, now.size()) == 0) return std::nullopt;
  return static_cast<std::size_t>(std::mismatch(now.begin(), now.end(), before).first -
                                  now.begin());
}

std::size_t GuardedMemory::first_overwritten(std::size_t begin, std::size_t end) const {
  const std::byte* memory = memory_.get() + base_;
  std::size_t at = begin;
  while (at < end && memory[at] == canary(at)) ++at;
  return at;
}

std::optional<GuardedMemory::GuardDamage> GuardedMemory::damaged_guard(std::size_t rank) const {
  const std::size_t count = shape_.buffers;
  for (std::size_t number = 0; number <= count; ++number) {
    const bool is_behind_all = number == count;
    const std::size_t begin =
        is_behind_all ? place(rank, count - 1).end : place(rank, number).guard;
    const std::size_t end =
        is_behind_all ? end_of_rank(place(rank, count - 1)) : place(rank, number).begin;
    const std::size_t at = first_overwritten(begin, end);
    if (at == end) continue;
    // The nearer buffer is the likelier culprit: one past the end is commoner than one before.
    const bool is_after = number > 0 && (is_behind_all || at - begin < guard_bytes / 2);
    const std::size_t anchor = is_after ? begin : end;
    return GuardDamage{is_after ? number - 1 : number,
                       static_cast<std::int64_t>(at) - static_cast<std::int64_t>(anchor)};
  }
  return std::nullopt;
}

}  // namespace shardcheck
