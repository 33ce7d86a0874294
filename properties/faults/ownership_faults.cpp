#include <algorithm>
#include <optional>
#include <utility>

#include <shardcheck/model/case/element.h>

#include "fault_tables.h"

namespace shardcheck {

namespace {

/// The first two ranks that own different elements, equally many.
std::optional<std::pair<std::size_t, std::size_t>> pair_to_swap(const Observation& observation) {
  const auto& owned = observation.owned;
  for (std::size_t first = 0; first < owned.size(); ++first) {
    for (std::size_t second = first + 1; second < owned.size(); ++second) {
      const bool alike = owned[first].size() == owned[second].size();
      if (alike && owned[first] != owned[second]) return std::pair{first, second};
    }
  }
  return std::nullopt;
}

Observation swapped(const Request& request, Backend& inner, bool tells) {
  Observation observation = inner.run(request);
  const auto pair = pair_to_swap(observation);
  if (!pair) return observation;
  const auto [first, second] = *pair;
  const auto width = static_cast<std::size_t>(info(setting(request.subject).dtypes.out).bytes);
  const std::size_t bytes = observation.owned[first].size() * width;
  std::ranges::swap_ranges(request.ranks[first].output.first(bytes),
                           request.ranks[second].output.first(bytes));
  if (tells) std::swap(observation.owned[first], observation.owned[second]);
  return observation;
}

/// The last rank that holds a replica of somebody's element has its last bit wrong.
Observation replica_differs(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  auto& owned = observation.owned;
  for (std::size_t rank = owned.size(); rank-- > 1;) {
    if (owned[rank].empty()) continue;
    const std::int64_t coordinate = owned[rank].front();
    const bool is_replica = std::any_of(
        owned.begin(), owned.begin() + static_cast<std::ptrdiff_t>(rank),
        [&](const auto& others) { return std::ranges::find(others, coordinate) != others.end(); });
    if (!is_replica) continue;
    request.ranks[rank].output.front() ^= std::byte{1};
    break;
  }
  return observation;
}

}  // namespace

std::vector<PlantedFault> ownership_faults() {
  return {
      {"result_shards_swapped", "two ranks return each other's shard, and say so",
       "class M: blocks left in another order", Invariant::ownership,
       planted(
           [](const Request& request, Backend& inner) { return swapped(request, inner, true); })},
      {"result_values_swapped", "two ranks return each other's shard under their own coordinates",
       "class B: another rank's displacement", Invariant::ownership,
       planted(
           [](const Request& request, Backend& inner) { return swapped(request, inner, false); })},
      {"replica_differs", "one replica differs from the others in its last bit",
       "open-mpi/ompi PR#12258: replicas differ", Invariant::ownership, planted(&replica_differs)},
  };
}

}  // namespace shardcheck
