#pragma once

/// An input's bytes as numbers, for targets whose input isn't text: every input means something,
/// and one more word at the end changes nothing before it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace shardcheck::fuzz {

class Words {
 public:
  explicit Words(std::string_view bytes) : left_(bytes) {}

  bool is_empty() const { return left_.empty(); }

  /// The next `width` bytes, little-endian; what is missing at the end is 0. Requires: width <= 8.
  std::uint64_t next(std::size_t width) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(width, left_.size());
    std::memcpy(&word, left_.data(), count);
    left_.remove_prefix(count);
    return word;
  }

  /// A number below `bound`, from one byte. Requires: 1 <= bound <= 256.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next(1)) % bound; }

 private:
  std::string_view left_;
};

}  // namespace shardcheck::fuzz
