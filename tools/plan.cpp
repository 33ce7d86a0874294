#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/ledger.h>

#include "commands.h"
#include "ownership_text.h"
#include "single_case.h"
#include "step_text.h"

namespace shardcheck::tools {
namespace {

std::string steps_text(const Case& subject, const model::Expectation& expectation,
                       const Detail& detail) {
  const model::ResolvedPlan& plan = expectation.plan;
  const auto bytes = bytes_by_step(subject, std::ssize(plan.steps), expectation.sent);
  std::string text = "\nAt the start\n" + state_text(subject, plan.states.front(), detail);
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    const std::int64_t sent =
        std::accumulate(bytes[step].begin(), bytes[step].end(), std::int64_t{0});
    text += fmt::format("\nStep {}: {}, {} bytes\n  {}\n", step + 1,
                        print(subject.mesh, {plan.steps[step]}), sent,
                        meaning_of(subject, plan.steps[step]));
    text += state_text(subject, plan.states[step + 1], detail);
  }
  return text;
}

/// Information only: it supposes one copy of each tensor and even cuts.
std::string lower_bound_text(const Case& subject, const model::Expectation& expectation) {
  const std::int64_t ranks = rank_count(subject.mesh);
  const std::vector<std::int64_t> sent = model::bytes_sent(subject, expectation.sent);
  const std::int64_t total = std::accumulate(sent.begin(), sent.end(), std::int64_t{0});
  const double bound = model::lower_bound_elements(subject.i, subject.j, subject.k, ranks);
  return fmt::format(
      "\nTotal: {} bytes sent, {} by the busiest rank.\n"
      "Lower bound: {:g} elements at the busiest of {} rank{} (each tensor held once, even "
      "cuts).\n",
      total, sent.empty() ? 0 : *std::max_element(sent.begin(), sent.end()), bound, ranks,
      ranks == 1 ? "" : "s");
}

}  // namespace

Exit plan(const PlanOptions& options) {
  const std::unique_ptr<SingleCase> single = read_single_case(options.what);
  if (!single) return Exit::bad_input;
  const Case& subject = single->subject;
  const model::Expectation& expectation = *single->expectation;
  const Detail detail = detail_of(options.full);
  fmt::print("{}\n\nPlan: {}{}\n", print(subject), print(subject.mesh, expectation.plan.steps),
             subject.plan ? "" : " (auto: the cheapest legal plan by bytes sent)");
  fmt::print("{}", steps_text(subject, expectation, detail));
  fmt::print("\nBytes sent\n{}", ledger_table(subject, expectation.plan.steps, expectation.sent,
                                              expectation.sent, detail));
  fmt::print("{}", lower_bound_text(subject, expectation));
  return Exit::passed;
}

}  // namespace shardcheck::tools
