#include "judgement.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

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

void absorb(Judgement& judgement, Judgement other) {
  if (other.outcome == Outcome::holds) observe(judgement);
  const std::int64_t unlisted = other.finding_count - std::ssize(other.findings);
  for (Finding& finding : other.findings) add(judgement, std::move(finding));
  judgement.finding_count += unlisted;
}

namespace {

std::string name_of(const ProductCase& subject, std::int64_t coordinate) {
  if (coordinate < 0 || coordinate >= subject.i * subject.j) {
    return fmt::format("coordinate {}", coordinate);
  }
  return fmt::format("C[{},{}]", coordinate / subject.j, coordinate % subject.j);
}

std::string name_of(const CallsCase& subject, std::int64_t coordinate) {
  const Collective last = subject.calls.back().collective;
  if (last != Collective::all_to_all && last != Collective::permute) {
    return fmt::format("element {}", coordinate);
  }
  std::int64_t rest = coordinate;
  for (std::int64_t member = 0; rest >= 0 && member < member_count(subject); ++member) {
    std::int64_t count = subject.n;
    if (!subject.counts.empty()) {
      const std::vector<std::int64_t>& row = subject.counts[static_cast<std::size_t>(member)];
      count = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    }
    if (rest < count) return fmt::format("element {} of member {}", rest, member);
    rest -= count;
  }
  return fmt::format("coordinate {}", coordinate);
}

}  // namespace

std::string element_name(const Case& subject, std::int64_t coordinate) {
  return std::visit([&](const auto& one) { return name_of(one, coordinate); }, subject);
}

std::string elements_named(const Case& subject, const std::vector<std::int64_t>& coordinates) {
  constexpr std::size_t shown_max = 6;
  if (coordinates.empty()) return "nothing";
  std::string text;
  for (std::size_t index = 0; index < coordinates.size() && index < shown_max; ++index) {
    if (index > 0) text += ", ";
    text += element_name(subject, coordinates[index]);
  }
  if (coordinates.size() > shown_max) {
    text += fmt::format(" and {} more", coordinates.size() - shown_max);
  }
  return text;
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
