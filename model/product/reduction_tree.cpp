#include "reduction_tree.h"

#include <algorithm>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::model {
namespace {

/// How far apart two ranks are that differ by 1 along a mesh axis.
std::int64_t stride_of(const Mesh& mesh, int mesh_axis) {
  std::int64_t stride = 1;
  for (auto axis = static_cast<std::size_t>(mesh_axis) + 1; axis < mesh.axes.size(); ++axis) {
    stride *= mesh.axes[axis].size;
  }
  return stride;
}

std::int64_t member_count(const Mesh& mesh, int mesh_axis) {
  return mesh.axes[static_cast<std::size_t>(mesh_axis)].size;
}

std::int64_t coordinate(const Mesh& mesh, std::int64_t rank, int mesh_axis) {
  return rank / stride_of(mesh, mesh_axis) % member_count(mesh, mesh_axis);
}

bool contains(const std::vector<int>& axes, int mesh_axis) {
  return std::find(axes.begin(), axes.end(), mesh_axis) != axes.end();
}

/// One index of an outer axis of C: the first rank that holds it, its coordinates being 0 along
/// every mesh axis that doesn't cut this axis; its position there and the length of that list.
struct Holder {
  std::int64_t rank = -1;
  std::int64_t position = 0;
  std::int64_t count = 0;
};

/// By index. `list_of`: &Shard::rows or &Shard::columns.
std::vector<Holder> holders(const TensorState& c, IndexList Shard::*list_of, std::int64_t extent) {
  std::vector<Holder> result(static_cast<std::size_t>(extent));
  for (std::size_t rank = 0; rank < c.shards.size(); ++rank) {
    const IndexList& list = c.shards[rank].*list_of;
    for (std::size_t position = 0; position < list.size(); ++position) {
      Holder& holder = result[static_cast<std::size_t>(list[position])];
      if (holder.rank < 0) {
        holder = {static_cast<std::int64_t>(rank), static_cast<std::int64_t>(position),
                  static_cast<std::int64_t>(list.size())};
      }
    }
  }
  for (const Holder& holder : result) {
    SHARDCHECK_REQUIRE(holder.rank >= 0, "every index of C is held by some rank");
  }
  return result;
}

/// reduce_scatter: a block is what a member keeps.
BlockRule block_kept(const ProductCase& subject, const TensorState& after, int mesh_axis) {
  BlockRule rule;
  rule.row.assign(static_cast<std::size_t>(subject.i), 0);
  rule.column.assign(static_cast<std::size_t>(subject.j), 0);
  const bool cuts_rows = contains(after.rows_over, mesh_axis);
  const auto list_of = cuts_rows ? &Shard::rows : &Shard::columns;
  const auto found = holders(after, list_of, cuts_rows ? subject.i : subject.j);
  std::vector<std::int64_t>& blocks = cuts_rows ? rule.row : rule.column;
  for (std::size_t index = 0; index < found.size(); ++index) {
    blocks[index] = coordinate(subject.mesh, found[index].rank, mesh_axis);
  }
  return rule;
}

/// all_reduce: the elements held, row-major, are cut `balanced`.
BlockRule block_by_position(const ProductCase& subject, const TensorState& held) {
  BlockRule rule;
  rule.is_by_position = true;
  for (const Holder& holder : holders(held, &Shard::rows, subject.i)) {
    rule.row.push_back(holder.position);
    rule.row_count.push_back(holder.count);
  }
  for (const Holder& holder : holders(held, &Shard::columns, subject.j)) {
    rule.column.push_back(holder.position);
    rule.column_count.push_back(holder.count);
  }
  return rule;
}

/// By how much the holder of each index moves along mesh axes that cut C both before and after: 0
/// for all indices of an element that stays.
std::vector<std::int64_t> moves(const Mesh& mesh, const std::vector<Holder>& before,
                                const std::vector<Holder>& after, const std::vector<int>& both) {
  std::vector<std::int64_t> result(before.size(), 0);
  for (std::size_t index = 0; index < before.size(); ++index) {
    for (const int axis : both) {
      result[index] +=
          (coordinate(mesh, after[index].rank, axis) - coordinate(mesh, before[index].rank, axis)) *
          stride_of(mesh, axis);
    }
  }
  return result;
}

/// An exchange of partials: an element travels if a rank ends up with it that didn't hold it. That
/// is so for all if C is replicated anew over an axis that cut it; else for those whose owner's
/// coordinates change. The two sums of coordinate × stride are numbers in a mixed radix, equal only
/// if all their digits are.
ReductionStep rounded_in_exchange(const ProductCase& subject, const TensorState& before,
                                  const TensorState& after) {
  ReductionStep step{.kind = ReductionStep::Kind::to_wire, .is_selective = true};
  std::vector<int> both;
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    const bool cut_before = contains(before.rows_over, axis) || contains(before.columns_over, axis);
    const bool cut_after = contains(after.rows_over, axis) || contains(after.columns_over, axis);
    if (cut_before && cut_after) both.push_back(axis);
    if (cut_before && !cut_after && member_count(subject.mesh, axis) > 1) step.is_selective = false;
  }
  step.row_move = moves(subject.mesh, holders(before, &Shard::rows, subject.i),
                        holders(after, &Shard::rows, subject.i), both);
  step.column_move = moves(subject.mesh, holders(before, &Shard::columns, subject.j),
                           holders(after, &Shard::columns, subject.j), both);
  return step;
}

