#include <algorithm>

#include "rewriting.h"

namespace shardcheck {

namespace {

/// An axis of size 1 cuts nothing: a plan that needn't mind it there wouldn't do over two.
/// Different sizes try different axes.
std::optional<int> axis_to_lengthen(const ProductCase& subject, const Plan& plan) {
  std::vector<int> candidates;
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    if (is_bound_to_a_square(subject, plan, axis)) continue;
    if (size_of(subject.mesh, axis) > 1) candidates.push_back(axis);
  }
  if (candidates.empty()) return std::nullopt;
  const auto sum = static_cast<std::size_t>(subject.i + subject.j + subject.k);
  return candidates[sum % candidates.size()];
}

}  // namespace

/// One more member at the end of one mesh axis. Of what the axis cuts it holds nothing; of the rest
/// it holds replicas, and gets some: no phase sends less. It takes its place in every sum, with +0
/// to add, and the blocks of an all-reduce become smaller, so that bits are compared only where no
/// order matters. A member that makes a power of two of them spares `halving` and `doubling` what
/// they send back to folded members, perhaps in a wider dtype.
std::optional<Related> with_ranks_appended(const ProductCase& subject,
                                           const model::ResolvedPlan& plan) {
  const std::optional<int> axis = axis_to_lengthen(subject, plan.steps);
  if (!axis) return std::nullopt;
  Renumbering appending{*axis, {}, size_of(subject.mesh, *axis) + 1};
  for (std::int64_t member = 0; member < size_of(subject.mesh, *axis); ++member) {
    appending.to.push_back(member);
  }
  Related related = renumbered(subject, plan, appending);
  const bool is_moved_otherwise =
      has_cut_by_position(subject, plan.steps) && has_exchange_of_c(plan.steps);
  if (is_moved_otherwise) return related;
  for (std::size_t phase = 0; phase < plan.steps.size(); ++phase) {
    const Step& step = plan.steps[phase];
    const bool hands_back = is_by(subject, step, Step::Kind::reduce_scatter, Algorithm::halving) ||
                            is_by(subject, step, Step::Kind::all_reduce, Algorithm::doubling);
    if (!hands_back) related.bytes[phase] = Related::Bytes::no_less;
  }
  return related;
}

}  // namespace shardcheck
