#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include <shardcheck/tools/cases/case_source.h>
#include <shardcheck/tools/minimise/minimise_failure.h>
#include <shardcheck/tools/process/clock.h>
#include <shardcheck/tools/process/interruption.h>
#include <shardcheck/tools/results/build_info.h>
#include <shardcheck/tools/results/failure_file.h>
#include <shardcheck/tools/results/failure_text.h>
#include <shardcheck/tools/results/report_file.h>
#include <shardcheck/tools/results/verdict_json.h>
#include "commands.h"

namespace shardcheck::tools {
namespace {

using nlohmann::ordered_json;

MinimiseSettings settings_of(const MinimizeOptions& options) {
  MinimiseSettings settings;
  settings.fault = options.fault;
  settings.failures_dir = options.failures_dir;
  settings.candidates_max = options.candidates_max;
  settings.seconds_max = options.seconds_max;
  settings.case_seconds = options.case_seconds;
  settings.memory_mib = options.memory_mib;
  return settings;
}

/// Why the case can't be meant; empty: it can. Such a one has nothing to make smaller.
std::string why_illegal(const Case& subject) {
  const auto expectation = model::expect(subject);
  return expectation ? "" : fmt::format("the case can't be meant: {}", expectation.error());
}

/// The smallest case so far, on disk from the first moment on: its file moves on with it, as the
/// collective that it is named after may fall away.
class BestSoFar {
 public:
  explicit BestSoFar(const MinimizeOptions& options) : options_(options) {}

  void keep(const CaseFailure& failure, const std::string& origin, bool is_reproduced) {
    const std::string path = failure_path(options_.failures_dir, options_.fault, failure);
    problem_.clear();
    if (!write_failure(path, failure, {options_.fault, origin, is_reproduced})) {
      problem_ = fmt::format("--failures: '{}' was not written: {}", path, std::strerror(errno));
      return;
    }
    if (!path_.empty() && path_ != path) ::unlink(path_.c_str());
    path_ = path;
  }
  const std::string& path() const { return path_; }
  /// Why the last one isn't on disk, in one line; empty: it is.
  const std::string& problem() const { return problem_; }

