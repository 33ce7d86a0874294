#include "woven_steps.h"

#include <initializer_list>

namespace shardcheck::impl {
namespace {

using Result = tl::expected<PlanState, std::string_view>;

tl::unexpected<std::string_view> refused(std::string_view why) {
  return tl::unexpected<std::string_view>(why);
}

bool cuts(const Situation& situation, ListsId lists, int mesh_axis) {
  return (situation.pool.over(lists) & only(mesh_axis)) != 0;
}

/// The state after all of the steps in turn.
Result after_all(Situation& situation, const PlanState& state,
                 std::initializer_list<CompactStep> steps) {
  Result reached = state;
  for (const CompactStep& step : steps) {
    reached = after(situation, *reached, step);
    if (!reached) break;
  }
  return reached;
}

Result after_gather_local(Situation& situation, const PlanState& state, const CompactStep& step) {
  if (step.tensor == Tensor::c) return refused("A or B is gathered into a product, not C");
  const bool moves_a = step.tensor == Tensor::a;
  const ListsId k = moves_a ? state.a.columns : state.b.rows;
  const ListsId other_outer = moves_a ? state.b.columns : state.a.rows;
  if (cuts(situation, k, step.mesh_axis) && !cuts(situation, other_outer, step.mesh_axis)) {
    return refused("members with the same elements of C would add in different orders");
  }
  return after_all(
      situation, state,
      {{.kind = Step::Kind::gather, .tensor = step.tensor, .mesh_axis = step.mesh_axis}, {}});
}

Result after_summa(Situation& situation, const PlanState& state, const CompactStep& step) {
  const int x = step.mesh_axis;
  const int y = step.column_axis;
  if (x == y) return refused("a grid has two mesh axes");
  if (!state.is_multiplied && (situation.pool.over(state.a.columns) != only(y) ||
                               situation.pool.over(state.b.rows) != only(x))) {
    return refused("k isn't cut over the second mesh axis alone in A, and the first alone in B");
  }
  return after_all(situation, state,
                   {{.kind = Step::Kind::gather, .tensor = Tensor::a, .mesh_axis = y},
                    {.kind = Step::Kind::gather, .tensor = Tensor::b, .mesh_axis = x},
                    {}});
}

Result after_cannon(Situation& situation, const PlanState& state, const CompactStep& step) {
  const int x = step.mesh_axis;
  const int y = step.column_axis;
  Result reached = after_summa(situation, state, step);
  if (!reached) return reached;
  if (!cuts(situation, state.a.rows, x) || !cuts(situation, state.b.columns, y)) {
    return refused("the mesh axes don't cut A's rows and B's columns");
  }
  const auto& sizes = situation.pool.grid().sizes;
  if (sizes[static_cast<std::size_t>(x)] != sizes[static_cast<std::size_t>(y)]) {
    return refused("the grid isn't square");
  }
  // Each is cut over one mesh axis, so that cells are parts.
  const AxisLists& a_parts = situation.pool[state.a.columns];
  const AxisLists& b_parts = situation.pool[state.b.rows];
  if (a_parts.starts != b_parts.starts || a_parts.indices != b_parts.indices) {
    return refused("A's and B's parts of k aren't the same lists");
  }
  return reached;
}

std::int64_t members_along(const Situation& situation, int mesh_axis) {
  return situation.pool.grid().sizes[static_cast<std::size_t>(mesh_axis)];
}

/// Elements of a tensor, summed over the ranks whose coordinate on `mesh_axis` isn't 0, or over all
/// where it is -1.
std::int64_t elements_held(const Situation& situation, const TensorState& tensor,
                           int mesh_axis = -1) {
  const ListsPool& pool = situation.pool;
  std::int64_t elements = 0;
  for (std::int64_t rank = 0; rank < pool.grid().rank_count; ++rank) {
    if (mesh_axis >= 0 && cell_of(pool.grid(), only(mesh_axis), rank) == 0) continue;
    elements += static_cast<std::int64_t>(pool.held(tensor.rows, rank).size() *
                                          pool.held(tensor.columns, rank).size());
  }
  return elements;
}

}  // namespace

Result after_schedule(Situation& situation, const PlanState& state, const CompactStep& step) {
  switch (step.kind) {
    case Step::Kind::gather_local: return after_gather_local(situation, state, step);
    case Step::Kind::local_scatter:
      return after_all(situation, state,
                       {{}, {.kind = Step::Kind::reduce_scatter, .mesh_axis = step.mesh_axis}});
    case Step::Kind::summa: return after_summa(situation, state, step);
    case Step::Kind::cannon: return after_cannon(situation, state, step);
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: break;
  }
  return refused("not a schedule");
}

std::int64_t schedule_bytes_sent(const Situation& situation, const CompactStep& step,
                                 const PlanState& from) {
  const DtypeCombination& dtypes = situation.subject.dtypes;
  const std::int64_t in = info(dtypes.in).bytes;
  const std::int64_t others = members_along(situation, step.mesh_axis) - 1;
  switch (step.kind) {
    case Step::Kind::gather_local:
      return elements_held(situation, tensor_of(from, step.tensor)) * others * in;
    case Step::Kind::local_scatter:
      return elements_held(situation, {from.a.rows, from.b.columns}) / (others + 1) * others *
             info(dtypes.wire).bytes;
    case Step::Kind::summa:
      return (elements_held(situation, from.a) * (members_along(situation, step.column_axis) - 1) +
              elements_held(situation, from.b) * others) *
             in;
    case Step::Kind::cannon:
      return (elements_held(situation, from.a, step.mesh_axis) +
              elements_held(situation, from.b, step.column_axis) +
              (elements_held(situation, from.a) + elements_held(situation, from.b)) * others) *
             in;
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: break;
  }
  return 0;
}

}  // namespace shardcheck::impl