/// The parts of k, or the results: one for each combination of coordinates along `axes`.
std::vector<std::int64_t> combination_of_rank(const Mesh& mesh, const std::vector<int>& axes) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(rank_count(mesh)), 0);
  for (std::size_t rank = 0; rank < result.size(); ++rank) {
    for (const int axis : axes) {
      result[rank] = result[rank] * member_count(mesh, axis) +
                     coordinate(mesh, static_cast<std::int64_t>(rank), axis);
    }
  }
  return result;
}

std::int64_t combination_count(const Mesh& mesh, const std::vector<int>& axes) {
  std::int64_t count = 1;
  for (const int axis : axes) count *= member_count(mesh, axis);
  return count;
}

/// Follows a plan from the local product on, keeping count of what a value can pass through.
struct Walk {
  const ProductCase& subject;
  Reduction& reduction;
  std::int64_t partial_count = 1;  ///< partials of an element that are left

  void fold(int mesh_axis, Collective collective, Algorithm algorithm, const TensorState& before,
            const TensorState& after) {
    const std::int64_t members = member_count(subject.mesh, mesh_axis);
    ReductionStep entry;
    entry.member_count = members;
    for (const int axis : before.partial_over) {
      if (axis > mesh_axis) entry.inner_count *= member_count(subject.mesh, axis);
    }
    const bool scatters = collective == Collective::reduce_scatter;
    entry.collective = collective;
    entry.algorithm = algorithm;
    entry.block =
        scatters ? block_kept(subject, after, mesh_axis) : block_by_position(subject, before);
    partial_count /= members;
    reduction.steps.push_back(entry);
    if (members == 1) return;
    reduction.uses_wire = true;
    reduction.additions_deep += members - 1;
    reduction.wire_roundings_deep += members - 1;
    reduction.wire_roundings += 2 * (members - 1) * partial_count;
    if (scatters && entry.algorithm == Algorithm::halving && is_pending(after)) {
      to_wire({.kind = ReductionStep::Kind::to_wire,
               .member_count = members,
               .block = std::move(entry.block),
               .is_handed_back = true});
    }
  }

  void to_wire(ReductionStep step) {
    reduction.steps.push_back(std::move(step));
    reduction.uses_wire = true;
    reduction.wire_roundings_deep += 1;
    reduction.wire_roundings += partial_count;
  }

  bool is_pending(const TensorState& c) const {
    return c.partial_over.size() > subject.c.partial_over.size();
  }

  void step(const Step& taken, const TensorState& before, const TensorState& after) {
    const ReductionStep everything{.kind = ReductionStep::Kind::to_wire};
    switch (taken.kind) {
      case Step::Kind::reduce_scatter:
        fold(taken.mesh_axis, Collective::reduce_scatter,
             algorithm_of(subject, Collective::reduce_scatter), before, after);
        break;
      case Step::Kind::local_scatter:
        fold(taken.mesh_axis, Collective::reduce_scatter, Algorithm::ring, before, after);
        break;
      case Step::Kind::all_reduce:
        fold(taken.mesh_axis, Collective::all_reduce, algorithm_of(subject, Collective::all_reduce),
             before, after);
        if (is_pending(after) && member_count(subject.mesh, taken.mesh_axis) > 1) {
          to_wire(everything);
        }
        break;
      case Step::Kind::gather:
        if (is_pending(after) && member_count(subject.mesh, taken.mesh_axis) > 1) {
          to_wire(everything);
        }
        break;
      case Step::Kind::exchange:
        if (is_pending(after)) to_wire(rounded_in_exchange(subject, before, after));
        break;
      case Step::Kind::slice:
      case Step::Kind::gather_local:
      case Step::Kind::summa:
      case Step::Kind::cannon:
      case Step::Kind::local: break;
    }
  }
};

bool holds(const Shard& shard, std::int64_t i, std::int64_t j) {
  return std::find(shard.rows.begin(), shard.rows.end(), i) != shard.rows.end() &&
         std::find(shard.columns.begin(), shard.columns.end(), j) != shard.columns.end();
}

