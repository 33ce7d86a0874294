#include "woven_steps.h"

#include <algorithm>
#include <iterator>

namespace shardcheck::model {
namespace {

bool contains(const std::vector<int>& axes, int mesh_axis) {
  return std::find(axes.begin(), axes.end(), mesh_axis) != axes.end();
}

/// The k's of A or B that a rank holds.
const IndexList& ks_of(const PlanState& state, Tensor operand, std::int64_t rank) {
  const auto index = static_cast<std::size_t>(rank);
  return operand == Tensor::a ? state.a.shards[index].columns : state.b.shards[index].rows;
}

void append(IndexList& list, const IndexList& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// The parts of T along x as a ring brings them to the rank: its own, its predecessor's, and so on.
IndexList in_order_of_arrival(const Mesh& mesh, const Step& step, const PlanState& before,
                              std::int64_t rank) {
  const std::vector<std::int64_t> members = group(mesh, rank, step.mesh_axis);
  const auto count = static_cast<std::int64_t>(members.size());
  const std::int64_t m = std::find(members.begin(), members.end(), rank) - members.begin();
  IndexList ks;
  for (std::int64_t back = 0; back < count; ++back) {
    const auto from = static_cast<std::size_t>((m - back + count) % count);
    append(ks, ks_of(before, step.tensor, members[from]));
  }
  return ks;
}

/// For each part of A along y, and in it each part of B along x: the k's that are in both.
IndexList panel_by_panel(const Mesh& mesh, const Step& step, const PlanState& before,
                         std::int64_t rank) {
  IndexList ks;
  for (const std::int64_t of_a : group(mesh, rank, step.column_axis)) {
    for (const std::int64_t of_b : group(mesh, rank, step.mesh_axis)) {
      const IndexList& part = ks_of(before, Tensor::a, of_a);
      const IndexList& other = ks_of(before, Tensor::b, of_b);
      std::copy_if(part.begin(), part.end(), std::back_inserter(ks), [&](std::int64_t k) {
        return std::find(other.begin(), other.end(), k) != other.end();
      });
    }
  }
  return ks;
}

/// Parts x + y, x + y + 1, … on the rank with coordinates (x, y).
IndexList in_order_of_shifts(const Mesh& mesh, const Step& step, const PlanState& before,
                             std::int64_t rank) {
  const std::vector<std::int64_t> at = coordinates(mesh, rank);
  const std::int64_t first =
      at[static_cast<std::size_t>(step.mesh_axis)] + at[static_cast<std::size_t>(step.column_axis)];
  const std::vector<std::int64_t> members = group(mesh, rank, step.column_axis);
  IndexList ks;
  for (std::size_t shift = 0; shift < members.size(); ++shift) {
    const std::size_t part = (static_cast<std::size_t>(first) + shift) % members.size();
    append(ks, ks_of(before, Tensor::a, members[part]));
  }
  return ks;
}

}  // namespace

std::vector<Step> stands_for(const Step& step) {
  const auto of = [](Step::Kind kind, Tensor tensor, int mesh_axis) {
    Step part;
    part.kind = kind;
    part.tensor = tensor;
    part.mesh_axis = mesh_axis;
    return part;
  };
  switch (step.kind) {
    case Step::Kind::gather_local:
      return {of(Step::Kind::gather, step.tensor, step.mesh_axis), Step{}};
    case Step::Kind::local_scatter:
      return {Step{}, of(Step::Kind::reduce_scatter, Tensor::c, step.mesh_axis)};
    case Step::Kind::summa:
    case Step::Kind::cannon:
      return {of(Step::Kind::gather, Tensor::a, step.column_axis),
              of(Step::Kind::gather, Tensor::b, step.mesh_axis), Step{}};
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: break;
  }
  return {step};
}

PlannedProduct ordered_product(const Mesh& mesh, const Step& step, const PlanState& before) {
  PlannedProduct product;
  IndexList (*order)(const Mesh&, const Step&, const PlanState&, std::int64_t) = nullptr;
  if (step.kind == Step::Kind::gather_local) {
    const bool is_a = step.tensor == Tensor::a;
    if (!contains(is_a ? before.a.columns_over : before.b.rows_over, step.mesh_axis)) {
      return product;
    }
    order = in_order_of_arrival;
    product.order_over = {step.mesh_axis};
  } else if (step.kind == Step::Kind::summa) {
    order = panel_by_panel;
  } else if (step.kind == Step::Kind::cannon) {
    order = in_order_of_shifts;
    product.order_over = {step.mesh_axis, step.column_axis};
  } else {
    return product;
  }
  for (std::int64_t rank = 0; rank < rank_count(mesh); ++rank) {
    product.order.push_back(order(mesh, step, before, rank));
  }
  return product;
}

}  // namespace shardcheck::model
