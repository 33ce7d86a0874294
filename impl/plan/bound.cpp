#include "bound.h"

#include <algorithm>
#include <limits>

namespace shardcheck::impl {
namespace {

/// The subset of `of` that follows `subset` in the order of their bits; after the last one, 0.
MeshAxes next_subset(MeshAxes subset, MeshAxes of) { return (subset - of) & of; }

}  // namespace

PlanBound::PlanBound(const Situation& situation)
    : situation_(situation),
      consumer_cuts_(cut_over(situation, situation.consumer)),
      a_elements_(situation.subject.i * situation.subject.k),
      b_elements_(situation.subject.k * situation.subject.j),
      c_elements_(situation.subject.i * situation.subject.j) {}

std::int64_t PlanBound::for_product(MeshAxes cutting, MeshAxes partial_over) const {
  const std::int64_t ranks = situation_.pool.grid().rank_count;
  const std::int64_t wire = info(situation_.subject.dtypes.wire).bytes;
  const std::int64_t out = info(situation_.subject.dtypes.out).bytes;
  const std::int64_t held = ranks / ranks_over(cutting) * c_elements_;
  const std::int64_t wanted = ranks / ranks_over(consumer_cuts_) * c_elements_;
  const MeshAxes sliceable = consumer_cuts_ & ~cutting & ~partial_over;
  const std::int64_t summed_over = ranks_over(partial_over & ~situation_.consumer_partial);
  const std::int64_t least_held = held / ranks_over(sliceable);
  return wire * (least_held - least_held / summed_over) +
         std::min(wire, out) * std::max<std::int64_t>(0, wanted - held / summed_over);
}

std::int64_t PlanBound::for_operands(const PlanState& state) const {
  const ListsPool& pool = situation_.pool;
  const std::int64_t ranks = pool.grid().rank_count;
  const std::int64_t in = info(situation_.subject.dtypes.in).bytes;
  const std::int64_t a_held = ranks / ranks_over(cut_over(situation_, state.a)) * a_elements_;
  const std::int64_t b_held = ranks / ranks_over(cut_over(situation_, state.b)) * b_elements_;
  const auto missing = [&](std::int64_t elements, MeshAxes cutting, std::int64_t held) {
    return in * std::max<std::int64_t>(0, ranks / ranks_over(cutting) * elements - held);
  };
  // A mesh axis that cuts an axis of no tensor now, and of no reference, never will.
  const MeshAxes rows_may = pool.over(state.a.rows) | pool.over(situation_.consumer.rows);
  const MeshAxes columns_may = pool.over(state.b.columns) | pool.over(situation_.consumer.columns);
  const MeshAxes k_may = pool.over(state.a.columns) | pool.over(state.b.rows);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  MeshAxes k = 0;
  do {
    const MeshAxes rows_left = rows_may & ~k;
    MeshAxes rows = 0;
    do {
      const std::int64_t for_a = missing(a_elements_, rows | k, a_held);
      const MeshAxes columns_left = columns_may & ~k & ~rows;
      MeshAxes columns = 0;
      do {
        least = std::min(least, for_a + missing(b_elements_, columns | k, b_held) +
                                    for_product(rows | columns, k));
        columns = next_subset(columns, columns_left);
      } while (columns != 0);
      rows = next_subset(rows, rows_left);
    } while (rows != 0);
    k = next_subset(k, k_may);
  } while (k != 0);
  return least;
}

std::int64_t PlanBound::bytes_left(const PlanState& state) {
  const ListsPool& pool = situation_.pool;
  if (state.is_multiplied) return for_product(cut_over(situation_, state.c), state.partial_over);
  const std::uint64_t key = std::uint64_t{pool.over(state.a.rows)} << 24 |
                            std::uint64_t{pool.over(state.a.columns)} << 16 |
                            std::uint64_t{pool.over(state.b.rows)} << 8 |
                            std::uint64_t{pool.over(state.b.columns)};
  const auto [known, is_new] = known_.try_emplace(key, 0);
  if (is_new) known->second = for_operands(state);
  return known->second;
}

}  // namespace shardcheck::impl
