#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/corpus/corpus.h>
#include <shardcheck/properties/judge/report.h>

#include "backend_choice.h"
#include "build_info.h"
#include "case_source.h"
#include "commands.h"
#include "report_file.h"
#include "results.h"
#include "verdict_json.h"

namespace shardcheck::tools {
namespace {

using nlohmann::ordered_json;

struct ParsedCase {
  SourcedCase source;
  AnyCase subject;
  std::optional<CorpusFile> known;
};

/// The case, and the known answers beside it; or what is wrong in one line, already printed.
std::optional<ParsedCase> parsed(const SourcedCase& source) {
  auto subject = parse_any(source.text);
  if (!subject) {
    print_error(source, subject.error());
    return std::nullopt;
  }
  if (source.known_file.empty()) return ParsedCase{source, std::move(*subject), std::nullopt};
  auto known = parse_corpus_file(source.known_file);
  if (!known) {
    CorpusError error = known.error();
    error.file = source.name;
    fmt::print(stderr, "shardcheck: {}\n", printable(print(error)));
    return std::nullopt;
  }
  return ParsedCase{source, std::move(*subject), std::move(*known)};
}

/// What came of one file or line.
struct Replayed {
  Verdict verdict;  ///< not for plan-only files
  std::vector<std::string> mismatches;
  bool fails = false;
};

/// Runs and judges the case, a second time under another schedule and beside related ones too.
/// Where answers are known they decide: a verdict may be known to be a failure.
Replayed replayed(const ParsedCase& entry, const Backends& backends) {
  set_case_at_work(entry.source.text);
  if (!entry.source.name.empty()) fmt::print("{}:{}\n", entry.source.name, entry.source.line);
  Replayed done;
  if (!entry.known || !entry.known->is_plan_only) {
    done.verdict = check(entry.subject, backends, {.repeat = true, .relating = Relating::every});
    std::string text =
        std::visit([&](const auto& one) { return print(one, done.verdict); }, entry.subject);
    if (!text.ends_with('\n')) text += '\n';
    fmt::print("{}", text);
  }
  done.fails = fails_a_run(done.verdict.status);
  if (!entry.known) return done;
  done.mismatches = check_known(*entry.known, *backends.products, *backends.collectives);
  for (const std::string& mismatch : done.mismatches) fmt::print("  not as known: {}\n", mismatch);
  if (done.mismatches.empty()) fmt::print("  all as known\n");
  done.fails = !done.mismatches.empty();
  return done;
}

ordered_json replayed_json(const ParsedCase& entry, const Replayed& done) {
  ordered_json json = {{"file", entry.source.name}, {"line", entry.source.line}};
  json.update(verdict_json(entry.subject, done.verdict));
  if (entry.known) json["not_as_known"] = done.mismatches;
  json["fails"] = done.fails;
  return json;
}

}  // namespace

Exit replay(const ReplayOptions& options) {
  const auto backends = make_backends(options.fault);
  const auto sources =
      backends ? read_cases(options.what) : tl::unexpected<std::string>(backends.error());
  if (!sources) {
    fmt::print(stderr, "shardcheck: {}\n", printable(sources.error()));
    return Exit::bad_input;
  }
  std::vector<ParsedCase> cases;
  std::string wrong = unsafe(options.fault);
  for (const SourcedCase& source : *sources) {
    std::optional<ParsedCase> entry = parsed(source);
    if (!entry) return Exit::bad_input;
    if (wrong.empty()) wrong = misfit(options.fault, entry->subject);
    cases.push_back(std::move(*entry));
  }
  ReportFile report("--json", options.json);
  if (wrong.empty()) wrong = report.problem();
  if (!wrong.empty()) {
    fmt::print(stderr, "shardcheck: {}\n", printable(wrong));
    return Exit::bad_input;
  }
  std::int64_t failed = 0;
  bool is_any_illegal = false;
  ordered_json verdicts = ordered_json::array();
  for (const ParsedCase& entry : cases) {
    const Replayed done = replayed(entry, *backends);
    failed += done.fails ? 1 : 0;
    is_any_illegal |= done.fails && done.verdict.status == Status::illegal;
    if (report.is_wanted()) verdicts.push_back(replayed_json(entry, done));
    std::fflush(stdout);
  }
  if (cases.size() > 1) fmt::print("{} cases, {} failed\n", cases.size(), failed);
  const Exit judged = failed > 0 ? Exit::findings : Exit::passed;
  // A case that can't be meant says nothing of a backend.
  const Exit exit = is_any_illegal ? Exit::bad_input : judged;
  const bool is_written =
      report.write(json_text({{"build", build_info()},
                              {"backend", backend_names(*backends, options.fault, true, true)},
                              {"failed", failed},
                              {"exit", static_cast<int>(exit)},
                              {"cases", verdicts}}));
  return is_written ? exit : Exit::bad_input;
}

}  // namespace shardcheck::tools
