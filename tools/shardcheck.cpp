/// The command line: one table of options a sub-command, examples, exit codes. CLI11 stays here.

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <shardcheck/model/case/float_environment.h>
#include <shardcheck/model/case/limits.h>

#include <shardcheck/tools/cases/option_values.h>
#include <shardcheck/tools/results/build_info.h>
#include "commands.h"

namespace shardcheck::tools {
namespace {

constexpr std::string_view all_passed = "0  all passed";
constexpr std::string_view findings =
    "1  findings: a failure, a difference from run to run, a timeout, a crash";
constexpr std::string_view bad_input =
    "2  bad usage, a bad case, a file that can't be read or written";
constexpr std::string_view bad_usage = "2  bad usage";
constexpr std::string_view nothing_shown =
    "3  nothing ran, a reach goal is unmet, a planted mistake wasn't found, no memory to judge a "
    "case";
constexpr std::string_view nothing_enumerated =
    "3  nothing ran, a planted mistake wasn't found, or there was no memory to judge a case";
constexpr std::string_view nothing_shown_by_any =
    "3  nothing failed, but nothing ran, a reach goal is unmet, a planted mistake wasn't found, a "
    "case of replay isn't supported, or there was no memory to judge a case";

constexpr std::string_view unsupported =
    "3  nothing failed, but a case isn't supported by the backend, or there was no memory for it";
constexpr std::string_view no_memory = "3  there was no memory for it";
constexpr std::string_view interrupted =
    "130  interrupted; the report and failures/ hold everything so far";

constexpr const char* example_case =
    "'matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] data=given A=1,2,3,4 B=5,6,7,8'";

constexpr const char* cases_help =
    "A case in single quotes, a .case file, a folder of them, or - for standard input";
constexpr const char* case_help = "A case in single quotes, a .case file, or - for standard input";
constexpr const char* fault_help =
    "Plant this mistake first (see `shardcheck list`): a canary, it must be found";

/// What a command prints below its options. `codes`: a line for each exit code that it has.
std::string footer(const std::vector<std::string>& examples,
                   const std::vector<std::string_view>& codes) {
  std::string text = "Examples\n";
  for (const std::string& line : examples) text += "  shardcheck " + line + "\n";
  text += "\nExit codes\n";
  for (const std::string_view line : codes) text += "  " + std::string(line) + "\n";
  return text;
}

CLI::Validator whole(std::uint64_t low, std::uint64_t high) {
  return {[=](std::string& text) { return why_not_whole(text, low, high); },
          "[" + std::to_string(low) + " - " + std::to_string(high) + "]"};
}

CLI::Validator seconds(double low, double high) {
  return {[=](std::string& text) { return why_not_seconds(text, low, high); }, "SECONDS"};
}

/// A script whose variable is empty meant something else than no report.
CLI::Validator path() {
  return {[](std::string& text) { return why_no_path(text); }, "PATH"};
}

/// What `run` and `enumerate` have in common.
void add_running(CLI::App& app, RunOptions& options) {
  app.add_option("--time", options.seconds, "Seconds after which the run ends")
      ->check(seconds(0, seconds_max));
  app.add_option("--json", options.json, "Write everything to this file as JSON")->check(path());
  app.add_option("--report", options.report, "Write JUnit XML to this file")->check(path());
  app.add_option("--jobs", options.jobs, "Worker processes")
      ->check(whole(1, 256))
      ->capture_default_str();
  app.add_option("--max-failures", options.failures_max, "Stop after so many different failures")
      ->check(whole(1, 1000000))
      ->capture_default_str();
}

/// What every command that runs cases in processes of their own has.
template <typename Options>
void add_processes(CLI::App& app, Options& options) {
  app.add_option("--case-timeout", options.case_seconds, "Seconds that one case may take")
      ->check(seconds(0.1, 86400))
      ->capture_default_str();
  app.add_option("--memory-limit", options.memory_mib,
                 "MiB of memory that a process may take while a case is minimised")
      ->check(whole(64, 1 << 20))
      ->capture_default_str();
  app.add_option("--failures", options.failures_dir, "Folder in which failing cases are kept")
      ->check(path())
      ->capture_default_str();
  app.add_option("--fault", options.fault, fault_help);
}

/// CLI11 takes `--only a=b` apart at commas and brackets unless told not to.
CLI::App* add_run(CLI::App& parent, RunOptions& options, std::vector<std::string>& only,
                  std::string& runtime) {
  CLI::App* const app = parent.add_subcommand("run", "Draw random cases, run and judge them");
  app->add_option("--cases", options.cases, "Random cases to run")
      ->check(whole(0, count_max))
      ->capture_default_str();
  app->add_option("--seed", options.seed, "Equal seeds give equal cases")
      ->check(whole(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  app->add_option("--only", only,
                  "Only cases with this KEY=VALUE, as in a case line; each key once")
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("--run", runtime, "Only this runtime: fibers or threads")
      ->check(CLI::IsMember({"fibers", "threads"}));
  add_running(*app, options);
  add_processes(*app, options);
  app->footer(footer({"run", "run --cases 1000000 --time 60 --jobs 2",
                      "run --only in=bf16 --only mesh=x4 --seed 7 --json run.json",
                      "run --cases 2000 --fault last_k_dropped"},
                     {all_passed, findings, bad_input, nothing_shown, interrupted}));
  return app;
}

/// Turns the name of a rule into its number, which is what CLI11 reads an enumerator from.
std::string to_rule(std::string& word) {
  static const std::map<std::string, Split::Rule> rules{{"balanced", Split::Rule::balanced},
                                                        {"ceil", Split::Rule::ceil},
                                                        {"cyclic", Split::Rule::cyclic},
                                                        {"sizes", Split::Rule::sizes}};
  const auto found = rules.find(word);
  if (found == rules.end()) {
    return "found '" + word + "', expected balanced, ceil, cyclic or sizes";
  }
  word = std::to_string(static_cast<int>(found->second));
  return "";
}

CLI::App* add_enumerate(CLI::App& parent, EnumerateOptions& options,
                        std::vector<std::string>& words) {
  CLI::App* const app = parent.add_subcommand(
      "enumerate", "Run and judge every product up to some size (products only)");
  SmallSpace& space = options.space;
  app->add_option("--ranks", space.ranks, "Meshes of up to so many ranks")
      ->check(whole(1, limits::ranks))
      ->capture_default_str();
  app->add_option("--sizes", space.size, "i, j and k from 0 to that")
      ->check(whole(0, small_size_max))
      ->capture_default_str();
  app->add_option("--axes", space.axes, "Mesh axes, up to")
      ->check(whole(1, small_axes_max))
      ->capture_default_str();
  app->add_option("--steps", space.steps, "Besides auto, every legal plan of up to so many steps")
      ->check(whole(0, 6))
      ->capture_default_str();
  app->add_option("--split", space.rules,
                  "How axes are cut: balanced (the default), ceil, cyclic, sizes; repeatable")
      ->transform(CLI::Validator(to_rule, ""))
      ->type_name("RULE")
      ->allow_extra_args(false);
  app->add_option("--with", words, "KEY=VALUE of every case, as in a case line; repeatable")
      ->take_all()
      ->allow_extra_args(false);
  app->add_flag("--count", options.count_only, "Say how many cases there are, and run none");
  add_running(*app, options.run);
  add_processes(*app, options.run);
  app->footer(footer({"enumerate --ranks 2 --sizes 2",
                      "enumerate --ranks 3 --sizes 2 --split balanced --split sizes --jobs 2",
                      "enumerate --ranks 4 --axes 2 --sizes 1 --with in=bf16 --count"},
                     {all_passed, findings, bad_input, nothing_enumerated, interrupted}));
  return app;
}

CLI::App* add_minimize(CLI::App& parent, MinimizeOptions& options) {
  CLI::App* const app =
      parent.add_subcommand("minimize", "Make a failing case as small as it still fails alike");
  app->add_option("case", options.what,
                  "A case in single quotes, a file (a fuzzer's crash-… too), or -")
      ->required();
  app->add_option("--budget", options.candidates_max, "Smaller cases to try, at most")
      ->check(whole(1, 1000000000))
      ->capture_default_str();
  app->add_option("--time-limit", options.seconds_max,
                  "Seconds after which the smallest so far is the result")
      ->check(seconds(0, seconds_max));
  app->add_option("--json", options.json, "Write what came of it to this file as JSON")
      ->check(path());
  add_processes(*app, options);
  app->footer(
      footer({"minimize failures/a.case", "minimize crash-0123 --time-limit 60",
              "minimize - --fault last_k_dropped < a.case"},
             {"0  the case doesn't fail: there is nothing to minimise",
              "1  it fails; the smallest case found stands in the folder for failures", bad_input,
              unsupported, "130  interrupted before it was known whether the case fails"}) +
      "An interrupt or the end of a limit keeps the smallest case so far.\n");
  return app;
}

CLI::App* add_replay(CLI::App& parent, ReplayOptions& options) {
  CLI::App* const app = parent.add_subcommand("replay", "Run and judge stored cases");
  app->add_option("case", options.what, cases_help)->required();
  app->add_option("--fault", options.fault, fault_help);
  app->add_option("--json", options.json, "Write the verdicts to this file as JSON")->check(path());
  app->add_option("--case-timeout", options.case_seconds, "Seconds that one case may take")
      ->check(seconds(0.1, 86400))
      ->capture_default_str();
  app->add_flag("--in-process", options.is_in_process,
                "Run the cases in this process, for a debugger: without a limit, and a crash takes "
                "it along");
  app->footer(
      footer({std::string("replay ") + example_case, "replay failures/", "replay - < a.case"},
             {all_passed, findings, bad_input, unsupported}));
  return app;
}

CLI::App* add_explain(CLI::App& parent, ExplainOptions& options) {
  CLI::App* const app =
      parent.add_subcommand("explain", "Walk through one case: shards, partials, messages, sums");
  app->add_option("case", options.what, case_help)->required();
  app->add_option("--fault", options.fault, fault_help);
  app->add_flag("--full", options.full, "Abbreviate nothing");
  app->footer(footer({std::string("explain ") + example_case, "explain failures/a.case --full"},
                     {"0  the case passes", findings, bad_input, unsupported}));
  return app;
}

CLI::App* add_plan(CLI::App& parent, PlanOptions& options) {
  CLI::App* const app =
      parent.add_subcommand("plan", "Print the steps of a case's plan, with owners and bytes");
  app->add_option("case", options.what, case_help)->required();
  app->add_flag("--full", options.full, "Abbreviate nothing");
  app->footer(footer(
      {std::string("plan ") + example_case, "plan - < a.case"},
      {"0  the plan is printed", "2  bad usage, a bad case, a case without a plan", no_memory}));
  return app;
}

CLI::App* add_order(CLI::App& parent, OrderOptions& options) {
  CLI::App* const app = parent.add_subcommand(
      "order", "Find the order in which sums are added, and compare it with the documented one");
  app->add_option("case", options.what, case_help)->required();
  app->add_option("--fault", options.fault, fault_help);
  app->footer(footer(
      {std::string("order ") + example_case,
       "order 'all_reduce mesh=x6 n=6 algorithm=rabenseifner'"},
      {"0  all sums are in the documented order", "1  some sum isn't", bad_input, no_memory}));
  return app;
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

/// "run, enumerate, …"
std::string command_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* const command : app.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

/// Help and version end well; anything else is bad usage, whatever number CLI11 has for it.
Exit exit_of(CLI::App& app, const CLI::ParseError& end) {
  if (end.get_exit_code() == 0) {
    app.exit(end);
    return Exit::passed;
  }
  const std::vector<std::string> unknown = app.remaining();
  if (app.get_subcommands().empty() && !unknown.empty()) {
    std::fprintf(stderr, "shardcheck: found '%s', expected a command: %s\nTry shardcheck --help.\n",
                 unknown.front().c_str(), command_names(app).c_str());
  } else {
    std::fprintf(stderr, "shardcheck: %s\nTry shardcheck --help.\n", end.what());
  }
  return Exit::bad_input;
}

Exit run_command_line(int argc, char** argv) {
  CLI::App app{
      "Checks sharded matrix products and collectives: every value, every owner, every byte sent."};
  app.require_subcommand(1);
  app.footer(footer({"run --cases 20000", std::string("explain ") + example_case,
                     "replay failures/", "plan - < a.case", "list"},
                    {all_passed, findings, bad_input, nothing_shown_by_any, interrupted}));
  add_version(app);

  RunOptions run_options;
  std::vector<std::string> only;
  std::string runtime;
  const CLI::App* const run_app = add_run(app, run_options, only, runtime);
  EnumerateOptions enumerate_options;
  std::vector<std::string> words;
  const CLI::App* const enumerate_app = add_enumerate(app, enumerate_options, words);
  MinimizeOptions minimize_options;
  const CLI::App* const minimize_app = add_minimize(app, minimize_options);

  ReplayOptions replay_options;
  const CLI::App* const replay_app = add_replay(app, replay_options);
  ExplainOptions explain_options;
  const CLI::App* const explain_app = add_explain(app, explain_options);
  PlanOptions plan_options;
  const CLI::App* const plan_app = add_plan(app, plan_options);
  OrderOptions order_options;
  const CLI::App* const order_app = add_order(app, order_options);
  CLI::App* const list_app =
      app.add_subcommand("list", "Name dtypes, algorithms, regimes, invariants, faults, goals");
  list_app->footer(footer({"list"}, {"0  the names are printed", bad_usage}));

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& end) {
    return exit_of(app, end);
  }
  if (*run_app) {
    auto restrictions = read_restrictions(only, runtime);
    if (!restrictions) {
      std::fprintf(stderr, "shardcheck: %s\n", restrictions.error().c_str());
      return Exit::bad_input;
    }
    run_options.restrictions = std::move(*restrictions);
    return run(run_options);
  }
  if (*enumerate_app) {
    for (const std::string& word : words) {
      enumerate_options.space.words += (enumerate_options.space.words.empty() ? "" : " ") + word;
    }
    return enumerate(enumerate_options);
  }
  if (*minimize_app) return minimize(minimize_options);
  if (*replay_app) return replay(replay_options);
  if (*explain_app) return explain(explain_options);
  if (*plan_app) return plan(plan_options);
  if (*order_app) return order(order_options);
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
  // A reader that has gone away is found out by the writing, not by a signal.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow any further (ulimit -f).
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const auto exit = static_cast<int>(shardcheck::tools::run_command_line(argc, argv));
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit;
    std::fprintf(stderr, "shardcheck: standard output: %s\n", std::strerror(errno));
  } catch (const std::bad_alloc&) {
    std::fputs("shardcheck: out of memory\n", stderr);
    return static_cast<int>(shardcheck::tools::Exit::nothing_shown);
  } catch (const std::exception& error) {
    // What {fmt} throws where it can't write.
    std::fprintf(stderr, "shardcheck: %s\n", error.what());
  }
  return static_cast<int>(shardcheck::tools::Exit::bad_input);
}
