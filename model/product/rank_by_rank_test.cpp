#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <shardcheck/model/case/text.h>

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/simulated/simulated_plan.h>
#include "values.h"

// Values computes one element at a time, for all ranks together, in native arithmetic. Here the
// same plans are carried out rank by rank, step by step, in the generic arithmetic, as
// docs/plans.md puts it; and the plans are all legal ones up to a length.

namespace shardcheck::model {
namespace {

/// Every step on C that there is, `local`, and the schedules.
std::vector<Step> candidates(const ProductCase& subject) {
  std::vector<Step> steps{{}, {.kind = Step::Kind::exchange, .rows_over = {}, .columns_over = {}}};
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    for (const Step::Kind kind : {Step::Kind::slice, Step::Kind::gather, Step::Kind::reduce_scatter,
                                  Step::Kind::all_reduce}) {
      steps.push_back({.kind = kind, .mesh_axis = axis, .rows_over = {}, .columns_over = {}});
    }
    for (const Tensor tensor : {Tensor::a, Tensor::b}) {
      steps.push_back({Step::Kind::gather_local, tensor, axis, false, {}, {}});
    }
    steps.push_back({Step::Kind::local_scatter, Tensor::c, axis, false, {}, {}});
    for (int other = 0; other < static_cast<int>(subject.mesh.axes.size()); ++other) {
      for (const Step::Kind kind : {Step::Kind::summa, Step::Kind::cannon}) {
        steps.push_back({kind, Tensor::c, axis, false, {}, {}, other});
      }
    }
  }
  return steps;
}

void find_plans(const ProductCase& subject, const PlanState& state, const Plan& taken,
                std::size_t longest, std::vector<Plan>& found) {
  if (!taken.empty()) {
    ProductCase with_plan = subject;
    with_plan.plan = taken;
    if (resolve(with_plan)) found.push_back(taken);
  }
  if (taken.size() == longest) return;
  for (const Step& step : candidates(subject)) {
    if (state.c.has_value() == multiplies(step.kind)) continue;
    const auto next = apply(subject, state, step);
    if (!next) continue;
    Plan longer = taken;
    longer.push_back(step);
    find_plans(subject, *next, longer, longest, found);
  }
}

/// Number of plans compared.
std::size_t compare_all_plans(const std::string& line, Algorithm all_reduce,
                              Algorithm reduce_scatter, std::size_t longest) {
  auto parsed = parse_product(line);
  if (!parsed) {
    ADD_FAILURE() << print(parsed.error());
    return 0;
  }
  parsed->algorithms[static_cast<std::size_t>(Collective::all_reduce)] = all_reduce;
  parsed->algorithms[static_cast<std::size_t>(Collective::reduce_scatter)] = reduce_scatter;
  std::vector<Plan> plans;
  find_plans(*parsed, initial_state(*parsed), {}, longest, plans);
  for (const Plan& plan : plans) {
    ProductCase subject = *parsed;
    subject.plan = plan;
    const auto resolved = resolve(subject);
    const SimulatedSums simulated = simulate(subject, *resolved);
    const Values values(subject, *resolved);
    for (const auto& [place, partial] : simulated.partials) {
      EXPECT_EQ(values.partial(place.first, place.second), partial)
          << print(subject) << "\nrank " << place.first << " coordinate " << place.second;
    }
    for (const auto& [place, value] : simulated.held) {
      const auto [rank, c] = place;
      const Allowed allowed = values.allowed(rank, c);
      const Bits expected = convert(subject.dtypes.acc, subject.dtypes.out, value);
      EXPECT_TRUE(allowed.low == expected && allowed.high == expected)
          << print(subject) << " " << name(all_reduce) << " " << name(reduce_scatter) << "\nrank "
          << rank << " coordinate " << c << ": " << describe(allowed, subject.dtypes.out)
          << ", by hand " << print_value(subject.dtypes.out, expected);
    }
  }
  return plans.size();
}

/// Plans compared with one pair of algorithms; the others must have as many.
std::size_t compare(const std::string& line, std::size_t longest) {
  const std::string text = "matmul " + line + " in=f16 acc=f32 wire=bf16 out=f32 data=rounding:7";
  std::size_t compared = 0;
  const auto all = algorithms_of(Collective::all_reduce);
  const auto scatter = algorithms_of(Collective::reduce_scatter);
  for (std::size_t n = 0; n < all.size(); ++n) {
    compared = compare_all_plans(text, all[n], scatter[n % scatter.size()], longest);
  }
  return compared;
}

TEST(RankByRank, OneMeshAxis) {
  EXPECT_GE(compare("mesh=x3 i=4 j=2 k=7 A[i,k/x] B[k/x,j] -> C[i,j]", 4), 4U);
  EXPECT_GE(compare("mesh=x4 i=3 j=5 k=2 A[i,k/x] B[k/x,j] -> C[i,j/x] split.j=cyclic:1", 4), 2U);
  EXPECT_GE(compare("mesh=x3 i=4 j=2 k=7 A[i,k/x] B[k/x,j] -> C[i,j]+x", 3), 2U);
  EXPECT_GE(compare("mesh=x1 i=2 j=2 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j]", 4), 2U);
}

TEST(RankByRank, MembersBeyondAPowerOfTwo) {
  EXPECT_GE(compare("mesh=x7 i=5 j=3 k=15 A[i,k/x] B[k/x,j] -> C[i,j]", 3), 2U);
  EXPECT_GE(compare("mesh=x6 i=7 j=2 k=12 A[i,k/x] B[k/x,j] -> C[i/x,j]", 3), 1U);
  EXPECT_GE(compare("mesh=x5,y2 i=6 j=2 k=20 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j]", 4), 2U);
}

TEST(RankByRank, KCutOverTwoMeshAxes) {
  const std::string operands = "mesh=x2,y3 i=5 j=3 k=11 A[i,k/x/y] B[k/x/y,j] -> ";
  EXPECT_GE(compare(operands + "C[i,j]", 5), 8U);
  EXPECT_GE(compare(operands + "C[i/y,j/x]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i/x/y,j]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i,j]+x", 4), 2U);
}

TEST(RankByRank, KOverOneMeshAxisAndRowsOverAnother) {
  const std::string operands = "mesh=x3,y2 i=5 j=4 k=7 A[i/y,k/x] B[k/x,j] -> ";
  EXPECT_GE(compare(operands + "C[i,j]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i/y,j/x]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i,j/y]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i/y,j] split.C.i=cyclic:1", 5), 2U);
  EXPECT_GE(compare(operands + "C[i/y,j] split.C.i=sets:4,0|2,3,1", 5), 2U);
}

TEST(RankByRank, ReplicasAlongAMeshAxis) {
  const std::string operands = "mesh=x2,y2,z2 i=4 j=3 k=6 A[i/z,k/x] B[k/x,j] -> ";
  EXPECT_GE(compare(operands + "C[i,j/y]", 4), 2U);
  EXPECT_GE(compare(operands + "C[i/y,j/z]", 4), 1U);
}

// Plans of schedules are few enough to be counted by hand.
TEST(RankByRank, RingsThatBringKAndRows) {
  EXPECT_EQ(compare("mesh=x3 i=4 j=5 k=7 A[i,k/x] B[k,j/x] -> C[i,j/x]", 1), 1U);
  EXPECT_EQ(compare("mesh=x4 i=4 j=7 k=9 A[i,k/x] B[k,j/x] -> C[i,j/x] split.k=sizes:3,0,5,1", 1),
            1U);
  EXPECT_EQ(compare("mesh=x3 i=5 j=4 k=8 A[i/x,k] B[k/x,j] -> C[i/x,j] split.k=cyclic:1", 1), 1U);
  EXPECT_EQ(compare("mesh=x3 i=5 j=3 k=6 A[i/x,k] B[k/x,j] -> C[i/x,j] "
                    "split.i=sets:4,0|2,3,1| split.k=sets:5,0,2|1|4,3",
                    1),
            1U);
  // Where x cuts the outer axis: with and without an exchange of C after it that moves nothing; and
  // local with a gather or an exchange of C.
  EXPECT_EQ(compare("mesh=x3 i=4 j=5 k=7 A[i,k] B[k,j/x] -> C[i,j]", 2), 4U);
  EXPECT_EQ(compare("mesh=x3 i=4 j=5 k=7 A[i/x,k] B[k,j] -> C[i,j] split.i=cyclic:1", 2), 4U);
  // A mesh axis of one member, and nothing to multiply or to add.
  EXPECT_EQ(compare("mesh=x1 i=2 j=2 k=3 A[i,k/x] B[k,j/x] -> C[i,j/x]", 1), 1U);
  EXPECT_EQ(compare("mesh=x3 i=2 j=5 k=0 A[i,k/x] B[k,j/x] -> C[i,j/x]", 1), 1U);
  EXPECT_EQ(compare("mesh=x3 i=0 j=5 k=4 A[i,k/x] B[k,j/x] -> C[i,j/x]", 1), 1U);
}

TEST(RankByRank, ScheduledReduceScatter) {
  // Over x or over y, and what is left.
  EXPECT_EQ(compare("mesh=x5 i=7 j=3 k=9 A[i,k/x] B[k/x,j] -> C[i/x,j]", 1), 1U);
  EXPECT_EQ(compare("mesh=x3 i=4 j=5 k=7 A[i,k/x] B[k/x,j] -> C[i,j/x] split.j=sizes:0,4,1", 1),
            1U);
  EXPECT_EQ(compare("mesh=x2,y3 i=5 j=3 k=11 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j/y]", 2), 2U);
  EXPECT_EQ(compare("mesh=x2,y3 i=5 j=3 k=11 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j]+y", 1), 1U);
}

TEST(RankByRank, KOverTwoMeshAxesAndOneOfThemARing) {
  const std::string operands = "mesh=x3,y2 i=4 j=5 k=11 A[i,k/y/x] B[k/y,j/x] -> ";
  EXPECT_EQ(compare(operands + "C[i/y,j/x]", 2), 1U);
  EXPECT_GE(compare(operands + "C[i,j/x]", 3), 2U);
  EXPECT_GE(compare(operands + "C[i,j/x]+y", 1), 1U);
  EXPECT_GE(
      compare("mesh=y2,x3 i=5 j=4 k=9 A[i/x,k/y] B[k/y/x,j] -> C[i/x,j/y] split.k=cyclic:1", 2),
      1U);
}

TEST(RankByRank, PanelsOnAGrid) {
  EXPECT_GE(compare("mesh=x2,y3 i=5 j=4 k=11 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]", 1), 1U);
  EXPECT_GE(compare("mesh=x2,y3 i=5 j=4 k=9 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] "
                    "split.A.k=sets:8,0,3|5,1|2,7,4,6 split.B.k=cyclic:2",
                    1),
            1U);
  // Rows and columns whole, or over a third mesh axis; one panel for two ranks; no panels.
  EXPECT_GE(compare("mesh=x2,y2 i=3 j=4 k=7 A[i,k/y] B[k/x,j] -> C[i,j]", 1), 1U);
  EXPECT_GE(compare("mesh=z2,x2,y2 i=3 j=4 k=7 A[i/x/z,k/y] B[k/x,j/y] -> C[i/x/z,j/y]", 1), 1U);
  EXPECT_GE(compare("mesh=x1,y3 i=3 j=4 k=7 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]", 1), 1U);
  EXPECT_GE(compare("mesh=x2,y3 i=3 j=4 k=0 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]", 1), 1U);
}

TEST(RankByRank, BlocksShiftedRoundASquare) {
  EXPECT_EQ(compare("mesh=x3,y3 i=5 j=7 k=11 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]", 1), 2U);
  EXPECT_EQ(compare("mesh=x3,y3 i=5 j=7 k=8 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] "
                    "split.i=cyclic:1 split.j=sets:6,0|1,2,3,5,4| split.k=sets:7,1,5||0,6,2,4,3",
                    1),
            2U);
  EXPECT_EQ(compare("mesh=y2,z2,x2 i=5 j=9 k=6 A[i/x/z,k/y] B[k/x,j/y] -> C[i/x/z,j/y]", 1), 2U);
  EXPECT_EQ(compare("mesh=x1,y1 i=2 j=2 k=3 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]", 1), 2U);
}

}  // namespace
}  // namespace shardcheck::model
