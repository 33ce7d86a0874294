#include "steps.h"

#include <bit>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>

#include <shardcheck/model/calls/folded_ranks.h>
#include "woven_rules.h"
#include "woven_steps.h"

namespace shardcheck::model {

namespace {

using Taken = tl::expected<Ownership, Refusal>;

Taken refused(Refusal refusal) { return tl::unexpected<Refusal>(refusal); }

TensorOwnership& tensor_of(Ownership& state, Tensor tensor) {
  switch (tensor) {
    case Tensor::a: return state.a;
    case Tensor::b: return state.b;
    case Tensor::c: return state.c;
  }
  return state.c;
}

const TensorOwnership& tensor_of(const Ownership& state, Tensor tensor) {
  switch (tensor) {
    case Tensor::a: return state.a;
    case Tensor::b: return state.b;
    case Tensor::c: return state.c;
  }
  return state.c;
}

MeshAxes over(const PlanSpace& space, AxisId id) { return space.axes.over(id); }

bool cuts(const PlanSpace& space, AxisId id, int mesh_axis) {
  return (over(space, id) & axis_bit(mesh_axis)) != 0;
}

/// Which of its two axes is k. Requires: A or B.
std::size_t k_side(Tensor operand) { return operand == Tensor::a ? 1 : 0; }
std::size_t outer_side(Tensor operand) { return 1 - k_side(operand); }

AxisId k_of_other(const Ownership& state, Tensor operand) {
  return operand == Tensor::a ? state.b.axes[k_side(Tensor::b)] : state.a.axes[k_side(Tensor::a)];
}

/// The consumer's cut of an operand's outer axis: rows of C for A, columns for B.
AxisId consumers_outer(const PlanSpace& space, Tensor operand) {
  return space.consumer.axes[operand == Tensor::a ? 0 : 1];
}

Taken take_gather(PlanSpace& space, Ownership state, const Step& step) {
  for (AxisId& axis : tensor_of(state, step.tensor).axes) {
    if (!cuts(space, axis, step.mesh_axis)) continue;
    axis = space.axes.joined(axis, step.mesh_axis);
    return state;
  }
  return refused(Refusal::not_cut);
}

Taken slice_side(PlanSpace& space, Ownership state, const Step& step, std::size_t side,
                 AxisId reference) {
  AxisId& axis = tensor_of(state, step.tensor).axes[side];
  axis = space.axes.kept(axis, step.mesh_axis, reference);
  return state;
}

Taken take_slice(PlanSpace& space, const Ownership& state, const Step& step) {
  const TensorOwnership& tensor = tensor_of(state, step.tensor);
  const int x = step.mesh_axis;
  if (cuts(space, tensor.axes[0], x) || cuts(space, tensor.axes[1], x)) {
    return refused(Refusal::cut_already);
  }
  if ((tensor.partial_over & axis_bit(x)) != 0) return refused(Refusal::is_partial);
  if (step.tensor == Tensor::c) {
    for (std::size_t side = 0; side < 2; ++side) {
      const AxisId wanted = space.consumer.axes[side];
      if (cuts(space, wanted, x)) return slice_side(space, state, step, side, wanted);
    }
    return refused(Refusal::no_axis_to_slice);
  }
  const AxisId other = k_of_other(state, step.tensor);
  if (cuts(space, other, x)) return slice_side(space, state, step, k_side(step.tensor), other);
  const AxisId wanted = consumers_outer(space, step.tensor);
  if (cuts(space, wanted, x)) {
    return slice_side(space, state, step, outer_side(step.tensor), wanted);
  }
  return refused(Refusal::no_axis_to_slice);
}

MeshAxes axes_in(const std::vector<int>& list) {
  MeshAxes result = 0;
  for (const int axis : list) result |= axis_bit(axis);
  return result;
}

Taken take_exchange_of_c(PlanSpace& space, Ownership state, const Step& step) {
  const MeshAxes rows = over(space, space.consumer.axes[0]);
  const MeshAxes columns = over(space, space.consumer.axes[1]);
  if (step.has_brackets &&
      (axes_in(step.rows_over) != rows || axes_in(step.columns_over) != columns)) {
    return refused(Refusal::exchange_of_c);
  }
  if ((state.c.partial_over & (rows | columns)) != 0) return refused(Refusal::partial_where_cut);
  state.c.axes = space.consumer.axes;
  return state;
}

Taken take_exchange(PlanSpace& space, Ownership state, const Step& step) {
  if (step.tensor == Tensor::c) return take_exchange_of_c(space, state, step);
  const std::size_t k = k_side(step.tensor);
  const std::size_t outer = outer_side(step.tensor);
  const AxisId other = k_of_other(state, step.tensor);
  TensorOwnership& tensor = tensor_of(state, step.tensor);
  std::array<MeshAxes, 2> after{axes_in(step.rows_over), axes_in(step.columns_over)};
  if (!step.has_brackets) {
    after[k] = over(space, other);
    after[outer] = over(space, tensor.axes[outer]) & ~after[k];
  }
  if ((after[0] & after[1]) != 0) return refused(Refusal::cuts_both_axes);
  const AxisId wanted = consumers_outer(space, step.tensor);
  tensor.axes[k] = space.axes.exchanged(tensor.axes[k], after[k], other);
  tensor.axes[outer] = space.axes.exchanged(tensor.axes[outer], after[outer], wanted);
  if (tensor.axes[0] == no_axis || tensor.axes[1] == no_axis) {
    return refused(Refusal::no_reference);
  }
  return state;
}

Taken take_local(PlanSpace& space, Ownership state) {
  const auto [rows, a_k] = state.a.axes;
  const auto [b_k, columns] = state.b.axes;
  if (over(space, a_k) != over(space, b_k)) return refused(Refusal::k_cut_differently);
  if (!space.axes.same_sets(a_k, b_k)) return refused(Refusal::k_sets_differ);
  if ((over(space, rows) & over(space, columns)) != 0) return refused(Refusal::outer_axes_share);
  state.c = {{rows, columns}, over(space, a_k)};
  return state;
}

Taken take_reduction(PlanSpace& space, Ownership state, const Step& step) {
  const int x = step.mesh_axis;
  if ((state.c.partial_over & axis_bit(x)) == 0) return refused(Refusal::not_partial);
  state.c.partial_over &= ~axis_bit(x);
  if (step.kind == Step::Kind::all_reduce) return state;
  for (std::size_t side = 0; side < 2; ++side) {
    const AxisId wanted = space.consumer.axes[side];
    if (cuts(space, wanted, x)) return slice_side(space, state, step, side, wanted);
  }
  state.c.axes[0] = space.axes.kept_balanced(state.c.axes[0], x);
  return state;
}

/// One after the other, what a schedule stands for. A state after `local` lacks something for each.
Taken take_schedule(PlanSpace& space, Ownership state, const Step& step) {
  if (!is_multiplied(state)) {
    if (const auto missing = missing_for(space, state, step)) return refused(*missing);
  }
  for (const Step& part : stands_for(step)) {
    const Taken next = take(space, state, part);
    if (!next) return next;
    state = *next;
  }
  return state;
}

std::int64_t elements_of_all_ranks(PlanSpace& space, const TensorOwnership& tensor) {
  std::int64_t total = 0;
  for (std::int64_t rank = 0; rank < rank_count(space.subject.mesh); ++rank) {
    total += static_cast<std::int64_t>(space.axes.list(tensor.axes[0], rank).size() *
                                       space.axes.list(tensor.axes[1], rank).size());
  }
  return total;
}

/// Elements held by those ranks whose coordinate on a mesh axis is folded into the next one.
std::int64_t elements_of_folded_in(PlanSpace& space, const TensorOwnership& tensor, int mesh_axis) {
  const FoldedRanks ranks(space.subject.mesh.axes[static_cast<std::size_t>(mesh_axis)].size);
  std::int64_t total = 0;
  for (std::int64_t rank = 0; rank < rank_count(space.subject.mesh); ++rank) {
    const std::int64_t member =
        coordinates(space.subject.mesh, rank)[static_cast<std::size_t>(mesh_axis)];
    if (!ranks.is_folded_in(member)) continue;
    total += static_cast<std::int64_t>(space.axes.list(tensor.axes[0], rank).size() *
                                       space.axes.list(tensor.axes[1], rank).size());
  }
  return total;
}

/// Elements that ranks hold after an exchange and didn't hold before, over all ranks.
std::int64_t elements_moved(PlanSpace& space, const TensorOwnership& before,
                            const TensorOwnership& after) {
  std::int64_t both = 0;
  const std::vector<std::int64_t> rows = space.axes.overlaps(before.axes[0], after.axes[0]);
  const std::vector<std::int64_t>& columns = space.axes.overlaps(before.axes[1], after.axes[1]);
  for (std::size_t rank = 0; rank < rows.size(); ++rank) both += rows[rank] * columns[rank];
  return elements_of_all_ranks(space, after) - both;
}

TensorOwnership laid_out(AxisStore& axes, const ProductCase& subject, Tensor tensor) {
  const Layout& layout_of = layout(subject, tensor);
  const std::array<Axis, 2> sides = axes_of(tensor);
  return {{axes.of_cut(layout_of.rows, extent(subject, sides[0])),
           axes.of_cut(layout_of.columns, extent(subject, sides[1]))},
          axes_in(layout_of.partial_over)};
}

}  // namespace

PlanSpace::PlanSpace(const ProductCase& asked)
    : subject(asked),
      axes(asked.mesh),
      start{laid_out(axes, asked, Tensor::a), laid_out(axes, asked, Tensor::b), {}},
      consumer(laid_out(axes, asked, Tensor::c)) {}

tl::expected<Ownership, Refusal> take(PlanSpace& space, const Ownership& state, const Step& step) {
  if (is_woven(step.kind)) return take_schedule(space, state, step);
  const bool acts_on_c = step.tensor == Tensor::c && step.kind != Step::Kind::local;
  if (acts_on_c && !is_multiplied(state)) return refused(Refusal::before_local);
  if (!acts_on_c && is_multiplied(state)) return refused(Refusal::after_local);
  switch (step.kind) {
    case Step::Kind::slice: return take_slice(space, state, step);
    case Step::Kind::gather: return take_gather(space, state, step);
    case Step::Kind::exchange: return take_exchange(space, state, step);
    case Step::Kind::local: return take_local(space, state);
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: return take_reduction(space, state, step);
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon: break;
  }
  return refused(Refusal::before_local);
}

bool is_what_the_consumer_wants(PlanSpace& space, const Ownership& state) {
  return is_multiplied(state) && state.c.partial_over == space.consumer.partial_over &&
         space.axes.same_sets(state.c.axes[0], space.consumer.axes[0]) &&
         space.axes.same_sets(state.c.axes[1], space.consumer.axes[1]);
}

std::int64_t width_of_c(const ProductCase& subject, MeshAxes partial_over,
                        MeshAxes wanted_partial) {
  const bool is_finished = (partial_over & ~wanted_partial) == 0;
  return info(is_finished ? subject.dtypes.out : subject.dtypes.wire).bytes;
}

std::int64_t bytes_of(PlanSpace& space, const Ownership& before, const Ownership& after,
                      const Step& step) {
  if (is_woven(step.kind)) return bytes_of_schedule(space, before, after, step);
  const TensorOwnership& from = tensor_of(before, step.tensor);
  const TensorOwnership& to = tensor_of(after, step.tensor);
  const std::int64_t wire = info(space.subject.dtypes.wire).bytes;
  const std::int64_t replicated_c =
      width_of_c(space.subject, after.c.partial_over, space.consumer.partial_over);
  const std::int64_t width =
      step.tensor == Tensor::c ? replicated_c : info(space.subject.dtypes.in).bytes;
  const std::int64_t members =
      step.mesh_axis < 0 ? 1
                         : space.subject.mesh.axes[static_cast<std::size_t>(step.mesh_axis)].size;
  // With S elements in all blocks of a group, a reduce-scatter and an all-gather each send
  // (P − 1)·S, whatever the algorithm, but for halving, which hands blocks of folded members back,
  // and an all_reduce by doubling, which sends everything L times. S summed over the groups is what
  // all ranks hold of the blocks.
  switch (step.kind) {
    case Step::Kind::slice:
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon:
    case Step::Kind::local: return 0;
    case Step::Kind::exchange: return elements_moved(space, from, to) * width;
    case Step::Kind::gather: return (members - 1) * elements_of_all_ranks(space, from) * width;
    case Step::Kind::reduce_scatter: {
      const std::int64_t bytes = (members - 1) * elements_of_all_ranks(space, to) * wire;
      if (algorithm_of(space.subject, Collective::reduce_scatter) != Algorithm::halving) {
        return bytes;
      }
      return bytes + elements_of_folded_in(space, to, step.mesh_axis) * width;
    }
    case Step::Kind::all_reduce: {
      const std::int64_t held = elements_of_all_ranks(space, to) / members;
      if (algorithm_of(space.subject, Collective::all_reduce) != Algorithm::doubling) {
        return (members - 1) * held * (wire + width);
      }
      const FoldedRanks ranks(members);
      const auto levels =
          static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(ranks.count))) - 1;
      return held * ((ranks.count * levels + ranks.pairs) * wire + ranks.pairs * width);
    }
  }
  return 0;
}

