#pragma once

/// A request's inputs in memory of their own, so that a mistake may change them; also in place.

#include <cstddef>
#include <span>
#include <vector>

#include <shardcheck/model/case/backend.h>

namespace shardcheck {

class CopiedInputs {
 public:
  explicit CopiedInputs(const Request& request);
  CopiedInputs(const CopiedInputs&) = delete;
  CopiedInputs& operator=(const CopiedInputs&) = delete;

  /// Input `number` of a rank: of a product 0 is A and 1 is B, of calls 0 is all there is.
  std::span<std::byte> of(std::size_t rank, std::size_t number = 0);
  /// The copies of two ranks change places.
  void exchange(std::size_t first, std::size_t second);
  /// The request with these inputs and its own outputs; valid as long as this object and the
  /// request's case.
  Request request();

 private:
  const Case& subject_;
  bool trace_;
  std::vector<std::vector<std::vector<std::byte>>> inputs_;     ///< by rank
  std::vector<std::vector<std::span<const std::byte>>> spans_;  ///< by rank
  std::vector<RankMemory> ranks_;
};

}  // namespace shardcheck
