#include "swaps.h"

#include <algorithm>

#include <shardcheck/model/expectation/allowed.h>

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

/// By rank, those whose shards it may have returned, ascending.
using Givers = std::vector<std::vector<std::size_t>>;

Givers givers_of(const Evidence& evidence, const std::vector<bool>& owns_rightly,
                 const Elements& elements, std::size_t elements_min) {
  Givers givers(owns_rightly.size());
  // A rank that returned its own shard rightly hasn't given it away.
  const auto may_have_part = [&](std::size_t rank) {
    return owns_rightly[rank] && elements.wrong_by_rank[rank] > 0 &&
           evidence.run.observation.owned[rank].size() >= elements_min;
  };
  for (std::size_t rank = 0; rank < givers.size(); ++rank) {
    if (!may_have_part(rank)) continue;
    for (std::size_t other = 0; other < givers.size(); ++other) {
      if (other == rank || !may_have_part(other)) continue;
      if (suits(evidence, rank, other)) givers[rank].push_back(other);
    }
  }
  return givers;
}

/// In a swap, whoever gave a shard away got another one, and the other way round: who did only one
/// of both has no part in it, nor who dealt with those alone.
void keep_those_who_gave_and_got(Givers& givers) {
  for (bool is_changing = true; is_changing;) {
    is_changing = false;
    std::vector<bool> gave(givers.size(), false);
    for (const std::vector<std::size_t>& from : givers) {
      for (const std::size_t giver : from) gave[giver] = true;
    }
    for (std::size_t rank = 0; rank < givers.size(); ++rank) {
      const std::size_t dropped = std::erase_if(
          givers[rank], [&](std::size_t giver) { return !gave[rank] || givers[giver].empty(); });
      is_changing = is_changing || dropped > 0;
    }
  }
}

}  // namespace

std::vector<Swap> find_swaps(const Evidence& evidence, const std::vector<bool>& owns_rightly,
                             const Elements& elements, std::size_t elements_min) {
  Givers givers = givers_of(evidence, owns_rightly, elements, elements_min);
  keep_those_who_gave_and_got(givers);
  std::vector<Swap> swaps;
  for (std::size_t rank = 0; rank < givers.size(); ++rank) {
    if (givers[rank].empty()) continue;
    swaps.push_back(
        {static_cast<std::int64_t>(rank), static_cast<std::int64_t>(givers[rank].front())});
  }
  return swaps;
}

const Swap* swap_of(const std::vector<Swap>& swaps, std::int64_t rank) {
  const auto found = std::ranges::find(swaps, rank, &Swap::rank);
  return found == swaps.end() ? nullptr : &*found;
}

}  // namespace shardcheck
