#include <algorithm>

#include "rewriting.h"

namespace shardcheck {

namespace {

/// A mesh axis whose neighbours may be joined: partials that stay apart are no one's to add.
/// Different sizes try different axes.
std::optional<int> axis_to_join(const ProductCase& subject, const Plan& plan) {
  std::vector<int> candidates;
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    const std::vector<int>& partial = subject.c.partial_over;
    if (std::ranges::find(partial, axis) != partial.end()) continue;
    if (is_bound_to_a_square(subject, plan, axis)) continue;
    if (size_of(subject.mesh, axis) > 1) candidates.push_back(axis);
  }
  if (candidates.empty()) return std::nullopt;
  const auto sum = static_cast<std::size_t>(subject.i + subject.j + subject.k);
  return candidates[sum % candidates.size()];
}

}  // namespace

/// Members 2m and 2m + 1 of one mesh axis become member m, which holds what both held. What they
/// sent each other stays inside, and what both needed is sent once: no phase sends more. The sum
/// has another tree, so that bits are compared only where no order matters. A cut by position comes
/// out otherwise; what an exchange then moves isn't related. Nor is what `halving` hands back to
/// folded members, perhaps in a wider dtype: they are others.
std::optional<Related> with_ranks_joined(const ProductCase& subject,
                                         const model::ResolvedPlan& plan) {
  const std::optional<int> axis = axis_to_join(subject, plan.steps);
  if (!axis) return std::nullopt;
  Renumbering joining{*axis, {}, (size_of(subject.mesh, *axis) + 1) / 2};
  for (std::int64_t member = 0; member < size_of(subject.mesh, *axis); ++member) {
    joining.to.push_back(member / 2);
  }
  Related related = renumbered(subject, plan, joining);
  const bool is_moved_otherwise =
      has_cut_by_position(subject, plan.steps) && has_exchange_of_c(plan.steps);
  if (is_moved_otherwise) return related;
  for (std::size_t phase = 0; phase < plan.steps.size(); ++phase) {
    const bool hands_back =
        is_by(subject, plan.steps[phase], Step::Kind::reduce_scatter, Algorithm::halving);
    if (!hands_back) related.bytes[phase] = Related::Bytes::no_more;
  }
  return related;
}

}  // namespace shardcheck
