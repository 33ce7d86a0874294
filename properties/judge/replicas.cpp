#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "invariants.h"
#include "local_product.h"
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
  const Dtype out = evidence.subject.dtypes.out;
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

/// Ranks that stand at different places on an axis over which C stays partial hold different sums.
std::vector<int> axes_of_replicas(const ProductCase& subject) {
  std::vector<int> axes;
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    const std::vector<int>& partial = subject.c.partial_over;
    if (std::ranges::find(partial, axis) == partial.end()) axes.push_back(axis);
  }
  return axes;
}

bool anything_is_replicated(const Evidence& evidence) {
  std::size_t elements = 0;
  for (const model::Shard& shard : evidence.expectation.owned) {
    elements += shard.rows.size() * shard.columns.size();
  }
  return elements > static_cast<std::size_t>(evidence.subject.i * evidence.subject.j);
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
  if (!evidence.promises.equal_replicas || !anything_is_replicated(evidence)) return;
  const ProductCase& subject = evidence.subject;
  const std::vector<int> axes = axes_of_replicas(subject);
  const auto ranks = static_cast<std::int64_t>(owns_rightly.size());
  std::vector<std::int64_t> heads;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    heads.push_back(first_of_group(subject.mesh, rank, axes));
  }
  std::vector<First> firsts;
  for (std::int64_t head = 0; head < ranks; ++head) {
    if (heads[static_cast<std::size_t>(head)] != head) continue;
    firsts.assign(static_cast<std::size_t>(subject.i * subject.j), First{});
    for (std::int64_t rank = head; rank < ranks; ++rank) {
      const auto index = static_cast<std::size_t>(rank);
      if (heads[index] != head || !owns_rightly[index]) continue;
      compare_rank(evidence, rank, firsts, judgement);
    }
  }
}

}  // namespace shardcheck