 private:
  const MinimizeOptions& options_;
  std::string path_;
  std::string problem_;
};

struct Minimization {
  CaseFailure found;
  std::optional<MinimisedFailure> minimised;  ///< nothing: it doesn't fail when run again
  std::string path;                           ///< empty: the case isn't on disk
  std::string problem;                        ///< why it isn't
  double seconds = 0;
};

std::string text_of(const MinimizeOptions& options, const Minimization& done) {
  const CaseFailure& shown = done.minimised ? done.minimised->failure : done.found;
  std::string text = fmt::format("{}{}{}\n", status_names[static_cast<std::size_t>(shown.status)],
                                 shown.signature.empty() ? "" : " ", shown.signature);
  text += failure_text(shown);
  const std::string what = done.path.empty() ? fmt::format("'{}'", shown.line) : done.path;
  text += fmt::format("  {}\n  replay: {}\n", shown.line, replay_command(options.fault, what));
  if (!done.minimised) return text + "not seen again when it was run alone\n";
  return text + fmt::format("{} candidates in {:.1f} s: {}\n", done.minimised->candidates,
                            done.seconds,
                            done.minimised->stopped_because.empty()
                                ? "this is the smallest that fails alike"
                                : "stopped early, " + done.minimised->stopped_because);
}

ordered_json json_of(const MinimizeOptions& options, const Minimization& done) {
  const CaseFailure& shown = done.minimised ? done.minimised->failure : done.found;
  return {{"build", build_info()},
          {"fault", options.fault},
          {"status", status_names[static_cast<std::size_t>(shown.status)]},
          {"signature", shown.signature},
          {"reason", shown.reason},
          {"found", done.found.line},
          {"case", shown.line},
          {"minimised", done.minimised && done.minimised->stopped_because.empty()},
          {"reproduced", done.minimised.has_value()},
          {"stopped", done.minimised ? done.minimised->stopped_because : ""},
          {"candidates", done.minimised ? done.minimised->candidates : 0},
          {"file", done.path},
          {"findings", findings_json(shown.findings)},
          {"finding_count", shown.finding_count},
          {"timing", {{"seconds", done.seconds}}}};
}

Minimization minimised(const MinimizeOptions& options, const CaseFailure& found) {
  constexpr const char* origin = "given to minimize";
  const double start = seconds_now();
  BestSoFar best(options);
  best.keep(found, origin, true);
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  Minimization done{found, std::nullopt, "", "", 0};
  done.minimised = minimise_failure(settings_of(options), found, [&](const CaseFailure& smaller) {
    best.keep(smaller, fmt::format("{}, being minimised", origin), true);
    if (is_terminal) fmt::print(stderr, "\r{:.100}\033[K", smaller.line);
  });
  if (is_terminal) fmt::print(stderr, "\r\033[K");
  if (!done.minimised) {
    best.keep(found, origin, false);
  } else {
    const bool is_minimal = done.minimised->stopped_because.empty();
    const bool is_smaller = done.minimised->failure.line != found.line;
    const char* const became = is_minimal ? ", minimised" : is_smaller ? ", made smaller" : "";
    best.keep(done.minimised->failure, fmt::format("{}{}", origin, became), true);
  }
  done.problem = best.problem();
  if (done.problem.empty()) done.path = best.path();
  done.seconds = seconds_now() - start;
  return done;
}

/// There is nothing to make smaller: the case passes, isn't run, or an interrupt came first.
Exit conclude_without_failure(const MinimizeOptions& options, const Case& subject,
                              const JudgedAlone& judged, ReportFile& json) {
  ::rmdir(options.failures_dir.c_str());  // goes only if nothing was kept
  const std::string line = print(subject);
  if (interrupt_count() > 0) {
    fmt::print("interrupted before it was known whether the case fails\n  {}\n", line);
    return Exit::interrupted;
  }
  const bool is_run = judged.why_unsupported.empty();
  const Status status = is_run ? Status::pass : Status::unsupported;
  fmt::print("{}\n  {}\n",
             is_run ? "it doesn't fail: nothing to minimise"
                    : fmt::format("unsupported: {}", judged.why_unsupported),
             line);
  const ordered_json nothing = {{"build", build_info()},
                                {"fault", options.fault},
                                {"status", status_names[static_cast<std::size_t>(status)]},
                                {"reason", judged.why_unsupported},
                                {"found", line}};
  return json.write(json_text(nothing)) ? exit_of(subject, status) : Exit::bad_input;
}

}  // namespace

Exit minimize(const MinimizeOptions& options) {
  const auto backend = make_backend(options.fault);
  std::string wrong = backend ? "" : backend.error();
  const std::optional<Case> subject = wrong.empty() ? read_one_case(options.what) : std::nullopt;
  if (wrong.empty() && !subject) return Exit::bad_input;
  if (wrong.empty()) wrong = misfit(options.fault, *subject);
  if (wrong.empty()) wrong = why_illegal(*subject);
  ReportFile json("--json", options.json);
  if (wrong.empty()) wrong = json.problem();
  if (wrong.empty()) wrong = prepare_failures_dir(options.failures_dir);
  if (!wrong.empty()) {
    fmt::print(stderr, "shardcheck: {}\n", wrong);
    return Exit::bad_input;
  }
  watch_for_interrupts();
  const JudgedAlone judged = judge_alone(settings_of(options), *subject);
  if (!judged.failure) return conclude_without_failure(options, *subject, judged, json);
  const Minimization done = minimised(options, *judged.failure);
  fmt::print("{}", text_of(options, done));
  if (!done.problem.empty()) fmt::print(stderr, "shardcheck: {}\n", done.problem);
  const bool is_written = json.write(json_text(json_of(options, done)));
  return is_written && done.problem.empty() ? Exit::findings : Exit::bad_input;
}

}  // namespace shardcheck::tools
