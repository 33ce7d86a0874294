#include "owned_coordinates.h"

#include <algorithm>

#include <fmt/format.h>

namespace shardcheck {

std::vector<bool> judge_each_rank(std::size_t ranks, const Observation& observation,
                                  Judgement& judgement,
                                  const std::function<bool(std::size_t rank)>& judge_rank) {
  const std::size_t told = observation.owned.size();
  observe(judgement);
  std::vector<bool> owns_rightly(ranks, false);
  if (told != ranks) {
    add(judgement, {.invariant = Invariant::ownership,
                    .kind = "wrong_rank_count",
                    .allowed = fmt::format("the coordinates of {} ranks", ranks),
                    .got = fmt::format("those of {}", told)});
    return owns_rightly;
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) owns_rightly[rank] = judge_rank(rank);
  return owns_rightly;
}

bool are_coordinates(const std::vector<std::int64_t>& owned, std::size_t rank, std::int64_t limit,
                     Judgement& judgement) {
  std::vector<std::int64_t> sorted = owned;
  std::ranges::sort(sorted);
  Finding finding{.invariant = Invariant::ownership, .rank = static_cast<std::int64_t>(rank)};
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= limit)) {
    finding.kind = "out_of_range";
    finding.allowed = fmt::format("coordinates below {}", limit);
    finding.got = fmt::format("coordinate {}", sorted.front() < 0 ? sorted.front() : sorted.back());
    add(judgement, std::move(finding));
    return false;
  }
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) return true;
  finding.kind = "duplicate";
  finding.coordinate = *twice;
  finding.allowed = "each element once";
  finding.got = "the same element twice";
  add(judgement, std::move(finding));
  return false;
}

}  // namespace shardcheck
