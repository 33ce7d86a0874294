#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/case/contract.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/run_record.h>
#include <shardcheck/properties/judge/report.h>

#include "backend_choice.h"
#include "collective_lesson.h"
#include "collective_walk.h"
#include "commands.h"
#include "explain_parts.h"
#include "failure_file.h"
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

std::string temporaries_text(const std::optional<std::vector<std::int64_t>>& peaks,
                             const std::vector<std::int64_t>& allowed, const Detail& detail) {
  if (!peaks) return "  the backend doesn't tell\n";
  const std::int64_t ranks = std::min(std::ssize(*peaks), std::ssize(allowed));
  std::string text;
  for (std::int64_t rank = 0; rank < std::min(ranks, detail.ranks); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    text += fmt::format("  rank {:<3} {} of at most {}\n", rank, (*peaks)[at], allowed[at]);
  }
  return text + more_text(ranks, detail.ranks, "ranks");
}

template <typename Subject>
Exit conclude(const Subject& subject, const Verdict& verdict, const std::string& fault) {
  const std::string quoted = fmt::format("'{}'", print(subject));
  std::string text = print(subject, verdict, replay_command(fault, quoted));
  if (!text.ends_with('\n')) text += '\n';
  fmt::print("\nThe verdict\n{}", text);
  return exit_of(subject, verdict.status);
}

Exit explain_collective(const SingleCollective& single, Backend& backend,
                        const std::string& fault, const Detail& detail) {
  const CallsCase& subject = single.subject;
  const model::CollectiveExpectation& expectation = *single.expectation;
  const std::string line = print(subject);
  set_case_at_work(line);
  CollectiveArena arena;
  const RunRecord record = run_once(subject, expectation, backend, arena, {.trace = true});
  const auto& metered = record.observation.ledger;
  fmt::print("{}\n\nThe question\n{}", line, question_text(subject));
  fmt::print("\nWhat each rank starts with\n{}", starts_text(expectation, detail));
  fmt::print("\nWhat each rank must end with\n{}", results_text(expectation, detail));
  fmt::print("{}", calls_text(expectation, record, detail));
  fmt::print("\nWhat each rank ended with\n{}", ends_text(expectation, record, detail));
  fmt::print("\nBytes sent, counted once, at the sender\n{}",
             ledger_text(expectation, metered ? metered->sent : expectation.sent, detail));
  fmt::print("\nTemporary bytes at the peak, beyond input and output\n{}",
             temporaries_text(record.observation.temporary_bytes, expectation.temporary_bytes_max,
                              detail));
  const std::string others = other_algorithms_text(subject, detail);
  if (!others.empty()) fmt::print("\nThe same by other algorithms, by rank\n{}", others);
  return conclude(subject, check(subject, backend, every_run), fault);
}

Exit explain_product(const SingleCase& single, Backend& backend, const std::string& fault,
                     const Detail& detail) {
  const ProductCase& subject = single.subject;
  const std::string line = print(subject);
  set_case_at_work(line);
  Arena arena;
  const RunRecord record =
      run_once(subject, model::initial_state(subject), backend, arena, {.trace = true});
  const Story story{subject, *single.expectation, record, detail};

  fmt::print("{}\n\nThe question\n{}", line, question_text(story));
  fmt::print("\nWhat each rank starts with\n{}", shards_text(story));
  fmt::print("{}", walk_text(story));
  fmt::print("\nWho owns what in the end\n{}", owners_text(story));
  fmt::print("\nBytes sent, counted once, at the sender\n{}", ledger_text(story));
  fmt::print("\nTemporary bytes at the peak, beyond inputs and output\n{}",
             temporaries_text(record.observation.temporary_bytes,
                              single.expectation->temporary_bytes_max, detail));
  return conclude(subject, check(subject, backend, every_run), fault);
}

/// Says so if the fault can't be planted beneath that case in this process.
bool is_refused(std::string_view fault, const Case& subject) {
  std::string wrong = unsafe(fault);
  if (wrong.empty()) wrong = misfit(fault, subject);
  if (!wrong.empty()) fmt::print(stderr, "shardcheck: {}\n", wrong);
  return !wrong.empty();
}

}  // namespace

Exit explain(const ExplainOptions& options) {
  const auto backends = make_backends(options.fault);
  if (!backends) {
    fmt::print(stderr, "shardcheck: {}\n", backends.error());
    return Exit::bad_input;
  }
  const SingleCaseOfAnyKind single = read_single_case(options.what);
  const Detail detail = detail_of(options.full);
  if (const auto* product = std::get_if<std::unique_ptr<SingleCase>>(&single)) {
    if (is_refused(options.fault, (*product)->subject)) return Exit::bad_input;
    return explain_product(**product, *backends->products, options.fault, detail);
  }
  if (const auto* collective = std::get_if<std::unique_ptr<SingleCollective>>(&single)) {
    if (is_refused(options.fault, (*collective)->subject)) return Exit::bad_input;
    return explain_collective(**collective, *backends->collectives, options.fault, detail);
  }
  return Exit::bad_input;
}

}  // namespace shardcheck::tools
