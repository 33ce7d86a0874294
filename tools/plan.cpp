#include <optional>
#include <string>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/tools/cases/single_case.h>
#include <shardcheck/tools/explain/ledger_table.h>
#include <shardcheck/tools/explain/lesson.h>

#include "commands.h"

namespace shardcheck::tools {

Exit plan(const PlanOptions& options) {
  const std::optional<SingleCase> single = read_single_case(options.what);
  if (!single) return Exit::bad_input;
  const model::Expectation& expectation = *single->expectation;
  const Lesson& lesson = lesson_of(kind_of(single->subject));
  const Detail detail = detail_of(options.full);
  fmt::print("{}\n{}", print(single->subject), lesson.outline(expectation, detail));
  fmt::print("\nBytes sent\n{}",
             ledger_table(rank_count(expectation.setting().mesh), lesson.phases(expectation),
                          expectation.sent, expectation.sent, detail));
  if (lesson.totals != nullptr) fmt::print("{}", lesson.totals(expectation));
  if (lesson.others != nullptr) fmt::print("{}", lesson.others(expectation, detail));
  return Exit::passed;
}

}  // namespace shardcheck::tools
