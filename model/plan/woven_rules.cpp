#include "woven_rules.h"

#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck::model {
namespace {

bool cuts(const PlanSpace& space, AxisId id, int mesh_axis) {
  return (space.axes.over(id) & axis_bit(mesh_axis)) != 0;
}

std::int64_t size_of(const PlanSpace& space, int mesh_axis) {
  return space.subject.mesh.axes[static_cast<std::size_t>(mesh_axis)].size;
}

std::optional<Refusal> missing_for_gather_local(const PlanSpace& space, const Ownership& state,
                                                const Step& step) {
  const bool is_a = step.tensor == Tensor::a;
  const AxisId k = is_a ? state.a.axes[1] : state.b.axes[0];
  const AxisId outer_of_other = is_a ? state.b.axes[1] : state.a.axes[0];
  if (cuts(space, k, step.mesh_axis) && !cuts(space, outer_of_other, step.mesh_axis)) {
    return Refusal::outer_axis_not_cut;
  }
  return std::nullopt;
}

std::optional<Refusal> missing_for_summa(const PlanSpace& space, const Ownership& state,
                                         const Step& step) {
  if (step.mesh_axis == step.column_axis) return Refusal::one_axis_grid;
  if (space.axes.over(state.a.axes[1]) != axis_bit(step.column_axis) ||
      space.axes.over(state.b.axes[0]) != axis_bit(step.mesh_axis)) {
    return Refusal::k_not_over_grid;
  }
  return std::nullopt;
}

std::optional<Refusal> missing_for_cannon(const PlanSpace& space, const Ownership& state,
                                          const Step& step) {
  if (const auto missing = missing_for_summa(space, state, step)) return missing;
  if (!cuts(space, state.a.axes[0], step.mesh_axis) ||
      !cuts(space, state.b.axes[1], step.column_axis)) {
    return Refusal::outer_axes_not_over_grid;
  }
  if (size_of(space, step.mesh_axis) != size_of(space, step.column_axis)) {
    return Refusal::grid_not_square;
  }
  const std::vector<std::int64_t> along_x = group(space.subject.mesh, 0, step.mesh_axis);
  const std::vector<std::int64_t> along_y = group(space.subject.mesh, 0, step.column_axis);
  for (std::size_t q = 0; q < along_x.size(); ++q) {
    if (space.axes.list(state.a.axes[1], along_y[q]) !=
        space.axes.list(state.b.axes[0], along_x[q])) {
      return Refusal::k_parts_differ;
    }
  }
  return std::nullopt;
}

std::int64_t elements_on(const PlanSpace& space, const TensorOwnership& tensor, std::int64_t rank) {
  return static_cast<std::int64_t>(space.axes.list(tensor.axes[0], rank).size() *
                                   space.axes.list(tensor.axes[1], rank).size());
}

/// How often an element is sent by rank (x, y): Cannon moves each block away once, unless it stands
/// right from the start, and then p − 1 times; row x of A's blocks stays together, so that their
/// sum needs no account of which rank has which block.
std::int64_t shifts(std::int64_t size, std::int64_t coordinate) {
  return size - 1 + (coordinate == 0 ? 0 : 1);
}

}  // namespace

std::optional<Refusal> missing_for(const PlanSpace& space, const Ownership& state,
                                   const Step& step) {
  if (step.kind == Step::Kind::gather_local) return missing_for_gather_local(space, state, step);
  if (step.kind == Step::Kind::summa) return missing_for_summa(space, state, step);
  if (step.kind == Step::Kind::cannon) return missing_for_cannon(space, state, step);
  return std::nullopt;
}

std::string describe_missing(Refusal refusal, const ProductCase& subject, const Step& step) {
  const auto axis_name = [&](int axis) -> std::string {
    return axis < 0 ? "" : subject.mesh.axes[static_cast<std::size_t>(axis)].name;
  };
  const std::string x = axis_name(step.mesh_axis);
  const std::string y = axis_name(step.column_axis);
  if (refusal == Refusal::outer_axis_not_cut) {
    const bool is_a = step.tensor == Tensor::a;
    return fmt::format("{0} cuts k of {1}, and must then cut the {2}", x, is_a ? "A" : "B",
                       is_a ? "columns of B" : "rows of A");
  }
  if (refusal == Refusal::one_axis_grid) return "a grid has two different mesh axes";
  if (refusal == Refusal::k_not_over_grid) {
    return fmt::format("k must be cut over {} alone in A and over {} alone in B", y, x);
  }
  if (refusal == Refusal::outer_axes_not_over_grid) {
    return fmt::format("{} must cut the rows of A, and {} the columns of B", x, y);
  }
  if (refusal == Refusal::grid_not_square) {
    return fmt::format("{} and {} must have the same size", x, y);
  }
  return fmt::format("part q of A's k over {} must be part q of B's k over {}, in the same order",
                     y, x);
}

std::int64_t bytes_of_schedule(const PlanSpace& space, const Ownership& before,
                               const Ownership& after, const Step& step) {
  const std::int64_t in = info(space.subject.dtypes.in).bytes;
  const std::int64_t wire = info(space.subject.dtypes.wire).bytes;
  const std::int64_t members = size_of(space, step.mesh_axis);
  std::int64_t bytes = 0;
  for (std::int64_t rank = 0; rank < rank_count(space.subject.mesh); ++rank) {
    const std::int64_t of_a = elements_on(space, before.a, rank);
    const std::int64_t of_b = elements_on(space, before.b, rank);
    if (step.kind == Step::Kind::gather_local) {
      bytes += (members - 1) * (step.tensor == Tensor::a ? of_a : of_b) * in;
    } else if (step.kind == Step::Kind::local_scatter) {
      bytes += (members - 1) * elements_on(space, after.c, rank) * wire;
    } else if (step.kind == Step::Kind::summa) {
      bytes += ((size_of(space, step.column_axis) - 1) * of_a + (members - 1) * of_b) * in;
    } else if (step.kind == Step::Kind::cannon) {
      const std::vector<std::int64_t> at = coordinates(space.subject.mesh, rank);
      bytes += (shifts(members, at[static_cast<std::size_t>(step.mesh_axis)]) * of_a +
                shifts(members, at[static_cast<std::size_t>(step.column_axis)]) * of_b) *
               in;
    }
  }
  return bytes;
}

}  // namespace shardcheck::model
