#pragma once

/// Buffers of all ranks with guards of canary bytes on both sides of each, and a copy of those that
/// are inputs, so that what a backend must not do can be seen afterwards.
///
///     GuardedMemory memory;
///     memory.lay_out(bytes, {.buffers = 3, .inputs = 2});
///     ... memory.buffer(rank, 0) is filled ...
///     memory.keep_inputs();
///     ... a backend runs ...
///     memory.damaged_guard(rank)     // the first overwritten byte, or nothing

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace shardcheck {

/// One thread. The memory is kept from case to case.
class GuardedMemory {
 public:
  /// The buffers of one rank: the inputs come first.
  struct Shape {
    std::size_t buffers = 1;
    std::size_t inputs = 0;
  };

  /// `bytes`: of each buffer, by rank, then by number. What lies in them is undefined; the guards
  /// are whole. Every buffer starts at a multiple of 64 bytes.
  void lay_out(std::span<const std::size_t> bytes, Shape shape);

  std::size_t rank_count() const { return places_.size() / shape_.buffers; }
  std::span<std::byte> buffer(std::size_t rank, std::size_t number);
  std::span<const std::byte> buffer(std::size_t rank, std::size_t number) const;

  /// Copies the inputs as they are now.
  void keep_inputs();

  /// The first byte of an input that is no longer as it was kept.
  std::optional<std::size_t> first_changed_byte(std::size_t rank, std::size_t number) const;

  /// Signed distance in bytes from the buffer whose guard was overwritten: −1 is the byte before
  /// it, 0 the first byte after its end.
  struct GuardDamage {
    std::size_t buffer = 0;
    std::int64_t distance = 0;
  };
  std::optional<GuardDamage> damaged_guard(std::size_t rank) const;

 private:
  /// Where a buffer lies in memory_. The guards are what lies between the buffers.
  struct Place {
    std::size_t guard = 0;  ///< where the guard before it begins
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t copy = 0;  ///< in kept_, of an input
  };

  void reserve(std::size_t bytes);
  void write_guards();
  std::size_t first_overwritten(std::size_t begin, std::size_t end) const;
  const Place& place(std::size_t rank, std::size_t number) const {
    return places_[rank * shape_.buffers + number];
  }
  /// Where the guard after a rank's last buffer ends.
  static std::size_t end_of_rank(const Place& last);

  Shape shape_;
  std::unique_ptr<std::byte[]> memory_;
  std::size_t capacity_ = 0;
  std::size_t base_ = 0;  ///< offset of the first aligned byte
  std::vector<std::byte> kept_;
  std::vector<Place> places_;
};

}  // namespace shardcheck
