/// The command line: one table of options a sub-command, examples, exit codes. CLI11 stays here.

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <shardcheck/model/case/float_environment.h>

#include "build_info.h"
#include "commands.h"

namespace shardcheck::tools {
namespace {

constexpr const char* exit_codes =
    "Exit codes\n"
    "  0  all passed\n"
    "  1  findings: a failure, a difference from run to run, a timeout, a crash\n"
    "  2  bad usage, a bad case, a file that can't be read or written\n"
    "  3  nothing ran, or a reach goal is unmet\n";

constexpr const char* example_case =
    "'matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] data=given A=1,2,3,4 B=5,6,7,8'";

constexpr const char* what_help =
    "A case in single quotes, a .case file, a folder of them, or - for standard input";
constexpr const char* fault_help =
    "Plant this mistake first (see `shardcheck list`): a canary, it must be found";

std::string examples(const std::vector<std::string>& lines) {
  std::string text = "Examples\n";
  for (const std::string& line : lines) text += "  shardcheck " + line + "\n";
  return text + "\n" + exit_codes;
}

/// CLI11 takes `--only a=b` apart at commas and brackets unless told not to.
void add_run(CLI::App& app, RunOptions& options, std::vector<std::string>& only,
             std::string& runtime) {
  app.add_option("--cases", options.cases, "Random cases to run")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--time", options.seconds, "Seconds after which the run ends")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seed", options.seed, "Equal seeds give equal cases")->capture_default_str();
  app.add_option("--only", only, "Only cases with this KEY=VALUE, as in a case line; repeatable")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--run", runtime, "Only this runtime: fibers or threads")
      ->check(CLI::IsMember({"fibers", "threads"}));
  app.add_option("--json", options.json, "Write everything to this file as JSON");
  app.add_option("--report", options.report, "Write JUnit XML to this file");
  app.add_option("--jobs", options.jobs, "Worker processes")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--max-failures", options.failures_max, "Stop after so many different failures")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--case-timeout", options.case_seconds, "Seconds that one case may take")
      ->check(CLI::Range(0.1, 86400.0))
      ->capture_default_str();
  app.add_option("--failures", options.failures_dir, "Folder in which failing cases are kept")
      ->capture_default_str();
  app.add_option("--fault", options.fault, fault_help);
  app.footer(examples({"run", "run --cases 1000000 --time 60 --jobs 2",
                       "run --only in=bf16 --only mesh=x4 --seed 7 --json run.json",
                       "run --cases 2000 --fault last_k_dropped"}));
}

/// True if every entry is KEY=VALUE; what a key may be is the generator's to say.
bool split_restrictions(const std::vector<std::string>& only, const std::string& runtime,
                        Restrictions& restrictions) {
  for (const std::string& entry : only) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      std::fprintf(stderr, "shardcheck: --only: found '%s', expected KEY=VALUE\n", entry.c_str());
      return false;
    }
    restrictions.only.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  if (!runtime.empty()) restrictions.only.emplace_back("run", runtime);
  return true;
}

void add_version(CLI::App& app) {
  app.add_flag_callback(
      "--version",
      [] {
        std::puts(build_info().c_str());
        throw CLI::Success();
      },
      "Print version and build");
}

/// Help and version end well; anything else is bad usage, whatever number CLI11 has for it.
Exit exit_of(CLI::App& app, const CLI::ParseError& end) {
  if (end.get_exit_code() == 0) {
    app.exit(end);
    return Exit::passed;
  }
  std::fprintf(stderr, "shardcheck: %s\nTry shardcheck --help.\n", end.what());
  return Exit::bad_input;
}

Exit run_command_line(int argc, char** argv) {
  CLI::App app{"Checks sharded matrix products: every value, every owner, every byte sent."};
  app.require_subcommand(1);
  app.footer(examples({"run --cases 20000", std::string("explain ") + example_case,
                       "replay failures/", "plan - < a.case", "list"}));
  add_version(app);

  RunOptions run_options;
  std::vector<std::string> only;
  std::string runtime;
  CLI::App* const run_app = app.add_subcommand("run", "Draw random cases, run and judge them");
  add_run(*run_app, run_options, only, runtime);

  ReplayOptions replay_options;
  CLI::App* const replay_app = app.add_subcommand("replay", "Run and judge stored cases");
  replay_app->add_option("case", replay_options.what, what_help)->required();
  replay_app->add_option("--fault", replay_options.fault, fault_help);
  replay_app->add_option("--json", replay_options.json, "Write the verdicts to this file as JSON");
  replay_app->footer(
      examples({std::string("replay ") + example_case, "replay failures/", "replay - < a.case"}));

  ExplainOptions explain_options;
  CLI::App* const explain_app =
      app.add_subcommand("explain", "Walk through one case: shards, partials, messages, sums");
  explain_app->add_option("case", explain_options.what, what_help)->required();
  explain_app->add_option("--fault", explain_options.fault, fault_help);
  explain_app->add_flag("--full", explain_options.full, "Abbreviate nothing");
  explain_app->footer(
      examples({std::string("explain ") + example_case, "explain failures/a.case --full"}));

  PlanOptions plan_options;
  CLI::App* const plan_app =
      app.add_subcommand("plan", "Print the steps of a case's plan, with owners and bytes");
  plan_app->add_option("case", plan_options.what, what_help)->required();
  plan_app->add_flag("--full", plan_options.full, "Abbreviate nothing");
  plan_app->footer(examples({std::string("plan ") + example_case, "plan - < a.case"}));

  CLI::App* const list_app =
      app.add_subcommand("list", "Name dtypes, algorithms, regimes, invariants, faults, goals");
  list_app->footer(examples({"list"}));

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& end) {
    return exit_of(app, end);
  }
  if (*run_app) {
    if (!split_restrictions(only, runtime, run_options.restrictions)) return Exit::bad_input;
    return run(run_options);
  }
  if (*replay_app) return replay(replay_options);
  if (*explain_app) return explain(explain_options);
  if (*plan_app) return plan(plan_options);
  return list();
}

}  // namespace
}  // namespace shardcheck::tools

int main(int argc, char** argv) {
  const std::string_view problem = shardcheck::float_environment_problem();
  if (!problem.empty()) {
    const std::string mode = shardcheck::float_environment_text();
    std::fprintf(
        stderr,
        "shardcheck: %.*s (%s), expected rounding to nearest with subnormal numbers; was a "
        "library loaded that is built with -ffast-math?\n",
        static_cast<int>(problem.size()), problem.data(), mode.c_str());
    return static_cast<int>(shardcheck::tools::Exit::bad_input);
  }
  return static_cast<int>(shardcheck::tools::run_command_line(argc, argv));
}
