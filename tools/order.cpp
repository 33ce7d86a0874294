#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/judge/number_text.h>
#include <shardcheck/properties/order/order.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include <shardcheck/tools/cases/case_source.h>
#include <shardcheck/tools/explain/lesson.h>
#include "commands.h"

namespace shardcheck::tools {
namespace {

constexpr std::size_t places_printed = 40;

std::string with_prefix(const SummationTree& tree, std::string_view prefix) {
  return print(tree, [prefix](std::int64_t leaf) { return fmt::format("{}{}", prefix, leaf); });
}

/// "[r1 r2 r0]" beside what it should have been, if it is something else.
std::string compared(const std::optional<SummationTree>& found, const SummationTree& documented,
                     std::string_view prefix) {
  const std::string wanted = with_prefix(documented, prefix);
  const std::string seen = found ? with_prefix(*found, prefix) : "in no such order";
  if (found && *found == documented) return seen + ", as documented";
  return fmt::format("{}, DOCUMENTED {}", seen, wanted);
}

std::string local_sums_text(const OrderFound& place, std::string_view prefix) {
  std::string text;
  for (const OwnTerms& own : place.own) {
    const auto documented = part_over(place.documented, own.terms);
    const auto found = part_over(*place.found, own.terms);
    if (!documented) continue;
    text += fmt::format("    rank {}: {}\n", own.rank, compared(found, *documented, prefix));
  }
  return text;
}

/// A product in two layers: ranks, then the k's of each. Local sums are told once, and wherever
/// they are not as documented.
std::string place_text(const OrderFound& place, bool tells_local_sums, std::string_view prefix) {
  if (!place.found) {
    return fmt::format("    {}\n    DOCUMENTED {}\n", place.found.error(),
                       with_prefix(place.documented, prefix));
  }
  const auto documented = across_ranks(place.documented, place.own);
  const auto found = across_ranks(*place.found, place.own);
  if (!documented || !found || documented->parts.empty()) {
    return fmt::format("    {}\n", compared(*place.found, place.documented, prefix));
  }
  std::string text = fmt::format("    across ranks: {}\n", compared(found, *documented, "r"));
  if (tells_local_sums || !place.is_as_documented()) text += local_sums_text(place, prefix);
  return text;
}

std::string report_text(const Case& subject, const OrderReport& report) {
  const Lesson& lesson = lesson_of(kind_of(subject));
  std::string text =
      fmt::format("[a b c] is (a + b) + c; found from the outside in {} with masks for data.\n",
                  counted(report.runs, "run"));
  if (!report.are_all_terms) {
    text += fmt::format("Of each share of k the first terms alone, {} in all; the others are 0.\n",
                        report.terms.size());
  }
  for (std::size_t index = 0; index < report.found.size(); ++index) {
    const OrderFound& place = report.found[index];
    // What differs is shown in any case.
    if (index >= places_printed && place.is_as_documented()) continue;
    const std::int64_t others = place.places - 1;
    text += fmt::format("\n  {}{}\n", lesson.place(subject, place),
                        others == 0 ? "" : " and " + counted(others, "more place"));
    text += place_text(place, index == 0, lesson.term);
  }
  if (report.found.size() > places_printed) {
    text += fmt::format("\n  {} different orders in all\n", report.found.size());
  }
  return text;
}

Exit shown(const Case& subject, const tl::expected<OrderReport, std::string>& report) {
  if (!report) {
    fmt::print(stderr, "shardcheck: {}\n", printable(report.error()));
    return Exit::bad_input;
  }
  std::int64_t differing = 0;
  for (const OrderFound& place : report->found) {
    if (!place.is_as_documented()) differing += place.places;
  }
  fmt::print("{}\n{}\n{}\n", print(subject), report_text(subject, *report),
             differing == 0 ? "All sums in the documented order."
                            : counted(differing, "result") + " NOT in the documented order.");
  return differing == 0 ? Exit::passed : Exit::findings;
}

}  // namespace

Exit order(const OrderOptions& options) {
  const auto backend = make_backend(options.fault);
  if (!backend) {
    fmt::print(stderr, "shardcheck: {}\n", printable(backend.error()));
    return Exit::bad_input;
  }
  const std::optional<Case> subject = read_one_case(options.what);
  if (!subject) return Exit::bad_input;
  std::string wrong = unsafe(options.fault);
  if (wrong.empty()) wrong = misfit(options.fault, *subject);
  if (!wrong.empty()) {
    fmt::print(stderr, "shardcheck: {}\n", wrong);
    return Exit::bad_input;
  }
  return shown(*subject, reveal_order(*subject, **backend));
}

}  // namespace shardcheck::tools
