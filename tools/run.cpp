#include <unistd.h>

#include <fmt/format.h>

#include "backend_choice.h"
#include "commands.h"
#include "kept_failure.h"
#include "progress.h"
#include "report_file.h"
#include "run_report.h"
#include "supervisor.h"

namespace shardcheck::tools {
namespace {

Exit exit_of(const RunOutcome& outcome, const std::vector<KeptFailure>& failures,
             const std::vector<GoalResult>& goals) {
  if (!failures.empty()) return Exit::findings;
  if (outcome.cases == 0) return Exit::nothing_shown;
  for (const GoalResult& goal : goals) {
    if (goal.state == GoalResult::State::unmet) return Exit::nothing_shown;
  }
  return Exit::passed;
}

}  // namespace

Exit run(const RunOptions& options) {
  ReportFile json("--json", options.json);
  ReportFile junit("--report", options.report);
  std::string wrong;
  if (const auto valid = validate(options.restrictions); !valid) wrong = valid.error();
  const auto backend = make_backend(options.fault);
  if (wrong.empty() && !backend) wrong = backend.error();
  if (wrong.empty()) wrong = json.problem();
  if (wrong.empty()) wrong = junit.problem();
  if (wrong.empty()) wrong = prepare_failures_dir(options.failures_dir);
  if (!wrong.empty()) {
    fmt::print(stderr, "shardcheck: {}\n", wrong);
    return Exit::bad_input;
  }

  Progress progress(options);
  FailureKeeper keeper(options);
  const RunOutcome outcome = supervise(options, [&](const RunOutcome& so_far) {
    keeper.keep(so_far.results);
    progress.update(so_far);
  });
  keeper.keep(outcome.results);
  if (!outcome.is_interrupted) {
    keeper.minimise_all([&](const std::string& line) { progress.note("minimising " + line); });
  }
  progress.finish();
  ::rmdir(options.failures_dir.c_str());  // goes only if nothing was kept

  RunReport report{options, outcome, keeper.failures(), backend_name(**backend, options.fault),
                   {},      {}};
  report.goals = assess(outcome.results.tally, options.restrictions);
  report.exit = exit_of(outcome, keeper.failures(), report.goals);
  fmt::print("{}", as_text(report));
  const bool json_written = json.write(as_json(report));
  const bool junit_written = junit.write(as_junit(report));
  if (!json_written || !junit_written) return Exit::bad_input;
  return report.exit;
}

}  // namespace shardcheck::tools
