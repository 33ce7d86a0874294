// Random products of integers, whose sums are the same in every order: each element of C must be
// the plain sum over k modulo 2^width, whatever the layouts, the plan and the schedule. The bytes
// that the meter counts must be the closed forms by which the planner chose.

#include <array>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/by_hand/random_case.h>
#include <shardcheck/impl/by_hand/run_case.h>
#include <shardcheck/impl/plan/planner.h>

namespace shardcheck::impl {
namespace {

std::vector<std::int64_t> all_of(std::int64_t extent) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(extent));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void expect_sums(const CaseRun& run) {
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_TRUE(run.seen.left_over->empty());
  for (std::size_t rank = 0; rank < run.results.size(); ++rank) {
    for (std::size_t at = 0; at < run.results[rank].size(); ++at) {
      ASSERT_EQ(run.results[rank][at],
                plain_sum(run.subject, run.seen.owned[rank][at], all_of(run.subject.k)))
          << "rank " << rank << ", element " << at;
    }
  }
}

void expect_planned_bytes(const CaseRun& run) {
  Situation situation(run.subject);
  std::map<std::int64_t, std::int64_t> sent;
  for (const Transfer& transfer : run.seen.ledger->sent) sent[transfer.phase] += transfer.bytes;
  PlanState state = situation.start;
  for (std::size_t at = 0; at < run.seen.steps->size(); ++at) {
    const CompactStep step = compact((*run.seen.steps)[at]);
    const auto next = after(situation, state, step);
    ASSERT_TRUE(next.has_value()) << next.error();
    EXPECT_EQ(sent[static_cast<std::int64_t>(at)], bytes_sent(situation, step, state, *next))
        << "step " << at;
    state = *next;
  }
}

TEST(RandomCases, GiveThePlainSumByTheCheapestPlan) {
  Draw draw(11);
  for (int n = 0; n < 1500; ++n) {
    const CaseRun run = run_case(draw_case(draw));
    SCOPED_TRACE(print(run.subject));
    ASSERT_NO_FATAL_FAILURE(expect_sums(run));
    SCOPED_TRACE(print(run.subject.mesh, *run.seen.steps));
    ASSERT_NO_FATAL_FAILURE(expect_planned_bytes(run));
    ASSERT_FALSE(HasFailure());
  }
}

/// Any step at all on `tensor`, legal or not.
CompactStep draw_step(Draw& draw, const Mesh& mesh, Tensor tensor) {
  CompactStep step;
  step.tensor = tensor;
  const std::array kinds{Step::Kind::slice, Step::Kind::gather, Step::Kind::exchange,
                         Step::Kind::reduce_scatter, Step::Kind::all_reduce};
  step.kind = kinds[static_cast<std::size_t>(draw.below(tensor == Tensor::c ? 5 : 3))];
  if (step.kind != Step::Kind::exchange) {
    step.mesh_axis = static_cast<int>(draw.below(static_cast<std::int64_t>(mesh.axes.size())));
  } else if (tensor != Tensor::c && draw.one_in(2)) {
    step.has_brackets = true;
    const std::int64_t sets = std::int64_t{1} << mesh.axes.size();
    step.rows_over = static_cast<MeshAxes>(draw.below(sets));
    step.columns_over = static_cast<MeshAxes>(draw.below(sets)) & ~step.rows_over;
  }
  return step;
}

/// Any schedule at all, legal or not.
CompactStep draw_schedule(Draw& draw, const Mesh& mesh) {
  const auto axes = static_cast<std::int64_t>(mesh.axes.size());
  const std::array kinds{Step::Kind::gather_local, Step::Kind::local_scatter, Step::Kind::summa,
                         Step::Kind::cannon};
  CompactStep step;
  step.kind = kinds[static_cast<std::size_t>(draw.below(4))];
  step.mesh_axis = static_cast<int>(draw.below(axes));
  if (step.kind == Step::Kind::gather_local) step.tensor = draw.one_in(2) ? Tensor::a : Tensor::b;
  if (step.kind == Step::Kind::summa || step.kind == Step::Kind::cannon) {
    step.column_axis = static_cast<int>(draw.below(axes));
  }
  return step;
}

/// A walk through legal steps that happens to end with what the consumer wants, or nothing.
std::optional<Plan> draw_plan(Draw& draw, const ProductCase& subject) {
  Situation situation(subject);
  PlanState state = situation.start;
  Plan plan;
  for (int attempt = 0; attempt < 60; ++attempt) {
    if (is_goal(situation, state)) return plan;
    CompactStep step;
    if (state.is_multiplied) {
      step = draw_step(draw, subject.mesh, Tensor::c);
    } else if (draw.one_in(2)) {
      step = draw_schedule(draw, subject.mesh);
    } else if (attempt < 4 || !draw.one_in(3)) {
      step = draw_step(draw, subject.mesh, draw.one_in(2) ? Tensor::a : Tensor::b);
    }
    const auto next = after(situation, state, step);
    if (!next || *next == state) continue;
    state = *next;
    plan.push_back(expanded(step));
  }
  return std::nullopt;
}

TEST(RandomCases, GiveThePlainSumByAnyLegalPlan) {
  Draw draw(13);
  std::map<Step::Kind, int> taken;
  for (int n = 0; n < 3000; ++n) {
    ProductCase subject = draw_case(draw);
    subject.plan = draw_plan(draw, subject);
    if (!subject.plan) continue;
    for (const Step& step : *subject.plan) ++taken[step.kind];
    const CaseRun run = run_case(subject);
    SCOPED_TRACE(print(subject));
    ASSERT_NO_FATAL_FAILURE(expect_sums(run));
    ASSERT_NO_FATAL_FAILURE(expect_planned_bytes(run));
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_EQ(taken.size(), 10u);
  for (const auto& [kind, count] : taken) {
    // SUMMA and Cannon ask for layouts that chance seldom gives.
    const bool is_rare = kind == Step::Kind::summa || kind == Step::Kind::cannon;
    EXPECT_GT(count, is_rare ? 0 : 100) << static_cast<int>(kind);
  }
}

TEST(RandomCases, LeaveThePartialSumsThatTheConsumerWants) {
  Draw draw(17);
  for (int n = 0; n < 500; ++n) {
    ProductCase subject = draw_case(draw);
    // k cut over the first mesh axis, C whole and unfinished over it.
    subject.a = subject.b = subject.c = {};
    subject.a.columns.over = subject.b.rows.over = {0};
    subject.a.columns.split = subject.b.rows.split =
        draw_split(draw, subject.k, subject.mesh.axes[0].size);
    subject.c.partial_over = {0};
    const CaseRun run = run_case(subject);
    SCOPED_TRACE(print(subject));
    ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
    for (const LocalProduct& product : *run.seen.products) {
      const auto rank = static_cast<std::size_t>(product.rank);
      for (std::size_t at = 0; at < run.results[rank].size(); ++at) {
        ASSERT_EQ(run.results[rank][at],
                  plain_sum(subject, run.seen.owned[rank][at], product.a_columns));
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck::impl
