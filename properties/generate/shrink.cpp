#include "shrink.h"

#include <shardcheck/model/plan_rules.h>

#include "measure.h"
#include "reductions.h"

namespace shardcheck {
namespace {

/// The candidates again with the plan that `auto` now means: a case may fail by its plan alone, and
/// with other sizes `auto` would mean another.
std::vector<Case> with_plan_pinned(const Case& subject, const std::vector<Case>& candidates) {
  if (subject.plan) return {};
  const auto resolved = model::resolve(subject);
  if (!resolved) return {};
  std::vector<Case> pinned;
  for (const Case& candidate : candidates) {
    if (candidate.mesh.axes.size() != subject.mesh.axes.size()) continue;
    pinned.push_back(candidate);
    pinned.back().plan = resolved->steps;
  }
  return pinned;
}

/// Every candidate that is smaller; whether it has a legal plan is not asked yet, because a search
/// that succeeds early need not know.
std::vector<Case> candidates_of(const Case& subject) {
  std::vector<Case> candidates;
  reduce_mesh(subject, candidates);
  reduce_sizes(subject, candidates);
  reduce_layouts(subject, candidates);
  std::vector<Case> timid = with_plan_pinned(subject, candidates);
  reduce_choices(subject, candidates);
  reduce_data(subject, candidates);
  reduce_sizes_and_values(subject, timid);
  candidates.insert(candidates.end(), timid.begin(), timid.end());
  const Measure own = measure(subject);
  std::erase_if(candidates,
                [&](const Case& candidate) { return !is_smaller(measure(candidate), own); });
  return candidates;
}

bool is_legal(const Case& subject) { return model::resolve(subject).has_value(); }

}  // namespace

std::vector<Case> smaller(const Case& subject) {
  std::vector<Case> candidates = candidates_of(subject);
  std::erase_if(candidates, [](const Case& candidate) { return !is_legal(candidate); });
  return candidates;
}

Minimised minimise(const Case& subject, const std::function<bool(const Case&)>& still_fails,
                   std::int64_t candidates_max, const std::function<void(const Case&)>& progress) {
  return descend<Case>(subject, candidates_of, is_legal, still_fails, candidates_max, progress);
}

}  // namespace shardcheck
