#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>
#include <shardcheck/properties/judge/run_record.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include <shardcheck/tools/cases/single_case.h>
#include <shardcheck/tools/explain/ledger_table.h>
#include <shardcheck/tools/explain/lesson.h>
#include <shardcheck/tools/results/failure_file.h>

#include "commands.h"

namespace shardcheck::tools {
namespace {

std::string ledger_text(const Lesson& lesson, const Story& story) {
  const auto& ledger = story.record.observation.ledger;
  if (!ledger) return "The backend keeps no ledger.\n";
  return ledger_table(rank_count(story.expectation.setting().mesh),
                      lesson.phases(story.expectation), story.expectation.sent, ledger->sent,
                      story.detail);
}

std::string temporaries_text(const Story& story) {
  const auto& peaks = story.record.observation.temporary_bytes;
  const std::vector<std::int64_t>& allowed = story.expectation.temporary_bytes_max;
  if (!peaks) return "  the backend doesn't tell\n";
  return by_rank(
      std::min(std::ssize(*peaks), std::ssize(allowed)), story.detail, [&](std::int64_t rank) {
        const auto at = static_cast<std::size_t>(rank);
        return fmt::format("  rank {:<3} {} of at most {}\n", rank, (*peaks)[at], allowed[at]);
      });
}

void print_lesson(const Lesson& lesson, const Story& story) {
  const model::Expectation& expectation = story.expectation;
  fmt::print("\nThe question\n{}", lesson.question(expectation));
  fmt::print("\nWhat each rank starts with\n{}", lesson.starts(expectation, story.detail));
  if (lesson.dues != nullptr) {
    fmt::print("\nWhat each rank must end with\n{}", lesson.dues(expectation, story.detail));
  }
  fmt::print("{}", lesson.walk(story));
  fmt::print("\n{}\n{}", lesson.ends_title, lesson.ends(story));
  fmt::print("\nBytes sent, counted once, at the sender\n{}", ledger_text(lesson, story));
  fmt::print("\nTemporary bytes at the peak, beyond input{} and output\n{}",
             expectation.input_names().size() == 1 ? "" : "s", temporaries_text(story));
  if (lesson.others != nullptr) fmt::print("{}", lesson.others(expectation, story.detail));
}

/// The case judged as `replay` judges it.
Exit conclude(const Case& subject, const Verdict& verdict, const std::string& fault) {
  const std::string quoted = fmt::format("'{}'", print(subject));
  std::string text = print(subject, verdict, replay_command(fault, quoted));
  if (!text.ends_with('\n')) text += '\n';
  fmt::print("\nThe verdict\n{}", text);
  return exit_of(subject, verdict.status);
}

}  // namespace

Exit explain(const ExplainOptions& options) {
  const auto backend = make_backend(options.fault);
  if (!backend) {
    fmt::print(stderr, "shardcheck: {}\n", backend.error());
    return Exit::bad_input;
  }
  const std::optional<SingleCase> single = read_single_case(options.what);
  if (!single) return Exit::bad_input;
  const Case& subject = single->subject;
  std::string wrong = unsafe(options.fault);
  if (wrong.empty()) wrong = misfit(options.fault, subject);
  if (!wrong.empty()) {
    fmt::print(stderr, "shardcheck: {}\n", wrong);
    return Exit::bad_input;
  }
  const std::string line = print(subject);
  set_case_at_work(line);
  Arena arena;
  const RunRecord record =
      run_once(subject, *single->expectation, **backend, arena, {.trace = true});
  fmt::print("{}\n", line);
  print_lesson(lesson_of(kind_of(subject)),
               {*single->expectation, record, detail_of(options.full)});
  return conclude(subject, check(subject, **backend, every_run), options.fault);
}

}  // namespace shardcheck::tools