std::string describe(Refusal refusal, const ProductCase& subject, const Step& step) {
  const std::string_view tensor = name(step.tensor);
  const std::string x = step.mesh_axis < 0
                            ? std::string()
                            : subject.mesh.axes[static_cast<std::size_t>(step.mesh_axis)].name;
  switch (refusal) {
    case Refusal::before_local: return "there is no C before local";
    case Refusal::after_local:
      return step.kind == Step::Kind::local ? "local may be taken once"
                                            : fmt::format("{} may move only before local", tensor);
    case Refusal::not_cut: return fmt::format("{} is not cut over {}", tensor, x);
    case Refusal::cut_already: return fmt::format("{} is cut over {} already", tensor, x);
    case Refusal::is_partial: return fmt::format("{} is partial over {}", tensor, x);
    case Refusal::not_partial: return fmt::format("{} is not partial over {}", tensor, x);
    case Refusal::no_axis_to_slice:
      return step.tensor == Tensor::c
                 ? fmt::format("the consumer doesn't cut C over {}", x)
                 : fmt::format("neither the other operand's k nor the consumer is cut over {}", x);
    case Refusal::no_reference:
      return fmt::format("nothing says how {} is to be cut over an axis in the brackets", tensor);
    case Refusal::cuts_both_axes: return "a mesh axis may cut a tensor once";
    case Refusal::exchange_of_c: return "C may be exchanged to the consumer's layout alone";
    case Refusal::partial_where_cut: return "C is partial over an axis that the consumer cuts";
    case Refusal::k_cut_differently: return "k of A and k of B are cut over different mesh axes";
    case Refusal::k_sets_differ: return "a rank holds other k of A than of B";
    case Refusal::outer_axes_share: return "one mesh axis cuts the rows of A and the columns of B";
    case Refusal::outer_axis_not_cut:
    case Refusal::one_axis_grid:
    case Refusal::k_not_over_grid:
    case Refusal::outer_axes_not_over_grid:
    case Refusal::grid_not_square:
    case Refusal::k_parts_differ: return describe_missing(refusal, subject, step);
  }
  return {};
}

}  // namespace shardcheck::model
