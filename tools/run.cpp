#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "backend_choice.h"
#include "commands.h"
#include "kept_failure.h"
#include "progress.h"
#include "run_report.h"
#include "supervisor.h"

namespace shardcheck::tools {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Everything that can be wrong before the first case, in one line; empty: nothing is.
std::string open_report(const std::string& option, const std::string& path, File& file) {
  if (path.empty()) return "";
  file.reset(std::fopen(path.c_str(), "w"));
  if (file) return "";
  return fmt::format("{}: '{}' can't be written: {}", option, path, std::strerror(errno));
}

std::string prepare_failures_dir(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0 || (errno == EEXIST && ::access(path.c_str(), W_OK) == 0)) {
    return "";
  }
  return fmt::format("--failures: '{}' can't be written to: {}", path, std::strerror(errno));
}

bool write_report(const std::string& option, const std::string& path, File& file,
                  const std::string& text) {
  if (!file) return true;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                          std::fflush(file.get()) == 0;
  if (!is_written) fmt::print(stderr, "shardcheck: {}: '{}' was not written\n", option, path);
  return is_written;
}

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
  File json;
  File junit;
  std::string wrong;
  if (const auto valid = validate(options.restrictions); !valid) wrong = valid.error();
  const auto backend = make_backend(options.fault);
  if (wrong.empty() && !backend) wrong = backend.error();
  if (wrong.empty()) wrong = open_report("--json", options.json, json);
  if (wrong.empty()) wrong = open_report("--report", options.report, junit);
  if (wrong.empty()) wrong = prepare_failures_dir(options.failures_dir);
  if (!wrong.empty()) {
    fmt::print(stderr, "shardcheck: {}\n", wrong);
    return Exit::bad_input;
  }

  const std::string backend_name = options.fault.empty() ? std::string((*backend)->name())
                                                         : "the planted fault " + options.fault;

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

  RunReport report{options, outcome, keeper.failures(), backend_name, {}, {}};
  report.goals = assess(outcome.results.tally, options.restrictions);
  report.exit = exit_of(outcome, keeper.failures(), report.goals);
  fmt::print("{}", as_text(report));
  const bool json_written = write_report("--json", options.json, json, as_json(report));
  const bool junit_written = write_report("--report", options.report, junit, as_junit(report));
  if (!json_written || !junit_written) return Exit::bad_input;
  return report.exit;
}

}  // namespace shardcheck::tools
