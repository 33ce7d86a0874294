#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/corpus/corpus.h>
#include <shardcheck/properties/judge/report.h>

#include "backend_choice.h"
#include "case_source.h"
#include "commands.h"
#include "results.h"

namespace shardcheck::tools {
namespace {

struct ParsedCase {
  SourcedCase source;
  Case subject;
  std::optional<CorpusFile> known;
};

/// The case, and the known answers beside it; or what is wrong in one line, already printed.
std::optional<ParsedCase> parsed(const SourcedCase& source) {
  auto subject = parse(source.text);
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

/// Runs and judges one case, a second time under another schedule too. True if it failed.
bool verdict_fails(const ParsedCase& entry, Backend& backend) {
  const Verdict verdict =
      check(entry.subject, backend, {.repeat = true, .relating = Relating::every});
  std::string text = print(entry.subject, verdict);
  if (!text.ends_with('\n')) text += '\n';
  fmt::print("{}", text);
  return is_failure(verdict.status);
}

/// Where answers are known they decide: a verdict may be known to be a failure.
bool fails(const ParsedCase& entry, Backend& backend) {
  set_case_at_work(entry.source.text);
  if (!entry.source.name.empty()) fmt::print("{}:{}\n", entry.source.name, entry.source.line);
  bool failed = false;
  if (!entry.known || !entry.known->is_plan_only) failed = verdict_fails(entry, backend);
  if (!entry.known) return failed;
  const std::vector<std::string> mismatches = check_known(*entry.known, backend);
  for (const std::string& mismatch : mismatches) fmt::print("  not as known: {}\n", mismatch);
  if (mismatches.empty()) fmt::print("  all as known\n");
  return !mismatches.empty();
}

}  // namespace

Exit replay(const ReplayOptions& options) {
  const auto backend = make_backend(options.fault);
  const auto sources =
      backend ? read_cases(options.what) : tl::unexpected<std::string>(backend.error());
  if (!sources) {
    fmt::print(stderr, "shardcheck: {}\n", printable(sources.error()));
    return Exit::bad_input;
  }
  std::vector<ParsedCase> cases;
  for (const SourcedCase& source : *sources) {
    std::optional<ParsedCase> entry = parsed(source);
    if (!entry) return Exit::bad_input;
    cases.push_back(std::move(*entry));
  }
  std::int64_t failed = 0;
  for (const ParsedCase& entry : cases) {
    failed += fails(entry, **backend) ? 1 : 0;
    std::fflush(stdout);
  }
  if (cases.size() > 1) fmt::print("{} cases, {} failed\n", cases.size(), failed);
  return failed > 0 ? Exit::findings : Exit::passed;
}

}  // namespace shardcheck::tools
