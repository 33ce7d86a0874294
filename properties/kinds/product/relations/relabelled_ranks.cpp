#include <algorithm>

#include "rewriting.h"

namespace shardcheck {

namespace {

/// The longest axis: with two members, a turn and an exchange are the same.
std::optional<int> axis_to_turn(const ProductCase& subject, const Plan& plan) {
  const Mesh& mesh = subject.mesh;
  std::optional<int> longest;
  for (int axis = 0; axis < static_cast<int>(mesh.axes.size()); ++axis) {
    if (size_of(mesh, axis) < 2 || is_bound_to_a_square(subject, plan, axis)) continue;
    if (!longest || size_of(mesh, axis) > size_of(mesh, *longest)) longest = axis;
  }
  return longest;
}

bool gathers_operands(const Plan& plan) {
  return std::ranges::any_of(plan, [](const Step& step) {
    return step.kind == Step::Kind::summa ||
           (step.kind == Step::Kind::gather && step.tensor != Tensor::c);
  });
}

}  // namespace

/// Member m of the longest mesh axis becomes member m + 1, the last one the first. Rings stay
/// rings, so that every pair sends what it sent, except where a rule counts from member 0: the
/// blocks of an all-reduce, a cut by position and a gather by `doubling`, whose totals stay, and
/// `halving`, whose folded members are others. A ring adds a block in the order of its members from
/// the owner on, and `pairwise` against it, which a turn keeps; `direct` and `halving` count from
/// member 0 on, and a gathered k list and SUMMA's panels start with member 0's. What a ring
/// multiplies as it arrives starts with a member's own.
std::optional<Related> with_ranks_relabelled(const ProductCase& subject,
                                             const model::ResolvedPlan& plan) {
  const std::optional<int> axis = axis_to_turn(subject, plan.steps);
  if (!axis) return std::nullopt;
  const std::int64_t size = size_of(subject.mesh, *axis);
  Renumbering turn{*axis, {}, size};
  for (std::int64_t member = 0; member < size; ++member) turn.to.push_back((member + 1) % size);
  Related related = renumbered(subject, plan, turn);
  const bool has_all_reduce = has_step(subject, plan.steps, Step::Kind::all_reduce);
  const bool has_position = has_cut_by_position(subject, plan.steps);
  const Algorithm reduced_by = algorithm_of(subject, Collective::reduce_scatter);
  const bool turns = reduced_by == Algorithm::ring || reduced_by == Algorithm::pairwise;
  related.rounds_alike = turns && !has_all_reduce && !has_position && !gathers_operands(plan.steps);
  if (has_position && has_exchange_of_c(plan.steps)) return related;
  for (std::size_t phase = 0; phase < plan.steps.size(); ++phase) {
    const Step& step = plan.steps[phase];
    if (is_by(subject, step, Step::Kind::reduce_scatter, Algorithm::halving)) continue;
    const bool counts = has_all_reduce || has_position ||
                        is_by(subject, step, Step::Kind::gather, Algorithm::doubling);
    related.bytes[phase] = counts ? Related::Bytes::equal : Related::Bytes::equal_by_pair;
  }
  return related;
}

}  // namespace shardcheck
