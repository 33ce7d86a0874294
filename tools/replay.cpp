#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/corpus/corpus.h>
#include <shardcheck/properties/judge/number_text.h>
#include <shardcheck/properties/judge/report.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include <shardcheck/tools/cases/case_source.h>
#include <shardcheck/tools/process/child_process.h>
#include <shardcheck/tools/process/lost_process.h>
#include <shardcheck/tools/results/build_info.h>
#include <shardcheck/tools/results/report_file.h>
#include <shardcheck/tools/results/results.h>
#include <shardcheck/tools/results/verdict_json.h>
#include "commands.h"

namespace shardcheck::tools {
namespace {

using nlohmann::ordered_json;

struct ParsedCase {
  SourcedCase source;
  Case subject;
  std::optional<CorpusFile> known;
};

/// The case, and the known answers beside it; or what is wrong in one line, already printed.
tl::expected<ParsedCase, std::string> parsed(const SourcedCase& source) {
  auto subject = parse(source.text);
  if (!subject) {
    print_error(source, subject.error());
    return tl::unexpected<std::string>(describe(source, subject.error()));
  }
  if (source.known_file.empty()) return ParsedCase{source, std::move(*subject), std::nullopt};
  auto known = parse_corpus_file(source.known_file);
  if (!known) {
    CorpusError error = known.error();
    error.file = source.name;
    const std::string problem = printable(print(error));
    fmt::print(stderr, "shardcheck: {}\n", problem);
    return tl::unexpected<std::string>(problem);
  }
  return ParsedCase{source, std::move(*subject), std::move(*known)};
}

/// What came of one file or line.
struct Replayed {
  std::string text;   ///< for a person
  ordered_json json;  ///< of the verdict, and `fails`
  Status status = Status::pass;
  bool fails = false;
  bool is_judged = true;  ///< there was memory for it
};

/// Where answers are known they decide: a verdict may be known to be a failure.
Replayed concluded(const ParsedCase& entry, const Verdict& verdict,
                   const std::vector<std::string>& mismatches) {
  Replayed done;
  done.status = verdict.status;
  done.fails = entry.known ? !mismatches.empty() : is_failure(verdict.status);
  if (!entry.known || !entry.known->is_plan_only) {
    done.text = print(entry.subject, verdict);
    if (!done.text.ends_with('\n')) done.text += '\n';
  }
  for (const std::string& mismatch : mismatches) {
    done.text += fmt::format("  not as known: {}\n", mismatch);
  }
  if (entry.known && mismatches.empty()) done.text += "  all as known\n";
  done.json = {{"file", entry.source.name}, {"line", entry.source.line}};
  done.json.update(verdict_json(entry.subject, verdict));
  if (entry.known) done.json["not_as_known"] = mismatches;
  done.json["fails"] = done.fails;
  return done;
}

/// Runs and judges the case, a second time under another schedule, in i64 if nothing else tells of
/// coverage, and beside related ones too.
Replayed replayed(const ParsedCase& entry, Backend& backend) {
  set_case_at_work(entry.source.text);
  Verdict verdict;
  if (!entry.known || !entry.known->is_plan_only) {
    verdict = check(entry.subject, backend, every_run);
  }
  std::vector<std::string> mismatches;
  if (entry.known) mismatches = check_known(*entry.known, backend);
  return concluded(entry, verdict, mismatches);
}

/// What came of a case that hung, or took its process with it.
Replayed lost(const ParsedCase& entry, const Verdict& verdict) {
  std::vector<std::string> mismatches;
  if (entry.known) {
    mismatches.push_back(
        fmt::format("verdict: known {}, got {}", entry.known->verdict,
                    verdict.findings.empty() ? verdict.reason : verdict.findings.front().got));
  }
  return concluded(entry, verdict, mismatches);
}

/// It says nothing about the backend, not even that it doesn't support the case.
Replayed unjudged(const ParsedCase& entry) {
  const Verdict verdict = verdict_of_unjudged_case();
  Replayed done = lost(entry, verdict);
  done.is_judged = false;
  const std::string label =
      fmt::format("{}: ", status_names[static_cast<std::size_t>(Status::unsupported)]);
  if (done.text.starts_with(label)) done.text.erase(0, label.size());
  return done;
}

std::string to_bytes(const Replayed& done) {
  std::string bytes;
  ordered_json::to_cbor({done.text, done.json, static_cast<int>(done.status), done.fails}, bytes);
  return bytes;
}

Replayed from_bytes(const std::string& bytes) {
  const ordered_json json = ordered_json::from_cbor(bytes);
  return {json.at(0), json.at(1), static_cast<Status>(json.at(2).get<int>()), json.at(3)};
}

/// Replays one case after the other, each where it can do no harm unless that isn't wanted.
class Replayer {
 public:
  Replayer(const ReplayOptions& options, const std::vector<ParsedCase>& cases, Backend& backend)
      : options_(options),
        cases_(cases),
        backend_(backend),
        child_({.prepare =
                    [this] {
                      return [this](const std::string& number) {
                        return to_bytes(replayed(cases_[std::stoul(number)], backend_));
                      };
                    },
                .seconds_max = options.case_seconds}) {}

  /// Nothing if the system has no process for it.
  std::optional<Replayed> replay(std::size_t number) {
    using Kind = ChildProcess::Reply::Kind;
    if (options_.is_in_process) return replayed(cases_[number], backend_);
    const ChildProcess::Reply reply = child_.ask(std::to_string(number));
    if (reply.kind == Kind::not_asked || reply.kind == Kind::interrupted) return std::nullopt;
    if (reply.kind == Kind::answered) return from_bytes(reply.answer);
    const bool is_silent = reply.kind == Kind::silent;
    if (!is_silent && ran_out_of_memory(reply.wait_status)) {
      return unjudged(cases_[number]);
    }
    return lost(cases_[number],
                verdict_of_lost_process(is_silent, options_.case_seconds, reply.wait_status));
  }

