#include "entropy.h"

namespace shardcheck {

__extension__ typedef unsigned __int128 Wide;

std::uint64_t SeededEntropy::below(std::uint64_t bound) {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  // The high half of a 128-bit product: no division, and a bias below bound / 2^64.
  return static_cast<std::uint64_t>((static_cast<Wide>(z) * bound) >> 64);
}

}  // namespace shardcheck
