#include "run_cases.h"

#include <unistd.h>

#include <utility>

#include <fmt/format.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include <shardcheck/tools/minimise/kept_failure.h>
#include <shardcheck/tools/report/run_report.h>
#include <shardcheck/tools/results/report_file.h>
#include <shardcheck/tools/run/progress.h>
#include <shardcheck/tools/run/supervisor.h>

namespace shardcheck::tools {
namespace {

/// A run that is killed has its last report of so far.
constexpr double seconds_between_reports = 2;

RunReport report_of(const RunOptions& options, const RunOutcome& outcome,
                    const std::vector<KeptFailure>& failures, const std::string& backend) {
  RunReport report{options, outcome, failures, backend, {}, {}};
  if (options.enumerated.empty()) {
    report.goals = assess(outcome.results.tally, options.restrictions);
  }
  report.exit = exit_of(report);
  return report;
}

MinimiseSettings settings_of(const RunOptions& options) {
  MinimiseSettings settings;
  settings.fault = options.fault;
  settings.failures_dir = options.failures_dir;
  settings.case_seconds = options.case_seconds;
  settings.memory_mib = options.memory_mib;
  return settings;
}

/// Everything that can be wrong before the first case, in one line; empty: nothing is.
std::string first_problem(const RunOptions& options, const ReportFile& json,
                          const ReportFile& junit) {
  if (!json.problem().empty()) return json.problem();
  if (!junit.problem().empty()) return junit.problem();
  if (json.is_same_file_as(junit)) {
    return fmt::format("--json: '{}' and --report: '{}' are one file, expected two", options.json,
                       options.report);
  }
  return prepare_failures_dir(options.failures_dir);
}

}  // namespace

Exit run_cases(const RunOptions& options, std::function<std::string()> next_line) {
  const auto backend = make_backend(options.fault);
  if (!backend) {
    fmt::print(stderr, "shardcheck: {}\n", backend.error());
    return Exit::bad_input;
  }
  ReportFile json("--json", options.json);
  ReportFile junit("--report", options.report);
  if (const std::string wrong = first_problem(options, json, junit); !wrong.empty()) {
    fmt::print(stderr, "shardcheck: {}\n", wrong);
    return Exit::bad_input;
  }
  const std::string backend_text = backend_name(**backend, options.fault);
  Progress progress(options);
  FailureKeeper keeper(settings_of(options), origin_of(options),
                       [&](const std::string& text) { progress.note(text); });
  double next_report = seconds_between_reports;
  RunHooks hooks;
  hooks.next_line = std::move(next_line);
  hooks.keep_failures = [&](const Results& results) { return keeper.keep(results); };
  hooks.progress = [&](const RunOutcome& so_far) {
    progress.update(so_far);
    if (!json.is_wanted() || so_far.seconds < next_report) return;
    next_report = so_far.seconds + seconds_between_reports;
    RunOutcome unfinished = so_far;
    unfinished.stopped_because = "not finished";
    json.write_so_far(as_json(report_of(options, unfinished, keeper.failures(), backend_text)));
  };
  const RunOutcome outcome = supervise(options, hooks);
  keeper.keep(outcome.results);  // for the counts
  progress.finish();
  ::rmdir(options.failures_dir.c_str());  // goes only if nothing was kept

  const RunReport report = report_of(options, outcome, keeper.failures(), backend_text);
  // First what stays: a terminal that is gone takes no text.
  const bool json_written = json.write(as_json(report));
  const bool junit_written = junit.write(as_junit(report));
  fmt::print("{}", as_text(report));
  if (!json_written || !junit_written) return Exit::bad_input;
  return report.exit;
}

}  // namespace shardcheck::tools
