#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/ledger.h>
#include <shardcheck/model/plan/search.h>
#include <shardcheck/properties/judge/number_text.h>

#include <shardcheck/tools/explain/ledger_table.h>

#include "lesson.h"

namespace shardcheck::tools {
namespace {

std::string steps_text(const ProductCase& subject, const model::ProductExpectation& expectation,
                       const Detail& detail) {
  const model::ResolvedPlan& plan = expectation.plan;
  const auto bytes =
      bytes_by_phase(rank_count(subject.mesh), std::ssize(plan.steps), expectation.sent);
  std::string text = "\nAt the start\n" + state_text(subject, plan.states.front(), detail);
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    const std::int64_t sent =
        std::accumulate(bytes[step].begin(), bytes[step].end(), std::int64_t{0});
    text +=
        fmt::format("\nStep {}: {}, {}\n  {}\n", step + 1, print(subject.mesh, {plan.steps[step]}),
                    counted(sent, "byte"), meaning_of(subject, plan.steps[step]));
    text += state_text(subject, plan.states[step + 1], detail);
  }
  return text;
}

/// Why `lost` lost: the first of the rules of plan=auto in which the two differ.
std::string why_it_lost(const model::PlanCost& lost, const model::PlanCost& won) {
  if (lost.bytes != won.bytes) {
    return fmt::format("it sends {}, the chosen one {}", counted(lost.bytes, "byte"), won.bytes);
  }
  const std::string bytes = fmt::format("it sends {} too", counted(lost.bytes, "byte"));
  if (lost.operand_steps != won.operand_steps) {
    return fmt::format("{}, but takes {} on A and B, the chosen one {}", bytes,
                       counted(lost.operand_steps, "step"), won.operand_steps);
  }
  if (lost.steps != won.steps) {
    return fmt::format("{}, but takes {}, the chosen one {}", bytes, counted(lost.steps, "step"),
                       won.steps);
  }
  if (lost.exchanges != won.exchanges) {
    return fmt::format(
        "{} in as many steps, but {}, the chosen one has {}", bytes,
        lost.exchanges == 1 ? "1 is an exchange" : fmt::format("{} are exchanges", lost.exchanges),
        won.exchanges);
  }
  return bytes + " in as many steps of the same sort; its text comes later in the alphabet";
}

/// Requires: plan=auto, and some plan is legal.
std::string runner_up_text(const ProductCase& subject) {
  model::PlanSpace space(subject);
  const auto contest = model::cheapest_two(space);
  SHARDCHECK_REQUIRE(contest, "auto has found a plan for this case already");
  if (!contest->runner_up) {
    return "Runner-up: none; every legal plan multiplies the same parts and sums them alike.\n";
  }
  const model::PricedPlan& runner_up = *contest->runner_up;
  return fmt::format(
      "Runner-up, among plans that multiply other parts or sum them otherwise: {}\n"
      "  {}.\n",
      print(subject.mesh, runner_up.steps), why_it_lost(runner_up.cost, contest->chosen.cost));
}

bool is_held_once(const ProductCase& subject, const model::TensorState& tensor) {
  return tensor.rows_over.size() + tensor.columns_over.size() == subject.mesh.axes.size();
}

/// Every rank holds a part of the same rows × columns.
bool is_even(const model::TensorState& tensor) {
  const model::Shard& first = tensor.shards.front();
  return std::all_of(tensor.shards.begin(), tensor.shards.end(), [&](const model::Shard& shard) {
    return shard.rows.size() == first.rows.size() && shard.columns.size() == first.columns.size();
  });
}

/// In every state of the plan, so that the work is shared evenly too.
bool is_even(const model::ResolvedPlan& plan) {
  return std::all_of(plan.states.begin(), plan.states.end(), [](const model::PlanState& state) {
    return is_even(state.a) && is_even(state.b) && (!state.c || is_even(*state.c));
  });
}

/// The bound counts operands received and partials sent, and supposes one copy of each tensor and
/// sizes that the grid divides.
bool is_under_the_bound(const ProductCase& subject, const model::ResolvedPlan& plan) {
  const bool is_moved_so = std::all_of(plan.steps.begin(), plan.steps.end(), [](const Step& step) {
    if (multiplies(step.kind) || step.kind == Step::Kind::reduce_scatter) return true;
    return step.tensor != Tensor::c && step.kind != Step::Kind::slice;
  });
  const model::PlanState& start = plan.states.front();
  return is_moved_so && is_even(plan) && is_held_once(subject, start.a) &&
         is_held_once(subject, start.b) && is_held_once(subject, *plan.states.back().c);
}

/// What the bound counts, at the rank that has most of it. Requires: is_under_the_bound.
std::int64_t elements_moved_max(const ProductCase& subject,
                                const model::ProductExpectation& expectation) {
  std::vector<std::int64_t> elements(static_cast<std::size_t>(rank_count(subject.mesh)), 0);
  for (const Transfer& transfer : expectation.sent) {
    const Step& step = expectation.plan.steps[static_cast<std::size_t>(transfer.phase)];
    const bool is_partial = info(step.kind).is_sum;
    const std::int64_t rank = is_partial ? transfer.source : transfer.destination;
    const Dtype dtype = is_partial ? subject.dtypes.wire : subject.dtypes.in;
    elements[static_cast<std::size_t>(rank)] += transfer.bytes / info(dtype).bytes;
  }
  return *std::max_element(elements.begin(), elements.end());
}

std::string total_text(const ProductCase& subject, const model::ProductExpectation& expectation) {
  const std::vector<std::int64_t> sent = model::bytes_sent(subject, expectation.sent);
  const std::int64_t total = std::accumulate(sent.begin(), sent.end(), std::int64_t{0});
  return fmt::format("\nTotal: {} sent, {} by the busiest rank.\n", counted(total, "byte"),
                     sent.empty() ? 0 : *std::max_element(sent.begin(), sent.end()));
}

/// Information only. Nothing where the bound doesn't hold.
std::string lower_bound_text(const ProductCase& subject,
                             const model::ProductExpectation& expectation) {
  if (!is_under_the_bound(subject, expectation.plan)) return "";
  const std::int64_t ranks = rank_count(subject.mesh);
  return fmt::format(
      "Lower bound, in elements: {:g} at the busiest of {} (each tensor held once, even cuts).\n"
      "  To compare: {} of A and B received and of partials sent.\n",
      model::lower_bound_elements(subject.i, subject.j, subject.k, ranks), counted(ranks, "rank"),
      counted(elements_moved_max(subject, expectation), "element"));
}

}  // namespace

std::string plan_text(const model::ProductExpectation& expectation, const Detail& detail) {
  const ProductCase& subject = expectation.subject;
  std::string text =
      fmt::format("\nPlan: {}{}\n", print(subject.mesh, expectation.plan.steps),
                  subject.plan ? "" : " (auto: the cheapest legal plan by bytes sent)");
  if (!subject.plan) text += runner_up_text(subject);
  return text + steps_text(subject, expectation, detail);
}

std::string totals_text(const model::ProductExpectation& expectation) {
  return total_text(expectation.subject, expectation) +
         lower_bound_text(expectation.subject, expectation);
}

}  // namespace shardcheck::tools