/// The rank with (i, j) before a step that moved it to `rank`: along mesh axes that didn't cut C,
/// the coordinates are the same.
std::int64_t source(const ProductCase& subject, const TensorState& before, std::int64_t rank,
                    std::int64_t i, std::int64_t j) {
  if (holds(before.shards[static_cast<std::size_t>(rank)], i, j)) return rank;
  for (std::int64_t other = 0; other < rank_count(subject.mesh); ++other) {
    if (!holds(before.shards[static_cast<std::size_t>(other)], i, j)) continue;
    bool is_source = true;
    for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
      const bool cuts = contains(before.rows_over, axis) || contains(before.columns_over, axis);
      if (!cuts && coordinate(subject.mesh, other, axis) != coordinate(subject.mesh, rank, axis)) {
        is_source = false;
      }
    }
    if (is_source) return other;
  }
  SHARDCHECK_REQUIRE(false, "an element that a rank must own is held by somebody");
  return rank;
}

/// Of `block_count` blocks, the one that element (i, j) is in.
std::int64_t block_of(const BlockRule& rule, std::int64_t block_count, std::int64_t i,
                      std::int64_t j) {
  const auto row = static_cast<std::size_t>(i);
  const auto column = static_cast<std::size_t>(j);
  if (!rule.is_by_position) return rule.row[row] + rule.column[column];
  return balanced_part(rule.row[row] * rule.column_count[column] + rule.column[column],
                       rule.row_count[row] * rule.column_count[column], block_count);
}

}  // namespace

Reduction reduction(const ProductCase& subject, const ResolvedPlan& plan) {
  const std::vector<int>& part_axes = born(plan).partial_over;
  const std::vector<int>& result_axes = plan.states.back().c->partial_over;
  Reduction result;
  result.part_count = combination_count(subject.mesh, part_axes);
  result.part_of_rank = combination_of_rank(subject.mesh, part_axes);
  result.rank_of_part.assign(static_cast<std::size_t>(result.part_count), -1);
  for (std::size_t rank = 0; rank < result.part_of_rank.size(); ++rank) {
    std::int64_t& first = result.rank_of_part[static_cast<std::size_t>(result.part_of_rank[rank])];
    if (first < 0) first = static_cast<std::int64_t>(rank);
  }
  result.result_count = combination_count(subject.mesh, result_axes);
  result.result_of_rank = combination_of_rank(subject.mesh, result_axes);
  if (subject.i == 0 || subject.j == 0) return result;
  Walk walk{subject, result, result.part_count};
  const std::size_t product = plan.product.step;
  walk.step(plan.steps[product], born(plan), *plan.states[product + 1].c);
  for (std::size_t s = product + 1; s < plan.steps.size(); ++s) {
    walk.step(plan.steps[s], *plan.states[s].c, *plan.states[s + 1].c);
  }
  return result;
}

ReductionTree tree_of(const ReductionStep& step, std::int64_t i, std::int64_t j) {
  const std::int64_t blocks = step.collective == Collective::all_reduce
                                  ? all_reduce_blocks(step.algorithm, step.member_count)
                                  : step.member_count;
  return reduction_tree(step.collective, step.algorithm, step.member_count,
                        block_of(step.block, blocks, i, j));
}

bool travels(const ReductionStep& step, std::int64_t i, std::int64_t j) {
  if (step.is_handed_back) {
    return FoldedRanks(step.member_count)
        .is_folded_in(block_of(step.block, step.member_count, i, j));
  }
  return !step.is_selective || step.row_move[static_cast<std::size_t>(i)] +
                                       step.column_move[static_cast<std::size_t>(j)] !=
                                   0;
}

bool is_sum_rounded_to_wire(const Reduction& reduction, std::int64_t i, std::int64_t j) {
  for (auto step = reduction.steps.rbegin(); step != reduction.steps.rend(); ++step) {
    switch (step->kind) {
      case ReductionStep::Kind::fold:
        if (step->member_count > 1) return false;
        break;
      case ReductionStep::Kind::to_wire:
        if (travels(*step, i, j)) return true;
        break;
    }
  }
  return false;
}

bool contributes(const ProductCase& subject, const ResolvedPlan& plan, std::int64_t contributor,
                 std::int64_t rank, std::int64_t i, std::int64_t j) {
  const std::size_t product = plan.product.step;
  // Back through the plan: `origin` is the rank that had what `rank` has now. A reducing step joins
  // ranks that differ along its mesh axis alone.
  std::int64_t origin = rank;
  std::vector<int> reduced;
  if (plan.steps[product].kind == Step::Kind::local_scatter) {
    reduced.push_back(plan.steps[product].mesh_axis);
  }
  for (std::size_t s = plan.steps.size(); s-- > product + 1;) {
    const Step& step = plan.steps[s];
    if (step.kind == Step::Kind::gather || step.kind == Step::Kind::exchange) {
      origin = source(subject, *plan.states[s].c, origin, i, j);
    } else if (step.kind != Step::Kind::slice) {
      reduced.push_back(step.mesh_axis);
    }
  }
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    if (contains(reduced, axis)) continue;
    if (coordinate(subject.mesh, contributor, axis) != coordinate(subject.mesh, origin, axis)) {
      return false;
    }
  }
  return true;
}

}  // namespace shardcheck::model