 private:
  const ReplayOptions& options_;
  const std::vector<ParsedCase>& cases_;
  Backend& backend_;
  ChildProcess child_;
};

/// What there is to replay, and what isn't a case.
struct Reading {
  std::vector<ParsedCase> cases;
  std::vector<std::string> unreadable;  ///< what is wrong with each, in one line
};

/// Of all cases together.
struct Sum {
  std::int64_t failed = 0;
  std::int64_t unsupported = 0;
  std::int64_t not_judged = 0;  ///< for want of memory
  std::int64_t illegal = 0;     ///< can't be meant, which says nothing of the backend
  Exit exit = Exit::passed;
  ordered_json verdicts = ordered_json::array();
};

/// The graver of two: what isn't right must be put right before the others mean much.
Exit graver(Exit one, Exit other) {
  for (const Exit exit : {Exit::bad_input, Exit::findings, Exit::nothing_shown}) {
    if (one == exit || other == exit) return exit;
  }
  return Exit::passed;
}

/// Adds a case's part, and prints it.
void add(Sum& sum, const ParsedCase& entry, Replayed done) {
  fmt::print("{}", done.text);
  sum.failed += done.fails ? 1 : 0;
  // What is known of a case was to be expected.
  const bool is_as_known = entry.known && !done.fails;
  if (done.status == Status::unsupported && !is_as_known) {
    (done.is_judged ? sum.unsupported : sum.not_judged) += 1;
  }
  sum.illegal += done.status == Status::illegal && !done.fails && !is_as_known ? 1 : 0;
  if (done.fails) sum.exit = graver(sum.exit, Exit::findings);
  if (!is_as_known) sum.exit = graver(sum.exit, exit_of(entry.subject, done.status));
  sum.verdicts.push_back(std::move(done.json));
}

/// "3 cases, 1 failed, 1 can't be meant"
std::string sum_text(const Sum& sum, const Reading& reading) {
  std::string text =
      fmt::format("{}, {} failed", counted(std::ssize(reading.cases), "case"), sum.failed);
  if (sum.illegal > 0) text += fmt::format(", {} can't be meant", sum.illegal);
  if (sum.unsupported > 0) text += fmt::format(", {} not run: unsupported", sum.unsupported);
  if (sum.not_judged > 0) text += fmt::format(", {} not judged: out of memory", sum.not_judged);
  if (!reading.unreadable.empty()) {
    text += fmt::format("; {} can't be read", counted(std::ssize(reading.unreadable), "file"));
  }
  return text + "\n";
}

/// What can be read, where there is anything; else nothing. What can't is printed.
std::optional<Reading> read(const ReplayOptions& options) {
  const auto sources = read_cases(options.what);
  if (!sources) {
    fmt::print(stderr, "shardcheck: {}\n", printable(sources.error()));
    return std::nullopt;
  }
  Reading reading;
  for (const std::string& problem : sources->unreadable) {
    fmt::print(stderr, "shardcheck: {}\n", printable(problem));
    reading.unreadable.push_back(printable(problem));
  }
  std::string wrong = options.is_in_process ? unsafe(options.fault) : "";
  for (const SourcedCase& source : sources->cases) {
    auto entry = parsed(source);
    if (!entry) {
      reading.unreadable.push_back(std::move(entry.error()));
      continue;
    }
    if (wrong.empty()) wrong = misfit(options.fault, entry->subject);
    reading.cases.push_back(std::move(*entry));
  }
  if (wrong.empty() && reading.cases.empty()) return std::nullopt;
  if (wrong.empty()) return reading;
  fmt::print(stderr, "shardcheck: {}\n", printable(wrong));
  return std::nullopt;
}

}  // namespace

Exit replay(const ReplayOptions& options) {
  const auto backend = make_backend(options.fault);
  if (!backend) {
    fmt::print(stderr, "shardcheck: {}\n", printable(backend.error()));
    return Exit::bad_input;
  }
  const auto reading = read(options);
  if (!reading) return Exit::bad_input;
  ReportFile report("--json", options.json);
  if (!report.problem().empty()) {
    fmt::print(stderr, "shardcheck: {}\n", printable(report.problem()));
    return Exit::bad_input;
  }
  Sum sum;
  if (!reading->unreadable.empty()) sum.exit = Exit::bad_input;
  const std::vector<ParsedCase>& cases = reading->cases;
  Replayer replayer(options, cases, **backend);
  for (std::size_t number = 0; number < cases.size(); ++number) {
    // First of all its name: in this process a case may be the last thing that happens.
    const SourcedCase& source = cases[number].source;
    if (!source.name.empty()) fmt::print("{}:{}\n", source.name, source.line);
    std::fflush(stdout);
    std::optional<Replayed> done = replayer.replay(number);
    if (!done) {
      fmt::print(stderr, "shardcheck: the system has no process for the case\n");
      return Exit::nothing_shown;
    }
    add(sum, cases[number], std::move(*done));
  }
  if (cases.size() + reading->unreadable.size() > 1) fmt::print("{}", sum_text(sum, *reading));
  const bool is_written =
      report.write(json_text({{"build", build_info()},
                              {"backend", backend_name(**backend, options.fault)},
                              {"failed", sum.failed},
                              {"unsupported", sum.unsupported},
                              {"not_judged", sum.not_judged},
                              {"illegal", sum.illegal},
                              {"unreadable", reading->unreadable},
                              {"exit", static_cast<int>(sum.exit)},
                              {"cases", sum.verdicts}}));
  return is_written ? sum.exit : Exit::bad_input;
}

}  // namespace shardcheck::tools
