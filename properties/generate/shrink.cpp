#include "shrink.h"

#include <utility>

#include "drawing.h"
#include "measure.h"
#include "reduce_setting.h"

namespace shardcheck {
namespace {

std::vector<Case> rough_candidates(const Drawing& row, const Case& subject) {
  std::vector<Case> candidates;
  row.reduce_sizes(subject, candidates);
  reduce_names(subject, candidates);
  std::vector<Case> timid;
  if (row.reduce_timidly != nullptr) row.reduce_timidly(subject, candidates, timid);
  reduce_dtypes(subject, candidates);
  row.reduce_choices(subject, candidates);
  reduce_promise_and_run(subject, candidates);
  reduce_data(subject, candidates);
  for (Case& candidate : timid) candidates.push_back(std::move(candidate));
  return candidates;
}

/// Every candidate that is smaller; whether it is legal is not asked yet, because a search that
/// succeeds early need not know.
std::vector<Case> candidates_of(const Case& subject) {
  const Drawing& row = drawing_of(kind_of(subject));
  const Measure own = measure(subject);
  std::vector<Case> candidates;
  for (Case& candidate : rough_candidates(row, subject)) {
    if (row.settle != nullptr && !row.settle(candidate)) continue;
    if (is_smaller(measure(candidate), own)) candidates.push_back(std::move(candidate));
  }
  return candidates;
}

bool is_legal(const Case& subject) { return drawing_of(kind_of(subject)).is_legal(subject); }

}  // namespace

std::vector<Case> smaller(const Case& subject) {
  std::vector<Case> candidates = candidates_of(subject);
  std::erase_if(candidates, [](const Case& candidate) { return !is_legal(candidate); });
  return candidates;
}

Minimised minimise(const Case& subject, const std::function<bool(const Case&)>& still_fails,
                   std::int64_t candidates_max, const std::function<void(const Case&)>& progress) {
  Descent result{subject, 0, false};
  bool is_improved = true;
  while (is_improved) {
    is_improved = false;
    for (Case& candidate : candidates_of(result.subject)) {
      // What is no case is passed over and doesn't count.
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
