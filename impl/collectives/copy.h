#pragma once

/// Copies of elements, past the caches where the copy wouldn't stay in them anyway.

#include <cstddef>
#include <cstdint>

namespace shardcheck::impl {

enum class Stores : std::uint8_t {
  cached,   ///< somebody reads the copy soon
  streamed  ///< straight to memory: what lies there needn't be fetched first
};

/// From these bytes on an array has no place in a core's own caches beside what else is at work.
inline constexpr std::int64_t streamed_from_bytes = std::int64_t{2} << 20;

inline Stores stores_of(std::int64_t bytes) {
  return bytes < streamed_from_bytes ? Stores::cached : Stores::streamed;
}

/// The two don't overlap. When it returns the copy is there for every thread that learns of it.
void copy_bytes(const std::byte* source, std::byte* destination, std::int64_t bytes, Stores stores);

}  // namespace shardcheck::impl
