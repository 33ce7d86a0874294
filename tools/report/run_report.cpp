#include "run_report.h"

#include <fmt/format.h>

namespace shardcheck::tools {

std::vector<std::string> shortfalls(const RunReport& report) {
  const RunOutcome& outcome = report.outcome;
  std::vector<std::string> found;
  const std::int64_t unsupported =
      outcome.results.statuses[static_cast<std::size_t>(Status::unsupported)];
  if (outcome.cases == 0) {
    found.emplace_back("nothing ran");
  } else if (unsupported == outcome.cases) {
    found.push_back(fmt::format("nothing ran: all {} cases are unsupported{}", outcome.cases,
                                outcome.not_judged > 0 ? ", or there was no memory for them" : ""));
  }
  const std::string& fault = report.options.fault;
  if (!fault.empty() && report.failures.empty()) {
    found.push_back(fmt::format("the planted mistake {} was not found", fault));
  }
  return found;
}

Exit exit_of(const RunReport& report) {
  // Whoever stops a run knows that it isn't whole, and a report tells what it found.
  if (report.outcome.is_interrupted) return Exit::interrupted;
  if (!report.failures.empty()) return Exit::findings;
  if (!shortfalls(report).empty() || report.outcome.not_judged > 0) return Exit::nothing_shown;
  for (const GoalResult& goal : report.goals) {
    if (goal.state == GoalResult::State::unmet) return Exit::nothing_shown;
  }
  return Exit::passed;
}

}  // namespace shardcheck::tools
