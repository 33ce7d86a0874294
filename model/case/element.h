#pragma once

/// One element as raw bits, and the bytes of a buffer as elements.
///
/// Bits are right-aligned in 64 bits, upper bits zero. No meaning is given to them here.

#include <cstdint>
#include <cstring>
#include <span>

#include "dtype.h"

namespace shardcheck {

using Bits = std::uint64_t;

/// Element number `index` of a buffer of `dtype` elements in the machine's byte order.
/// Requires: (index + 1) * width <= buffer.size().
inline Bits load(std::span<const std::byte> buffer, Dtype dtype, std::int64_t index) {
  const auto width = static_cast<std::size_t>(info(dtype).bytes);
  Bits bits = 0;
  std::memcpy(&bits, buffer.data() + static_cast<std::size_t>(index) * width, width);
  return bits;
}

/// Requires: (index + 1) * width <= buffer.size().
inline void store(std::span<std::byte> buffer, Dtype dtype, std::int64_t index, Bits bits) {
  const auto width = static_cast<std::size_t>(info(dtype).bytes);
  std::memcpy(buffer.data() + static_cast<std::size_t>(index) * width, &bits, width);
}

}  // namespace shardcheck
