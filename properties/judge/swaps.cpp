#include "swaps.h"

#include <algorithm>

#include <shardcheck/model/allowed.h>

namespace shardcheck {

namespace {

/// True if all that `rank` returned is allowed at the coordinates of `other`, in its order.
bool suits(const Evidence& evidence, std::size_t rank, std::size_t other) {
  const std::vector<std::int64_t>& own = evidence.run.observation.owned[rank];
  const std::vector<std::int64_t>& others = evidence.run.observation.owned[other];
  if (own.size() != others.size() || own == others) return false;
  const std::vector<Bits>& bits = evidence.run.bits[rank];
  for (std::size_t position = 0; position < others.size(); ++position) {
    const model::Allowed allowed =
        evidence.expectation.allowed(static_cast<std::int64_t>(other), others[position]);
    if (!model::allows(allowed, evidence.out(), bits[position])) return false;
  }
  return true;
}

}  // namespace

std::vector<Swap> find_swaps(const Evidence& evidence, const std::vector<bool>& owns_rightly,
                             const Elements& elements) {
  std::vector<Swap> swaps;
  for (std::size_t rank = 0; rank < owns_rightly.size(); ++rank) {
    if (!owns_rightly[rank] || elements.wrong_by_rank[rank] == 0) continue;
    for (std::size_t other = 0; other < owns_rightly.size(); ++other) {
      // A rank that returned its own shard rightly hasn't given it away.
      if (other == rank || !owns_rightly[other] || elements.wrong_by_rank[other] == 0) continue;
      if (!suits(evidence, rank, other)) continue;
      swaps.push_back({static_cast<std::int64_t>(rank), static_cast<std::int64_t>(other)});
      break;
    }
  }
  // In a swap, whoever gave a shard away got another one.
  const std::vector<Swap> all = swaps;
  std::erase_if(swaps, [&](const Swap& swap) { return swap_of(all, swap.whose) == nullptr; });
  return swaps;
}

const Swap* swap_of(const std::vector<Swap>& swaps, std::int64_t rank) {
  const auto found = std::ranges::find(swaps, rank, &Swap::rank);
  return found == swaps.end() ? nullptr : &*found;
}

}  // namespace shardcheck
