// Random products of integers, whose sums are the same in every order: each element of C must be
// the plain sum over k modulo 2^width, whatever the layouts, the plan and the schedule. The bytes
// that the meter counts must be the closed forms by which the planner chose.

#include <map>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include "planner.h"
#include "run_case.h"

namespace shardcheck::impl {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }
  bool one_in(std::int64_t chances) { return below(chances) == 0; }
  std::uint64_t bits() { return random_(); }

 private:
  std::mt19937_64 random_;
};

Mesh draw_mesh(Draw& draw) {
  Mesh mesh;
  const std::array names{"x", "y", "z"};
  const std::int64_t axes = 1 + draw.below(3);
  for (std::int64_t axis = 0; axis < axes; ++axis) {
    mesh.axes.push_back(
        {names[static_cast<std::size_t>(axis)], axes == 1 ? 1 + draw.below(8) : 1 + draw.below(4)});
  }
  return mesh;
}

Split draw_split(Draw& draw, std::int64_t extent, std::int64_t parts) {
  Split split;
  split.rule = static_cast<Split::Rule>(draw.below(5));
  if (split.rule == Split::Rule::cyclic) split.block = 1 + draw.below(3);
  std::vector<std::int64_t> indices(static_cast<std::size_t>(extent));
  std::iota(indices.begin(), indices.end(), 0);
  if (split.rule == Split::Rule::sizes) {
    split.sizes.assign(static_cast<std::size_t>(parts), 0);
    for (std::int64_t n = 0; n < extent; ++n) {
      ++split.sizes[static_cast<std::size_t>(draw.below(parts))];
    }
  }
  if (split.rule == Split::Rule::sets) {
    split.sets.resize(static_cast<std::size_t>(parts));
    for (std::int64_t n = extent; n > 0; --n) {
      std::swap(indices[static_cast<std::size_t>(n - 1)],
                indices[static_cast<std::size_t>(draw.below(n))]);
      split.sets[static_cast<std::size_t>(draw.below(parts))].push_back(
          indices[static_cast<std::size_t>(n - 1)]);
    }
  }
  return split;
}

Layout draw_layout(Draw& draw, const Mesh& mesh, std::int64_t rows, std::int64_t columns) {
  Layout layout;
  for (int axis = 0; axis < static_cast<int>(mesh.axes.size()); ++axis) {
    std::vector<int>* over = nullptr;
    switch (draw.below(3)) {
      case 0: over = &layout.rows.over; break;
      case 1: over = &layout.columns.over; break;
      default: continue;
    }
    over->insert(draw.one_in(2) ? over->begin() : over->end(), axis);
  }
  for (const auto& [cut, extent] : {std::pair{&layout.rows, rows}, {&layout.columns, columns}}) {
    if (cut->over.empty()) continue;
    std::int64_t parts = 1;
    for (const int axis : cut->over) parts *= mesh.axes[static_cast<std::size_t>(axis)].size;
    cut->split = draw_split(draw, extent, parts);
  }
  return layout;
}

Case draw_case(Draw& draw) {
  Case subject;
  subject.mesh = draw_mesh(draw);
  subject.i = draw.below(7);
  subject.j = draw.below(7);
  subject.k = draw.below(7);
  subject.a = draw_layout(draw, subject.mesh, subject.i, subject.k);
  subject.b = draw_layout(draw, subject.mesh, subject.k, subject.j);
  subject.c = draw_layout(draw, subject.mesh, subject.i, subject.j);
  subject.dtypes = {Dtype::i64, Dtype::i64, Dtype::i64, draw.one_in(2) ? Dtype::i64 : Dtype::i32};
  for (std::size_t at = 0; at < subject.algorithms.size(); ++at) {
    const auto offered = algorithms_of(static_cast<Collective>(at));
    subject.algorithms[at] =
        offered[static_cast<std::size_t>(draw.below(static_cast<std::int64_t>(offered.size())))];
  }
  subject.kernel = static_cast<Kernel>(draw.below(2));
  subject.run.seed = draw.bits();
  subject.data.regime = Data::Regime::given;
  for (std::int64_t n = 0; n < subject.i * subject.k; ++n) subject.data.a.push_back(draw.bits());
  for (std::int64_t n = 0; n < subject.k * subject.j; ++n) subject.data.b.push_back(draw.bits());
  return subject;
}

Bits plain_sum(const Case& subject, std::int64_t coordinate, const std::vector<std::int64_t>& ks) {
  const std::int64_t row = coordinate / subject.j;
  const std::int64_t column = coordinate % subject.j;
  Bits sum = 0;
  for (const std::int64_t k : ks) {
    sum += subject.data.a[static_cast<std::size_t>(row * subject.k + k)] *
           subject.data.b[static_cast<std::size_t>(k * subject.j + column)];
  }
  return sum & ~Bits{0} >> (64 - 8 * info(subject.dtypes.out).bytes);
}

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

/// A walk through legal steps that happens to end with what the consumer wants, or nothing.
std::optional<Plan> draw_plan(Draw& draw, const Case& subject) {
  Situation situation(subject);
  PlanState state = situation.start;
  Plan plan;
  for (int attempt = 0; attempt < 60; ++attempt) {
    if (is_goal(situation, state)) return plan;
    CompactStep step;
    if (state.is_multiplied) {
      step = draw_step(draw, subject.mesh, Tensor::c);
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
    Case subject = draw_case(draw);
    subject.plan = draw_plan(draw, subject);
    if (!subject.plan) continue;
    for (const Step& step : *subject.plan) ++taken[step.kind];
    const CaseRun run = run_case(subject);
    SCOPED_TRACE(print(subject));
    ASSERT_NO_FATAL_FAILURE(expect_sums(run));
    ASSERT_NO_FATAL_FAILURE(expect_planned_bytes(run));
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_EQ(taken.size(), 6u);
  for (const auto& [kind, count] : taken) {
    EXPECT_GT(count, 100) << static_cast<int>(kind);
  }
}

TEST(RandomCases, LeaveThePartialSumsThatTheConsumerWants) {
  Draw draw(17);
  for (int n = 0; n < 500; ++n) {
    Case subject = draw_case(draw);
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
