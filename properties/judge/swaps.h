#pragma once

/// Whose shard did a rank return, if it is right for another rank and wrong for this one?

#include <cstddef>
#include <cstdint>
#include <vector>

#include "elements.h"
#include "judgement.h"

namespace shardcheck {

struct Swap {
  std::int64_t rank = 0;
  std::int64_t whose = 0;  ///< the rank whose shard it returned
};

/// Ascending by rank. Only shards of `elements_min` elements or more count that ranks return for
/// one another: a single one that happens to suit another rank is no swap.
std::vector<Swap> find_swaps(const Evidence& evidence, const std::vector<bool>& owns_rightly,
                             const Elements& elements, std::size_t elements_min);

/// The swap of this rank, or nothing.
const Swap* swap_of(const std::vector<Swap>& swaps, std::int64_t rank);

}  // namespace shardcheck
