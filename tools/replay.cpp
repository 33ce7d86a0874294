#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/properties/check.h>
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
};

/// Runs and judges one case, a second time under another schedule too. True if it failed.
bool replay_one(const ParsedCase& entry, Backend& backend) {
  set_case_at_work(entry.source.text);
  const Verdict verdict = check(entry.subject, backend, {.repeat = true});
  if (!entry.source.name.empty()) fmt::print("{}:{}\n", entry.source.name, entry.source.line);
  std::string text = print(entry.subject, verdict);
  if (!text.ends_with('\n')) text += '\n';
  fmt::print("{}", text);
  std::fflush(stdout);
  return is_failure(verdict.status);
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
    auto subject = parse(source.text);
    if (!subject) {
      print_error(source, subject.error());
      return Exit::bad_input;
    }
    cases.push_back({source, std::move(*subject)});
  }
  std::int64_t failed = 0;
  for (const ParsedCase& entry : cases) failed += replay_one(entry, **backend) ? 1 : 0;
  if (cases.size() > 1) fmt::print("{} cases, {} failed\n", cases.size(), failed);
  return failed > 0 ? Exit::findings : Exit::passed;
}

}  // namespace shardcheck::tools
