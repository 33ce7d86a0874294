#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/properties/judge/number_text.h>

#include <shardcheck/tools/results/failure_file.h>
#include <shardcheck/tools/results/failure_text.h>
#include "run_report.h"

namespace shardcheck::tools {
namespace {

constexpr std::size_t columns_max = 100;
constexpr std::size_t label_columns = 16;
/// More values than that are told as a range of counts.
constexpr std::size_t values_listed_max = 24;

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 18 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Numbers by size, then words by letter.
bool comes_before(const std::string& one, const std::string& two) {
  if (is_number(one) && is_number(two)) return std::stoll(one) < std::stoll(two);
  if (is_number(one) != is_number(two)) return is_number(one);
  return one < two;
}

std::string wrapped(const std::string& label, const std::vector<std::string>& words) {
  std::string text = fmt::format("  {:<{}}", label, label_columns);
  std::size_t column = text.size();
  for (const std::string& word : words) {
    if (column + 1 + word.size() > columns_max) {
      text += "\n" + std::string(label_columns + 2, ' ');
      column = label_columns + 2;
    }
    text += " " + word;
    column += 1 + word.size();
  }
  return text + "\n";
}

std::string dimension(const std::string& label, const std::map<std::string, std::int64_t>& counts) {
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& one, const auto& two) { return comes_before(one.first, two.first); });
  if (sorted.size() > values_listed_max) {
    const auto by_count = [](const auto& one, const auto& two) { return one.second < two.second; };
    const auto [least, most] = std::minmax_element(sorted.begin(), sorted.end(), by_count);
    return wrapped(label, {fmt::format("{} values, from {} ({}) to {} ({})", sorted.size(),
                                       least->first, least->second, most->first, most->second)});
  }
  std::vector<std::string> words;
  words.reserve(sorted.size());
  for (const auto& [value, count] : sorted) words.push_back(fmt::format("{}:{}", value, count));
  return wrapped(label, words);
}

std::string goals_text(const RunReport& report) {
  std::array<std::int64_t, 3> by_state{};
  std::vector<std::string> lines;
  std::vector<std::string> unassessed;
  for (const GoalResult& goal : report.goals) {
    by_state[static_cast<std::size_t>(goal.state)] += 1;
    if (goal.state == GoalResult::State::met) continue;
    if (goal.state == GoalResult::State::not_assessed) {
      unassessed.emplace_back(goal.name);
      continue;
    }
    lines.push_back(fmt::format("  UNMET {}: {} of {} cases; {}\n", goal.name, goal.reached,
                                goal.required, goal.meaning));
  }
  std::string text = fmt::format("Reach goals: {} met, {} unmet, {} not assessed\n", by_state[0],
                                 by_state[1], by_state[2]);
  for (const std::string& line : lines) text += line;
  if (!unassessed.empty()) text += wrapped("not assessed", unassessed);
  return text;
}

std::string counts_text(const Results& results) {
  std::vector<std::string> statuses;
  for (std::size_t status = 0; status < status_names.size(); ++status) {
    if (results.statuses[status] == 0) continue;
    statuses.push_back(fmt::format("{}:{}", status_names[status], results.statuses[status]));
  }
  statuses.push_back(fmt::format("(trivial among them: {})", results.trivial));
  const std::int64_t elements = std::accumulate(results.elements_by_grade.begin(),
                                                results.elements_by_grade.end(), std::int64_t{0});
  std::vector<std::string> grades;
  for (std::size_t grade = 0; grade < model::grade_names.size(); ++grade) {
    const std::int64_t count = results.elements_by_grade[grade];
    const double share =
        100 * static_cast<double>(count) / static_cast<double>(std::max<std::int64_t>(elements, 1));
    grades.push_back(fmt::format("{}:{} ({:.1f} %)", model::grade_names[grade], count, share));
  }
  grades.push_back(fmt::format("(rounded: {})", results.elements_rounded));
  std::string text = "Verdicts\n" + wrapped("status", statuses) + wrapped("elements", grades);
  text +=
      wrapped("temporaries", {"peak:" + counted(results.temporaries.peak_bytes, "byte"),
                              fmt::format("(at most {:.1f} % of a bound)",
                                          static_cast<double>(results.temporaries.permille) / 10)});
  for (std::size_t index = 0; index < invariants.size(); ++index) {
    const auto& outcome = results.outcomes[index];
    if (outcome[1] + outcome[2] == 0) continue;
    text += wrapped(std::string(invariants[index].name),
                    {fmt::format("holds:{}", outcome[1]), fmt::format("broken:{}", outcome[2]),
                     fmt::format("not observed:{}", outcome[0])});
  }
  return text;
}

std::string failed_text(const RunReport& report, const KeptFailure& failure) {
  const CaseFailure& shown = failure.shown;
  std::string text =
      fmt::format("\nFAILED {} ({}, first: case {})\n",
                  shown.signature.empty() ? status_names[static_cast<std::size_t>(shown.status)]
                                          : std::string_view(shown.signature),
                  counted(failure.cases, "case"), failure.found.number);
  text += failure_text(shown);
  if (!shown.findings.empty() && shown.finding_count > 1) {
    text +=
        fmt::format("  and {} of this case\n", counted(shown.finding_count - 1, "more finding"));
  }
  if (!failure.is_reproduced) text += "  not seen again when it was run alone\n";
  if (!shown.line.empty()) text += fmt::format("  {}\n", shown.line);
  if (!failure.path.empty()) {
    text += fmt::format("  replay: {}\n", replay_command(report.options.fault, failure.path));
  }
  return text;
}

}  // namespace

std::string as_text(const RunReport& report) {
  const RunOutcome& outcome = report.outcome;
  std::string text;
  if (!outcome.results.tally.counts.empty()) text += "Distribution of the cases\n";
  for (const auto& [label, counts] : outcome.results.tally.counts) {
    // Verdicts have a section of their own, with what no tally holds.
    const bool is_of_verdict =
        label == "status" || label == "grade" || label.starts_with("invariant ");
    if (!is_of_verdict) text += dimension(label, counts);
  }
  text += counts_text(outcome.results);
  if (!report.goals.empty()) text += goals_text(report);
  for (const KeptFailure& failure : report.failures) text += failed_text(report, failure);
  if (outcome.not_judged > 0) {
    text += fmt::format("\nNOT JUDGED, out of memory ({})\n  first: {}\n",
                        counted(outcome.not_judged, "case"), outcome.first_not_judged);
  }
  std::int64_t failed = 0;
  for (const KeptFailure& failure : report.failures) failed += failure.cases;
  text += fmt::format(
      "\n{} of {}{} in {:.1f} s ({:.0f} a second), {}: {}\n", counted(outcome.cases, "case"),
      report.options.fault.empty() ? "the backend " : "", report.backend, outcome.seconds,
      static_cast<double>(outcome.cases) / std::max(outcome.seconds, 1e-3),
      origin_of(report.options),
      failed == 0 ? std::string("no failure")
                  : fmt::format("{} failed, {}", failed,
                                counted(std::ssize(report.failures), "different failure")));
  if (!outcome.stopped_because.empty()) {
    text += fmt::format("stopped early: {}\n", outcome.stopped_because);
  }
  for (const std::string& shortfall : shortfalls(report)) text += shortfall + "\n";
  return text;
}

}  // namespace shardcheck::tools
