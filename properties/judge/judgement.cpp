#include "judgement.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/limits.h>

namespace shardcheck {

void observe(Judgement& judgement) {
  if (judgement.outcome == Outcome::not_observed) judgement.outcome = Outcome::holds;
}

void add(Judgement& judgement, Finding finding) {
  judgement.outcome = Outcome::broken;
  judgement.finding_count += 1;
  if (judgement.findings.size() < static_cast<std::size_t>(limits::mismatches_printed)) {
    judgement.findings.push_back(std::move(finding));
  }
}

std::string element_name(const Case& subject, std::int64_t coordinate) {
  if (coordinate < 0 || coordinate >= subject.i * subject.j) {
    return fmt::format("coordinate {}", coordinate);
  }
  return fmt::format("C[{},{}]", coordinate / subject.j, coordinate % subject.j);
}

std::string listed(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t shown_max = 8;
  const std::size_t shown = std::min(numbers.size(), shown_max);
  std::string text = fmt::format(
      "{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < numbers.size()) text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

}  // namespace shardcheck
