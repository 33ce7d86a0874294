#include "steps.h"

#include <bit>
#include <vector>

#include <shardcheck/impl/plan/woven_steps.h>

namespace shardcheck::impl {
namespace {

using Result = tl::expected<PlanState, std::string_view>;

tl::unexpected<std::string_view> refused(std::string_view why) {
  return tl::unexpected<std::string_view>(why);
}

TensorState lists_of(ListsPool& pool, const ProductCase& subject, Tensor tensor) {
  const auto [rows, columns] = axes_of(tensor);
  const Layout& how = layout(subject, tensor);
  return {pool.intern(cut(pool.grid(), extent(subject, rows), how.rows)),
          pool.intern(cut(pool.grid(), extent(subject, columns), how.columns))};
}

/// Where an operand's two axes and their references stand.
struct OperandAxes {
  ListsId& k;
  ListsId& outer;
  ListsId k_reference;
  ListsId outer_reference;
};

OperandAxes operand_axes(const Situation& situation, PlanState& state, Tensor tensor) {
  if (tensor == Tensor::a) {
    return {state.a.columns, state.a.rows, state.b.rows, situation.consumer.rows};
  }
  return {state.b.rows, state.b.columns, state.a.columns, situation.consumer.columns};
}

bool cuts(const Situation& situation, ListsId lists, int mesh_axis) {
  return (situation.pool.over(lists) & only(mesh_axis)) != 0;
}

Result after_slice(Situation& situation, PlanState state, const CompactStep& step) {
  const int x = step.mesh_axis;
  if (cut_over(situation, tensor_of(state, step.tensor)) & only(x)) {
    return refused("the mesh axis cuts the tensor already");
  }
  if (step.tensor == Tensor::c) {
    if (state.partial_over & only(x)) return refused("C is partial over the mesh axis");
    if (cuts(situation, situation.consumer.rows, x)) {
      state.c.rows = situation.pool.keep(state.c.rows, x, situation.consumer.rows);
    } else if (cuts(situation, situation.consumer.columns, x)) {
      state.c.columns = situation.pool.keep(state.c.columns, x, situation.consumer.columns);
    } else {
      return refused("the consumer doesn't cut C over the mesh axis");
    }
    return state;
  }
  const OperandAxes axes = operand_axes(situation, state, step.tensor);
  if (cuts(situation, axes.k_reference, x)) {
    axes.k = situation.pool.keep(axes.k, x, axes.k_reference);
  } else if (cuts(situation, axes.outer_reference, x)) {
    axes.outer = situation.pool.keep(axes.outer, x, axes.outer_reference);
  } else {
    return refused("neither the other operand nor the consumer says how to cut");
  }
  return state;
}

Result after_gather(Situation& situation, PlanState state, const CompactStep& step) {
  TensorState& tensor = tensor_of(state, step.tensor);
  if (cuts(situation, tensor.rows, step.mesh_axis)) {
    tensor.rows = situation.pool.join(tensor.rows, step.mesh_axis);
  } else if (cuts(situation, tensor.columns, step.mesh_axis)) {
    tensor.columns = situation.pool.join(tensor.columns, step.mesh_axis);
  } else {
    return refused("the mesh axis doesn't cut the tensor");
  }
  return state;
}

Result after_exchange(Situation& situation, PlanState state, const CompactStep& step) {
  if (step.tensor == Tensor::c) {
    if (step.has_brackets) return refused("C is exchanged to the consumer's layout alone");
    if (cut_over(situation, situation.consumer) & state.partial_over) {
      return refused("C is partial over a mesh axis that the consumer cuts");
    }
    state.c = situation.consumer;
    return state;
  }
  const OperandAxes axes = operand_axes(situation, state, step.tensor);
  const ListsPool& pool = situation.pool;
  MeshAxes k_over = pool.over(axes.k_reference);
  MeshAxes outer_over = pool.over(axes.outer) & ~k_over;
  if (step.has_brackets) {
    k_over = step.tensor == Tensor::a ? step.columns_over : step.rows_over;
    outer_over = step.tensor == Tensor::a ? step.rows_over : step.columns_over;
    if (k_over & outer_over) return refused("a mesh axis cuts a tensor once");
  }
  if ((k_over & ~(pool.over(axes.k_reference) | pool.over(axes.k))) != 0 ||
      (outer_over & ~(pool.over(axes.outer_reference) | pool.over(axes.outer))) != 0) {
    return refused("nothing says how to cut over one of the mesh axes");
  }
  axes.k = situation.pool.recut(axes.k, k_over, axes.k_reference);
  axes.outer = situation.pool.recut(axes.outer, outer_over, axes.outer_reference);
  return state;
}

Result after_local(Situation& situation, PlanState state) {
  const ListsPool& pool = situation.pool;
  if (pool.over(state.a.columns) != pool.over(state.b.rows) ||
      !pool.are_same_sets(state.a.columns, state.b.rows)) {
    return refused("A and B don't hold the same k on every rank");
  }
  if (pool.over(state.a.rows) & pool.over(state.b.columns)) {
    return refused("a mesh axis cuts both A's rows and B's columns");
  }
  state.c = {state.a.rows, state.b.columns};
  state.partial_over = pool.over(state.a.columns);
  state.is_multiplied = true;
  return state;
}

Result after_reduction(Situation& situation, PlanState state, const CompactStep& step) {
  const int x = step.mesh_axis;
  if (!(state.partial_over & only(x))) return refused("C isn't partial over the mesh axis");
  state.partial_over &= ~only(x);
  if (step.kind == Step::Kind::all_reduce) return state;
  if (cuts(situation, situation.consumer.rows, x)) {
    state.c.rows = situation.pool.keep(state.c.rows, x, situation.consumer.rows);
  } else if (cuts(situation, situation.consumer.columns, x)) {
    state.c.columns = situation.pool.keep(state.c.columns, x, situation.consumer.columns);
  } else {
    state.c.rows = situation.pool.keep_balanced(state.c.rows, x);
  }
  return state;
}

/// Elements of a tensor on all ranks together, replicas counted.
std::int64_t elements_held(const Situation& situation, const TensorState& tensor) {
  const ListsPool& pool = situation.pool;
  const std::int64_t cells = cell_count(pool.grid(), cut_over(situation, tensor));
  return pool.extent(tensor.rows) * pool.extent(tensor.columns) * (pool.grid().rank_count / cells);
}

/// By the number of a cell over both sets of mesh axes: how many indices of one tensor axis the
/// ranks in that cell hold both before and after.
std::vector<std::int64_t> kept_counts(const ListsPool& pool, ListsId from, ListsId to,
                                      MeshAxes over) {
  const Grid& grid = pool.grid();
  const std::int64_t cells = cell_count(grid, over);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(cells), 0);
  const MeshAxes shared = pool.over(from) & pool.over(to);
  for (std::size_t index = 0; index < pool.cells(from).size(); ++index) {
    const std::int64_t before = pool.cells(from)[index];
    const std::int64_t now = pool.cells(to)[index];
    std::int64_t cell = 0;
    bool stays = true;
    for (int axis = 0; axis < grid.axis_count; ++axis) {
      if (!(over & only(axis))) continue;
      const bool in_from = (pool.over(from) & only(axis)) != 0;
      const std::int64_t at = coordinate_of(grid, in_from ? pool.over(from) : pool.over(to), axis,
                                            in_from ? before : now);
      if (shared & only(axis)) stays &= at == coordinate_of(grid, pool.over(to), axis, now);
      cell = cell * grid.sizes[static_cast<std::size_t>(axis)] + at;
    }
    if (stays) ++counts[static_cast<std::size_t>(cell)];
  }
  return counts;
}

/// Elements that a rank must own afterwards and doesn't hold before, over all ranks.
std::int64_t elements_moved(const Situation& situation, const TensorState& from,
                            const TensorState& to) {
  const ListsPool& pool = situation.pool;
  const Grid& grid = pool.grid();
  const MeshAxes rows_over = pool.over(from.rows) | pool.over(to.rows);
  const MeshAxes columns_over = pool.over(from.columns) | pool.over(to.columns);
  const auto rows = kept_counts(pool, from.rows, to.rows, rows_over);
  const auto columns = kept_counts(pool, from.columns, to.columns, columns_over);
  std::int64_t kept = 0;
  for (std::int64_t rank = 0; rank < grid.rank_count; ++rank) {
    kept += rows[static_cast<std::size_t>(cell_of(grid, rows_over, rank))] *
            columns[static_cast<std::size_t>(cell_of(grid, columns_over, rank))];
  }
  return elements_held(situation, to) - kept;
}

/// Elements that a reduce-scatter by halving finishes for members that are folded into their
/// neighbours and then sends to them: those of the members 0, 2, 4, … below 2·(P - p2).
std::int64_t elements_handed_back(const Situation& situation, int mesh_axis,
                                  const TensorState& after) {
  if (algorithm_of(situation.subject, Collective::reduce_scatter) != Algorithm::halving) return 0;
  const ListsPool& pool = situation.pool;
  const Grid& grid = pool.grid();
  const auto axis = static_cast<std::size_t>(mesh_axis);
  const auto members = static_cast<std::uint64_t>(grid.sizes[axis]);
  const auto folded_in = static_cast<std::int64_t>(members - std::bit_floor(members));
  std::int64_t elements = 0;
  for (std::int64_t rank = 0; folded_in > 0 && rank < grid.rank_count; ++rank) {
    const std::int64_t member = rank / grid.strides[axis] % grid.sizes[axis];
    if (member % 2 == 1 || member >= 2 * folded_in) continue;
    elements += static_cast<std::int64_t>(pool.held(after.rows, rank).size() *
                                          pool.held(after.columns, rank).size());
  }
  return elements;
}

/// Bytes that a group sends for each element of a sum. All but doubling reduce each block to one
/// member, and that sends it on.
std::int64_t all_reduce_bytes(Algorithm algorithm, std::int64_t members, std::int64_t wire,
                              std::int64_t finished) {
  if (algorithm != Algorithm::doubling) return (members - 1) * (wire + finished);
  const auto folded =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(members)));
  const auto steps =
      static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(members))) - 1;
  const std::int64_t folded_in = members - folded;
  return (folded * steps + folded_in) * wire + folded_in * finished;
}

