#include "k_order.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck {
namespace {

class KOrder {
 public:
  KOrder(const Mesh& mesh, const Step& step, const model::PlanState& before, std::int64_t rank)
      : mesh_(mesh), step_(step), before_(before), rank_(rank) {}

  std::vector<std::int64_t> list() const {
    switch (step_.kind) {
      case Step::Kind::gather_local: return as_a_ring_brings_it();
      case Step::Kind::summa: return panel_by_panel();
      case Step::Kind::cannon: return shifted();
      case Step::Kind::local:
      case Step::Kind::local_scatter:
      case Step::Kind::slice:
      case Step::Kind::gather:
      case Step::Kind::exchange:
      case Step::Kind::reduce_scatter:
      case Step::Kind::all_reduce: break;
    }
    return k_of(before_.a, Tensor::a, rank_);
  }

 private:
  using List = std::vector<std::int64_t>;

  static const List& k_of(const model::TensorState& state, Tensor tensor, std::int64_t rank) {
    const model::Shard& shard = state.shards[static_cast<std::size_t>(rank)];
    return tensor == Tensor::a ? shard.columns : shard.rows;
  }

  /// The k lists of the rank's group along the mesh axis, by member.
  std::vector<List> parts(const model::TensorState& state, Tensor tensor, int axis) const {
    std::vector<List> lists;
    for (const std::int64_t member : model::group(mesh_, rank_, axis)) {
      lists.push_back(k_of(state, tensor, member));
    }
    return lists;
  }

  std::size_t place(int axis) const {
    return static_cast<std::size_t>(
        model::coordinates(mesh_, rank_)[static_cast<std::size_t>(axis)]);
  }

  List as_a_ring_brings_it() const {
    const model::TensorState& moved = step_.tensor == Tensor::a ? before_.a : before_.b;
    const std::vector<int>& k_over =
        step_.tensor == Tensor::a ? moved.columns_over : moved.rows_over;
    if (std::ranges::find(k_over, step_.mesh_axis) == k_over.end()) {
      return k_of(before_.a, Tensor::a, rank_);
    }
    const std::vector<List> lists = parts(moved, step_.tensor, step_.mesh_axis);
    List order;
    for (std::size_t turn = 0; turn < lists.size(); ++turn) {
      const List& next = lists[(place(step_.mesh_axis) + lists.size() - turn) % lists.size()];
      order.insert(order.end(), next.begin(), next.end());
    }
    return order;
  }

  List panel_by_panel() const {
    List order;
    for (const List& of_a : parts(before_.a, Tensor::a, step_.column_axis)) {
      for (const List& of_b : parts(before_.b, Tensor::b, step_.mesh_axis)) {
        std::ranges::copy_if(of_a, std::back_inserter(order), [&](std::int64_t k) {
          return std::ranges::find(of_b, k) != of_b.end();
        });
      }
    }
    return order;
  }

  List shifted() const {
    const std::vector<List> lists = parts(before_.a, Tensor::a, step_.column_axis);
    List order;
    for (std::size_t turn = 0; turn < lists.size(); ++turn) {
      const std::size_t part = place(step_.mesh_axis) + place(step_.column_axis) + turn;
      const List& next = lists[part % lists.size()];
      order.insert(order.end(), next.begin(), next.end());
    }
    return order;
  }

  const Mesh& mesh_;
  const Step& step_;
  const model::PlanState& before_;
  std::int64_t rank_;
};

}  // namespace

std::vector<std::int64_t> k_order(const Mesh& mesh, const Step& step,
                                  const model::PlanState& before, std::int64_t rank) {
  return KOrder(mesh, step, before, rank).list();
}

}  // namespace shardcheck
