#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

#include "backend_choice.h"
#include "commands.h"
#include "explain_parts.h"
#include "results.h"
#include "single_case.h"
#include "step_text.h"

namespace shardcheck::tools {
namespace {

std::string ledger_text(const Story& story) {
  const model::Expectation& expectation = story.expectation;
  const auto& ledger = story.record.observation.ledger;
  if (!ledger) return "The backend keeps no ledger.\n";
  return ledger_table(story.subject, expectation.plan.steps, expectation.sent, ledger->sent,
                      story.detail);
}

}  // namespace

Exit explain(const ExplainOptions& options) {
  const auto backend = make_backend(options.fault);
  if (!backend) {
    fmt::print(stderr, "shardcheck: {}\n", backend.error());
    return Exit::bad_input;
  }
  const std::unique_ptr<SingleCase> single = read_single_case(options.what);
  if (!single) return Exit::bad_input;
  const Case& subject = single->subject;
  const std::string line = print(subject);
  set_case_at_work(line);
  Arena arena;
  const RunRecord record =
      run_once(subject, model::initial_state(subject), **backend, arena, {.trace = true});
  const Story story{subject, *single->expectation, record, detail_of(options.full)};

  fmt::print("{}\n\nThe question\n{}", line, question_text(story));
  fmt::print("\nWhat each rank starts with\n{}", shards_text(story));
  fmt::print("{}", walk_text(story));
  fmt::print("\nWho owns what in the end\n{}", owners_text(story));
  fmt::print("\nBytes sent, counted once, at the sender\n{}", ledger_text(story));
  const Verdict verdict = check(subject, **backend, {.repeat = true, .relating = Relating::every});
  std::string text = print(subject, verdict);
  if (!text.ends_with('\n')) text += '\n';
  fmt::print("\nThe verdict\n{}", text);
  return is_failure(verdict.status) ? Exit::findings : Exit::passed;
}

}  // namespace shardcheck::tools