std::vector<int> axes_in(MeshAxes set) {
  std::vector<int> axes;
  for (; set != 0; set &= set - 1) axes.push_back(std::countr_zero(set));
  return axes;
}

}  // namespace

CompactStep compact(const Step& step) {
  return {step.kind,
          step.tensor,
          step.mesh_axis,
          step.has_brackets,
          mesh_axes(step.rows_over),
          mesh_axes(step.columns_over),
          step.column_axis};
}

Step expanded(const CompactStep& step) {
  Step full;
  full.kind = step.kind;
  full.tensor = step.tensor;
  full.mesh_axis = step.mesh_axis;
  full.has_brackets = step.has_brackets;
  full.rows_over = axes_in(step.rows_over);
  full.columns_over = axes_in(step.columns_over);
  full.column_axis = step.column_axis;
  return full;
}

Situation::Situation(const ProductCase& asked) : subject(asked), pool(make_grid(asked.mesh)) {
  start.a = lists_of(pool, subject, Tensor::a);
  start.b = lists_of(pool, subject, Tensor::b);
  consumer = lists_of(pool, subject, Tensor::c);
  consumer_partial = mesh_axes(subject.c.partial_over);
}

bool is_goal(const Situation& situation, const PlanState& state) {
  return state.is_multiplied && state.partial_over == situation.consumer_partial &&
         situation.pool.are_same_sets(state.c.rows, situation.consumer.rows) &&
         situation.pool.are_same_sets(state.c.columns, situation.consumer.columns);
}

