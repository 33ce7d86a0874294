#include "k_parts.h"

#include <algorithm>
#include <numeric>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::model {
namespace {

/// Numbers the combinations of coordinates along the mesh axes that orders depend on.
class Orders {
 public:
  Orders(const Mesh& mesh, const ResolvedPlan& plan)
      : mesh_(mesh), order_over_(plan.product.order_over), born_(born(plan)) {
    for (const int axis : order_over_) {
      strides_.push_back(count_);
      count_ *= mesh.axes[static_cast<std::size_t>(axis)].size;
    }
  }

  std::int64_t count() const { return count_; }

  /// Of a rank, all of its coordinates counted; or those along the axes in `over` alone.
  std::int64_t order_of(std::int64_t rank) const { return order_of(rank, order_over_); }
  std::int64_t order_of(std::int64_t rank, const std::vector<int>& over) const {
    const std::vector<std::int64_t> at = coordinates(mesh_, rank);
    std::int64_t order = 0;
    for (std::size_t n = 0; n < strides_.size(); ++n) {
      const int axis = order_over_[n];
      if (std::find(over.begin(), over.end(), axis) == over.end()) continue;
      order += at[static_cast<std::size_t>(axis)] * strides_[n];
    }
    return order;
  }

  /// By index of the rows or columns of C, what they add to an element's order.
  std::vector<std::int64_t> by_index(IndexList Shard::*list_of, const std::vector<int>& over,
                                     std::int64_t extent) const {
    std::vector<std::int64_t> orders(static_cast<std::size_t>(extent), 0);
    if (count_ == 1) return orders;
    for (std::size_t rank = 0; rank < born_.shards.size(); ++rank) {
      const std::int64_t order = order_of(static_cast<std::int64_t>(rank), over);
      for (const std::int64_t index : born_.shards[rank].*list_of) {
        orders[static_cast<std::size_t>(index)] = order;
      }
    }
    return orders;
  }

 private:
  const Mesh& mesh_;
  const std::vector<int>& order_over_;
  const TensorState& born_;
  std::vector<std::int64_t> strides_;
  std::int64_t count_ = 1;
};

}  // namespace

KParts::KParts(const ProductCase& subject, const ResolvedPlan& plan, const Reduction& reduction)
    : begin{0},
      place_of_k(static_cast<std::size_t>(subject.k)),
      part_of_k(static_cast<std::size_t>(subject.k)) {
  for (std::size_t part = 0; part < reduction.rank_of_part.size(); ++part) {
    for (const std::int64_t k : ks_added(plan, reduction.rank_of_part[part])) {
      place_of_k[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(ks.size());
      part_of_k[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(part);
      ks.push_back(k);
    }
    begin.push_back(static_cast<std::int64_t>(ks.size()));
  }
  SHARDCHECK_REQUIRE(static_cast<std::int64_t>(ks.size()) == subject.k,
                     "the k lists of the local products cover K once");
  const Orders orders(subject.mesh, plan);
  order_count = orders.count();
  row_order = orders.by_index(&Shard::rows, born(plan).rows_over, subject.i);
  column_order = orders.by_index(&Shard::columns, born(plan).columns_over, subject.j);
  places.resize(static_cast<std::size_t>(order_count * subject.k));
  if (order_count == 1) {
    std::iota(places.begin(), places.end(), 0);
    return;
  }
  for (std::size_t rank = 0; rank < reduction.part_of_rank.size(); ++rank) {
    const auto part = static_cast<std::size_t>(reduction.part_of_rank[rank]);
    std::int64_t at = orders.order_of(static_cast<std::int64_t>(rank)) * subject.k + begin[part];
    for (const std::int64_t k : ks_added(plan, static_cast<std::int64_t>(rank))) {
      places[static_cast<std::size_t>(at++)] = place_of_k[static_cast<std::size_t>(k)];
    }
  }
}

}  // namespace shardcheck::model
