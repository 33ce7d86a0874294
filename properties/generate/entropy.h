#pragma once

/// Where the generator's choices come from: a seed, a fuzzer's bytes, or every choice in turn.

#include <cstdint>

namespace shardcheck {

class Entropy {
 public:
  virtual ~Entropy() = default;

  /// A number in [0, bound). Requires: bound >= 1. Smaller numbers mean simpler choices.
  virtual std::uint64_t below(std::uint64_t bound) = 0;
};

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014); the same numbers on every machine.
class SeededEntropy final : public Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound) override;

 private:
  std::uint64_t state_;
};

}  // namespace shardcheck
