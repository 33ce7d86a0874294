#include "shrink.h"

#include <shardcheck/model/plan_rules.h>

#include "measure.h"
#include "reductions.h"

namespace shardcheck {
namespace {

/// The candidates again with the plan that `auto` now means: a case may fail by its plan alone, and
/// with other sizes `auto` would mean another.
std::vector<ProductCase> with_plan_pinned(const ProductCase& subject, const std::vector<ProductCase>& candidates) {
  if (subject.plan) return {};
  const auto resolved = model::resolve(subject);
  if (!resolved) return {};
  std::vector<ProductCase> pinned;
  for (const ProductCase& candidate : candidates) {
    if (candidate.mesh.axes.size() != subject.mesh.axes.size()) continue;
    pinned.push_back(candidate);
    pinned.back().plan = resolved->steps;
  }
  return pinned;
}

/// Every candidate that is smaller; whether it has a legal plan is not asked yet, because a search
/// that succeeds early need not know.
std::vector<ProductCase> candidates_of(const ProductCase& subject) {
  std::vector<ProductCase> candidates;
  reduce_mesh(subject, candidates);
  reduce_sizes(subject, candidates);
  reduce_layouts(subject, candidates);
  std::vector<ProductCase> timid = with_plan_pinned(subject, candidates);
  reduce_choices(subject, candidates);
  reduce_data(subject, candidates);
  reduce_sizes_and_values(subject, timid);
  candidates.insert(candidates.end(), timid.begin(), timid.end());
  const Measure own = measure(subject);
  std::erase_if(candidates,
                [&](const ProductCase& candidate) { return !is_smaller(measure(candidate), own); });
  return candidates;
}

bool is_legal(const ProductCase& subject) { return model::resolve(subject).has_value(); }

}  // namespace

std::vector<ProductCase> smaller(const ProductCase& subject) {
  std::vector<ProductCase> candidates = candidates_of(subject);
  std::erase_if(candidates, [](const ProductCase& candidate) { return !is_legal(candidate); });
  return candidates;
}

Minimised minimise(const ProductCase& subject, const std::function<bool(const ProductCase&)>& still_fails,
                   std::int64_t candidates_max, const std::function<void(const ProductCase&)>& progress) {
  return descend<ProductCase>(subject, candidates_of, is_legal, still_fails, candidates_max, progress);
}

}  // namespace shardcheck