Result after(Situation& situation, const PlanState& state, const CompactStep& step) {
  const bool needs_product = !multiplies(step.kind) && step.tensor == Tensor::c;
  if (needs_product && !state.is_multiplied) return refused("C doesn't exist yet");
  if (!needs_product && state.is_multiplied) {
    return refused("A and B are multiplied once, and don't move afterwards");
  }
  switch (step.kind) {
    case Step::Kind::slice: return after_slice(situation, state, step);
    case Step::Kind::gather: return after_gather(situation, state, step);
    case Step::Kind::exchange: return after_exchange(situation, state, step);
    case Step::Kind::local: return after_local(situation, state);
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce:
      if (step.tensor != Tensor::c) return refused("only C is reduced");
      return after_reduction(situation, state, step);
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon: return after_schedule(situation, state, step);
  }
  return refused("no such step");
}

std::int64_t bytes_sent(const Situation& situation, const CompactStep& step, const PlanState& from,
                        const PlanState& to) {
  const DtypeCombination& dtypes = situation.subject.dtypes;
  const std::int64_t wire = info(dtypes.wire).bytes;
  const auto width = [&](const PlanState& state) -> std::int64_t {
    if (step.tensor != Tensor::c) return info(dtypes.in).bytes;
    return is_finished(situation, state) ? info(dtypes.out).bytes : wire;
  };
  const TensorState& held = tensor_of(from, step.tensor);
  const std::int64_t members =
      step.mesh_axis < 0 ? 1
                         : situation.pool.grid().sizes[static_cast<std::size_t>(step.mesh_axis)];
  switch (step.kind) {
    case Step::Kind::slice:
    case Step::Kind::local: return 0;
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon: return schedule_bytes_sent(situation, step, from);
    case Step::Kind::gather: return elements_held(situation, held) * (members - 1) * width(from);
    case Step::Kind::exchange:
      return elements_moved(situation, held, tensor_of(to, step.tensor)) * width(from);
    case Step::Kind::reduce_scatter:
      return elements_held(situation, held) / members * (members - 1) * wire +
             elements_handed_back(situation, step.mesh_axis, to.c) * width(to);
    case Step::Kind::all_reduce:
      return elements_held(situation, held) / members *
             all_reduce_bytes(algorithm_of(situation.subject, Collective::all_reduce), members,
                              wire, width(to));
  }
  return 0;
}

}  // namespace shardcheck::impl
