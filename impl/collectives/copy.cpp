#include "copy.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstring>

namespace shardcheck::impl {
namespace {

constexpr std::int64_t line_bytes = 64;

/// Whole cache lines, which is what a processor's buffers for such stores hold.
void stream_lines(const std::byte* source, std::byte* destination, std::int64_t bytes) {
  for (std::int64_t line = 0; line < bytes; line += line_bytes) {
    const auto* from = reinterpret_cast<const __m128i*>(source + line);
    auto* to = reinterpret_cast<__m128i*>(destination + line);
    const __m128i first = _mm_loadu_si128(from);
    const __m128i second = _mm_loadu_si128(from + 1);
    const __m128i third = _mm_loadu_si128(from + 2);
    const __m128i fourth = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, first);
    _mm_stream_si128(to + 1, second);
    _mm_stream_si128(to + 2, third);
    _mm_stream_si128(to + 3, fourth);
  }
  // Streamed stores are in no order with those that say that all is there.
  _mm_sfence();
}

}  // namespace

void copy_bytes(const std::byte* source, std::byte* destination, std::int64_t bytes,
                Stores stores) {
  if (bytes == 0) return;
  if (stores == Stores::streamed) {
    const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(destination) %
                                                     static_cast<std::uintptr_t>(line_bytes));
    const std::int64_t before = std::min(bytes, (line_bytes - past_line) % line_bytes);
    std::memcpy(destination, source, static_cast<std::size_t>(before));
    const std::int64_t lines = (bytes - before) / line_bytes * line_bytes;
    stream_lines(source + before, destination + before, lines);
    source += before + lines;
    destination += before + lines;
    bytes -= before + lines;
  }
  std::memcpy(destination, source, static_cast<std::size_t>(bytes));
}

}  // namespace shardcheck::impl
