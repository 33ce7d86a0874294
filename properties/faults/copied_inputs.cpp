#include "copied_inputs.h"

#include <utility>

namespace shardcheck {

CopiedInputs::CopiedInputs(const Request& request)
    : subject_(request.subject),
      trace_(request.trace),
      ranks_(request.ranks.begin(), request.ranks.end()) {
  for (const RankMemory& rank : request.ranks) {
    auto& copies = inputs_.emplace_back();
    for (const std::span<const std::byte> input : rank.inputs) {
      copies.emplace_back(input.begin(), input.end());
    }
  }
}

std::span<std::byte> CopiedInputs::of(std::size_t rank, std::size_t number) {
  return inputs_[rank][number];
}

void CopiedInputs::exchange(std::size_t first, std::size_t second) {
  std::swap(inputs_[first], inputs_[second]);
}

Request CopiedInputs::request() {
  spans_.clear();
  for (const auto& copies : inputs_) spans_.emplace_back(copies.begin(), copies.end());
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) ranks_[rank].inputs = spans_[rank];
  return {subject_, ranks_, trace_};
}

}  // namespace shardcheck
