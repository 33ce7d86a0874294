#include <nlohmann/json.hpp>

#include <algorithm>

#include <shardcheck/tools/results/build_info.h>
#include <shardcheck/tools/results/verdict_json.h>
#include "run_report.h"

namespace shardcheck::tools {
namespace {

using nlohmann::ordered_json;

std::string_view state_name(GoalResult::State state) {
  switch (state) {
    case GoalResult::State::met: return "met";
    case GoalResult::State::unmet: return "unmet";
    case GoalResult::State::not_assessed: return "not assessed";
  }
  return "";
}

ordered_json failures_json(const std::vector<KeptFailure>& failures) {
  ordered_json json = ordered_json::array();
  for (const KeptFailure& failure : failures) {
    json.push_back({{"signature", failure.shown.signature},
                    {"status", status_names[static_cast<std::size_t>(failure.shown.status)]},
                    {"reason", failure.shown.reason},
                    {"cases", failure.cases},
                    {"first", failure.found.number},
                    {"found", failure.found.line},
                    {"case", failure.shown.line},
                    {"minimised", failure.is_minimised},
                    {"reproduced", failure.is_reproduced},
                    {"file", failure.path},
                    {"findings", findings_json(failure.shown.findings)},
                    {"finding_count", failure.shown.finding_count}});
  }
  return json;
}

ordered_json verdicts_json(const Results& results) {
  ordered_json statuses;
  for (std::size_t index = 0; index < status_names.size(); ++index) {
    statuses[std::string(status_names[index])] = results.statuses[index];
  }
  ordered_json grades;
  for (std::size_t index = 0; index < model::grade_names.size(); ++index) {
    grades[std::string(model::grade_names[index])] = results.elements_by_grade[index];
  }
  ordered_json by_invariant;
  for (std::size_t index = 0; index < invariants.size(); ++index) {
    const auto& outcome = results.outcomes[index];
    by_invariant[std::string(invariants[index].name)] = {
        {"holds", outcome[1]}, {"broken", outcome[2]}, {"not_observed", outcome[0]}};
  }
  return {{"statuses", statuses},
          {"trivial", results.trivial},
          {"elements_by_grade", grades},
          {"elements_rounded", results.elements_rounded},
          {"invariants", by_invariant},
          {"temporaries",
           {{"peak_bytes", results.temporaries.peak_bytes},
            {"share_of_bound", static_cast<double>(results.temporaries.permille) / 1000}}}};
}

}  // namespace

std::string as_json(const RunReport& report) {
  ordered_json goals = ordered_json::array();
  for (const GoalResult& goal : report.goals) {
    goals.push_back({{"name", goal.name},
                     {"state", state_name(goal.state)},
                     {"reached", goal.reached},
                     {"required", goal.required}});
  }
  ordered_json only = ordered_json::array();
  for (const auto& [key, value] : report.options.restrictions.only) {
    only.push_back(key + "=" + value);
  }
  ordered_json surroundings = ordered_json::object();
  for (const auto& [name, value] : environment()) surroundings[name] = value;
  const RunOutcome& outcome = report.outcome;
  const ordered_json json = {{"build", build_info()},
                             {"environment", surroundings},
                             {"backend", report.backend},
                             {"seed", report.options.seed},
                             {"only", only},
                             {"enumerated", report.options.enumerated},
                             {"cases", outcome.cases},
                             {"not_judged", outcome.not_judged},
                             {"first_not_judged", outcome.first_not_judged},
                             {"stopped", outcome.stopped_because},
                             {"shortfalls", shortfalls(report)},
                             {"exit", static_cast<int>(report.exit)},
                             {"verdicts", verdicts_json(outcome.results)},
                             {"distribution", outcome.results.tally.counts},
                             {"goals", goals},
                             {"failures", failures_json(report.failures)},
                             {"timing",
                              {{"jobs", report.options.jobs},
                               {"seconds", outcome.seconds},
                               {"cases_per_second", static_cast<double>(outcome.cases) /
                                                        std::max(outcome.seconds, 1e-3)}}}};
  return json_text(json);
}

}  // namespace shardcheck::tools
