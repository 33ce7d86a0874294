#include "shrink.h"

#include <shardcheck/model/plan_rules.h>

#include "measure.h"
#include "reductions.h"

namespace shardcheck {
namespace {

/// Every candidate that is smaller; whether it has a legal plan is not asked yet, because a search
/// that succeeds early need not know.
std::vector<Case> candidates_of(const Case& subject) {
  std::vector<Case> candidates;
  reduce_mesh(subject, candidates);
  reduce_sizes(subject, candidates);
  reduce_layouts(subject, candidates);
  reduce_choices(subject, candidates);
  reduce_data(subject, candidates);
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
  Minimised result{subject, 0, false};
  bool is_improved = true;
  while (is_improved) {
    is_improved = false;
    for (Case& candidate : candidates_of(result.subject)) {
      if (!is_legal(candidate)) continue;
      if (result.candidates_tried == candidates_max) {
        result.budget_spent = true;
        return result;
      }
      ++result.candidates_tried;
      if (!still_fails(candidate)) continue;
      result.subject = std::move(candidate);
      if (progress) progress(result.subject);
      is_improved = true;
      break;
    }
  }
  return result;
}

}  // namespace shardcheck
