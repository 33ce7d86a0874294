#include "elements.h"

#include <algorithm>
#include <utility>

#include <shardcheck/model/exact/format.h>

#include "number_text.h"

namespace shardcheck {

namespace {

std::int64_t distance_from(const model::Allowed& allowed, Dtype out, Bits got) {
  if (allowed.only_nan || model::is_nan(out, got)) return 0;
  std::int64_t nearest = steps_between(out, allowed.low, got);
  const auto consider = [&](Bits bound) {
    const std::int64_t steps = steps_between(out, bound, got);
    if (std::abs(steps) < std::abs(nearest)) nearest = steps;
  };
  consider(allowed.high);
  if (!allowed.set.empty()) nearest = steps_between(out, allowed.set.front(), got);
  for (const Bits value : allowed.set) consider(value);
  return nearest;
}

void judge_rank(const Evidence& evidence, std::int64_t rank, Elements& elements) {
  const RunRecord& run = evidence.run;
  const Dtype out = evidence.out();
  const auto index = static_cast<std::size_t>(rank);
  const std::vector<std::int64_t>& owned = run.observation.owned[index];
  const std::vector<std::int64_t>& untouched = run.untouched[index];
  for (std::size_t position = 0; position < owned.size(); ++position) {
    const Bits got = run.bits[index][position];
    model::Allowed allowed = evidence.expectation.allowed(rank, owned[position]);
    ++elements.judged;
    ++elements.by_grade[static_cast<std::size_t>(allowed.grade)];
    // What is exact in every order isn't rounded in the documented one.
    const bool may_round = allowed.grade != model::Grade::exact;
    if (may_round && evidence.expectation.is_rounded(rank, owned[position])) ++elements.rounded;
    if (model::allows(allowed, out, got)) continue;
    ++elements.wrong;
    ++elements.wrong_by_rank[index];
    if (elements.mismatches.size() == mismatches_kept) continue;
    const auto place = static_cast<std::int64_t>(position);
    const std::int64_t distance = distance_from(allowed, out, got);
    elements.mismatches.push_back({rank, place, owned[position], got, std::move(allowed),
                                   std::ranges::binary_search(untouched, place), distance});
  }
}

}  // namespace

Elements judge_elements(const Evidence& evidence, const std::vector<bool>& owns_rightly) {
  Elements elements;
  elements.wrong_by_rank.resize(owns_rightly.size());
  for (std::size_t rank = 0; rank < owns_rightly.size(); ++rank) {
    if (owns_rightly[rank]) judge_rank(evidence, static_cast<std::int64_t>(rank), elements);
  }
  return elements;
}

void confirm_untouched(const RunRecord& run, const RunAgain& run_again, Elements& elements) {
  if (std::ranges::none_of(elements.mismatches, &Mismatch::is_untouched)) return;
  const RunRecord again = run_again();
  // A backend that does otherwise the second time says nothing of the first.
  if (again.observation.owned != run.observation.owned) return;
  for (Mismatch& mismatch : elements.mismatches) {
    if (!mismatch.is_untouched) continue;
    const std::vector<Bits>& bits = again.bits[static_cast<std::size_t>(mismatch.rank)];
    mismatch.is_untouched = bits[static_cast<std::size_t>(mismatch.position)] != mismatch.got;
  }
}

}  // namespace shardcheck
