#pragma once

/// The few shapes of a random choice that the generator is made of. Each gives its simplest outcome
/// when the entropy says 0, so that an exhausted source leads to a small plain case.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "entropy.h"

namespace shardcheck {

/// A number from low to high, both included. Requires: low <= high.
inline std::int64_t between(Entropy& entropy, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(entropy.below(static_cast<std::uint64_t>(high - low) + 1));
}

/// True in `percent` of 100.
inline bool chance(Entropy& entropy, std::uint64_t percent) {
  return entropy.below(100) >= 100 - percent;
}

/// An index into `weights`, as often as its weight says. Requires: a weight above 0.
inline std::size_t weighted(Entropy& entropy, std::span<const std::uint64_t> weights) {
  std::uint64_t total = 0;
  for (const std::uint64_t weight : weights) total += weight;
  std::uint64_t left = entropy.below(total);
  std::size_t index = 0;
  while (left >= weights[index]) left -= weights[index++];
  return index;
}

inline std::size_t weighted(Entropy& entropy, std::initializer_list<std::uint64_t> weights) {
  return weighted(entropy, std::span<const std::uint64_t>(weights.begin(), weights.size()));
}

/// Requires: not empty.
template <typename Range>
const auto& pick(Entropy& entropy, const Range& range) {
  return range[static_cast<std::size_t>(entropy.below(std::size(range)))];
}

/// Fisher and Yates; entropy that says 0 leaves the order as it is.
template <typename Value>
void shuffle(Entropy& entropy, std::vector<Value>& values) {
  for (std::size_t place = 0; place + 1 < values.size(); ++place) {
    std::swap(values[place], values[place + entropy.below(values.size() - place)]);
  }
}

}  // namespace shardcheck
