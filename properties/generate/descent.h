#pragma once

/// Greedy descent to a smallest case, whatever the kind of case.

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace shardcheck {

template <typename Subject>
struct Descent {
  Subject subject;
  std::int64_t candidates_tried = 0;
  bool budget_spent = false;  ///< stopped by the budget, so perhaps not minimal
};

/// From `subject`, of which `still_fails` holds, to a case none of whose candidates fails.
/// `candidates_of` gives smaller cases, the boldest first; those of which `is_case` is false are
/// passed over and don't count. `progress`, if set, sees each improvement.
template <typename Subject>
Descent<Subject> descend(const Subject& subject,
                         const std::function<std::vector<Subject>(const Subject&)>& candidates_of,
                         const std::function<bool(const Subject&)>& is_case,
                         const std::function<bool(const Subject&)>& still_fails,
                         std::int64_t candidates_max,
                         const std::function<void(const Subject&)>& progress) {
  Descent<Subject> result{subject, 0, false};
  bool is_improved = true;
  while (is_improved) {
    is_improved = false;
    for (Subject& candidate : candidates_of(result.subject)) {
      if (!is_case(candidate)) continue;
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
