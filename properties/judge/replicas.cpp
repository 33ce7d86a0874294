#include <string>

#include <fmt/format.h>

#include "invariants.h"
#include "number_text.h"

namespace shardcheck {

namespace {

/// The first rank that returned an element, and its bits.
struct First {
  std::int64_t rank = -1;
  Bits bits = 0;
};

void compare_rank(const Evidence& evidence, std::int64_t rank, std::vector<First>& firsts,
                  Judgement& judgement) {
  const auto index = static_cast<std::size_t>(rank);
  const Dtype out = evidence.out();
  const std::vector<std::int64_t>& owned = evidence.run.observation.owned[index];
  for (std::size_t position = 0; position < owned.size(); ++position) {
    First& first = firsts[static_cast<std::size_t>(owned[position])];
    const Bits got = evidence.run.bits[index][position];
    if (first.rank < 0) {
      first = {rank, got};
    } else if (!is_same(out, first.bits, got)) {
      add(judgement,
          {.invariant = Invariant::ownership,
           .kind = "replicas_differ",
           .rank = rank,
           .coordinate = owned[position],
           .allowed = fmt::format("{}, as on rank {}", with_hex(out, first.bits), first.rank),
           .got = with_hex(out, got)});
    }
  }
}

}  // namespace

void judge_replicas(const Evidence& evidence, const std::vector<bool>& owns_rightly,
                    const std::vector<Swap>& swaps, Judgement& judgement) {
  for (const Swap& swap : swaps) {
    add(judgement, {.invariant = Invariant::ownership,
                    .kind = "swapped",
                    .rank = swap.rank,
                    .allowed = "its own shard",
                    .got = fmt::format("the values of rank {}'s shard", swap.whose),
                    .evidence = fmt::format("every element is right for rank {}", swap.whose)});
  }
  if (!evidence.promises.equal_replicas) return;
  std::vector<First> firsts;
  for (const std::vector<std::int64_t>& group : evidence.expectation.replica_groups()) {
    if (group.size() < 2) continue;
    firsts.assign(static_cast<std::size_t>(evidence.expectation.coordinate_limit()), First{});
    for (const std::int64_t rank : group) {
      if (owns_rightly[static_cast<std::size_t>(rank)]) {
        compare_rank(evidence, rank, firsts, judgement);
      }
    }
  }
}

}  // namespace shardcheck
