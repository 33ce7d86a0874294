#include "woven_steps.h"

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/by_hand/run_case.h>
#include <shardcheck/impl/plan/search.h>

namespace shardcheck::impl {
namespace {

using Numbers = std::vector<std::vector<double>>;

/// Why the plan isn't legal; nothing if it is.
std::string objection(const std::string& line) {
  const auto subject = parse_product(line);
  if (!subject) return print(subject.error());
  Situation situation(*subject);
  PlanState state = situation.start;
  for (const Step& step : *subject->plan) {
    const auto next = after(situation, state, compact(step));
    if (!next) return std::string(next.error());
    state = *next;
  }
  return "";
}

TEST(ScheduleSteps, KeepTheirSecondMeshAxisInACompactStep) {
  Step step;
  step.kind = Step::Kind::summa;
  step.mesh_axis = 1;
  step.column_axis = 0;
  EXPECT_EQ(expanded(compact(step)), step);
}

TEST(ScheduleSteps, MayBeTakenWhereTheirPlainStepsMay) {
  EXPECT_EQ(objection("matmul mesh=x2 i=4 j=4 k=4 A[i,k/x] B[k,j] -> C[i,j] plan=gather_local:B/x"),
            "the mesh axis doesn't cut the tensor");
  EXPECT_EQ(objection("matmul mesh=x2 i=4 j=4 k=4 A[i/x,k] B[k,j] -> C[i,j] "
                      "plan=local_scatter:C/x"),
            "C isn't partial over the mesh axis");
  EXPECT_EQ(objection("matmul mesh=x2,y2 i=4 j=4 k=4 A[i,k/x] B[k/x,j/y] -> C[i,j] "
                      "plan=gather_local:B/y+local"),
            "A and B are multiplied once, and don't move afterwards");
  EXPECT_EQ(objection("matmul mesh=x2,y2 i=4 j=4 k=4 A[i,k/y] B[k/x,j] -> C[i,j] "
                      "plan=summa:x/y+summa:x/y"),
            "A and B are multiplied once, and don't move afterwards");
  EXPECT_EQ(objection("matmul mesh=x2,y2 i=4 j=4 k=4 A[i/x,k/y] B[k,j/y/x] -> C[i,j] "
                      "plan=gather_local:A/y"),
            "a mesh axis cuts both A's rows and B's columns");
}

TEST(ScheduleSteps, GatherAlongKOnlyWhereTheOtherOperandIsCutToo) {
  const std::string lines = "matmul mesh=x2 i=4 j=4 k=4 A[i,k/x] ";
  EXPECT_EQ(objection(lines + "B[k,j/x] -> C[i,j/x] plan=gather_local:A/x"), "");
  EXPECT_EQ(objection(lines + "B[k,j] -> C[i,j] plan=gather_local:A/x"),
            "members with the same elements of C would add in different orders");
  EXPECT_EQ(objection("matmul mesh=x2 i=4 j=4 k=4 A[i,k] B[k/x,j] -> C[i,j] plan=gather_local:B/x"),
            "members with the same elements of C would add in different orders");
  EXPECT_EQ(objection("matmul mesh=x2 i=4 j=4 k=4 A[i/x,k] B[k,j] -> C[i,j] plan=gather_local:A/x"),
            "");
}

TEST(ScheduleSteps, SumPanelsOverTheTwoMeshAxesThatCutKAndNoThird) {
  const std::string why =
      "k isn't cut over the second mesh axis alone in A, and the first alone in B";
  const std::string mesh = "matmul mesh=x2,y2,z2 i=4 j=4 k=8 ";
  EXPECT_EQ(objection(mesh + "A[i,k/y] B[k/x,j] -> C[i,j] plan=summa:x/y"), "");
  EXPECT_EQ(objection(mesh + "A[i,k/x] B[k/y,j] -> C[i,j] plan=summa:x/y"), why);
  EXPECT_EQ(objection(mesh + "A[i,k/y/z] B[k/x,j] -> C[i,j] plan=summa:x/y"), why);
  EXPECT_EQ(objection(mesh + "A[i,k/y] B[k,j] -> C[i,j] plan=summa:x/y"), why);
  EXPECT_EQ(objection(mesh + "A[i,k/x] B[k/x,j] -> C[i,j] plan=summa:x/x"),
            "a grid has two mesh axes");
}

TEST(ScheduleSteps, ShiftBlocksOnASquareGridOfEqualParts) {
  const std::string mesh = "matmul mesh=x2,y2,z3 i=4 j=4 k=4 ";
  EXPECT_EQ(objection(mesh + "A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y"), "");
  EXPECT_EQ(objection(mesh + "A[i,k/y] B[k/x,j/y] -> C[i,j/y] plan=cannon:x/y"),
            "the mesh axes don't cut A's rows and B's columns");
  EXPECT_EQ(objection(mesh + "A[i/x,k/y] B[k/x,j] -> C[i/x,j] plan=cannon:x/y"),
            "the mesh axes don't cut A's rows and B's columns");
  EXPECT_EQ(objection(mesh + "A[i/x,k/z] B[k/x,j/z] -> C[i/x,j/z] plan=cannon:x/z"),
            "the grid isn't square");
  const std::string parts = " A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y";
  EXPECT_EQ(objection(mesh + "split.A.k=sets:0,1|2,3 split.B.k=sets:0,1|2,3" + parts), "");
  EXPECT_EQ(objection(mesh + "split.A.k=sets:0,1|2,3 split.B.k=sets:0,1|3,2" + parts),
            "A's and B's parts of k aren't the same lists");
  EXPECT_EQ(objection(mesh + "split.A.k=sizes:1,3 split.B.k=sizes:2,2" + parts),
            "A's and B's parts of k aren't the same lists");
}

TEST(ScheduleSteps, AreNotChosenByThePlanner) {
  // Each would tie with its plain steps in bytes, and win by their number.
  for (const std::string_view line :
       {"matmul mesh=x2 i=8 j=8 k=2 A[i/x,k] B[k,j/x] -> C[i,j/x]",
        "matmul mesh=x2 i=2 j=2 k=64 A[i,k/x] B[k/x,j] -> C[i/x,j]",
        "matmul mesh=x2,y2 i=64 j=64 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]"}) {
    const ProductCase subject = *parse_product(line);
    Situation situation(subject);
    const std::optional<Plan> plan = cheapest_plan(situation);
    ASSERT_TRUE(plan.has_value());
    for (const Step& step : *plan) EXPECT_FALSE(is_woven(step.kind)) << print(subject.mesh, *plan);
  }
}

// In f32, 2^24 + 1 = 2^24, but 1 + 1 + 2^24 = 2^24 + 2: an order shows in a sum of 2^24, 1 and 1.

TEST(ScheduleSteps, AddOnARingInTheOrderInWhichItBringsTheBlocks) {
  // Orders 0 2 1, 1 0 2 and 2 1 0.
  const CaseRun run = run_case(
      "matmul mesh=x3 i=1 j=3 k=3 A[i,k/x] B[k,j/x] -> C[i,j/x] in=f32 data=given "
      "A=16777216,1,1 B=1,1,1,1,1,1,1,1,1 plan=gather_local:A/x");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{16777216}, {16777216}, {16777218}}));
  EXPECT_EQ((*run.seen.products)[1].a_columns, (std::vector<std::int64_t>{1, 0, 2}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{8, 8, 8}));
}

TEST(ScheduleSteps, AddOnASquareFromThePartThatTheSkewBrings) {
  // On rank (x, y) from part x + y on; 1, 1, 2^24 where that is 1.
  const CaseRun run = run_case(
      "matmul mesh=x3,y3 i=3 j=3 k=3 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] in=f32 data=given "
      "A=16777216,1,1,16777216,1,1,16777216,1,1 B=1,1,1,1,1,1,1,1,1 plan=cannon:x/y");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  const double small = 16777216;
  const double large = 16777218;
  EXPECT_EQ(
      run.numbers(),
      (Numbers{{small}, {large}, {small}, {large}, {small}, {small}, {small}, {small}, {large}}));
  // Two shifts of two elements; a skew of A unless x is 0, of B unless y is 0.
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{16, 20, 20, 20, 24, 24, 20, 24, 24}));
}

TEST(ScheduleSteps, AddPanelAfterPanelOnAGrid) {
  // A holds k 1 0 | 3 2, B 0 2 | 1 3: panels 0, 1, 2, 3. In A's own order 1 + 2^24 + 1 = 2^24.
  const CaseRun run = run_case(
      "matmul mesh=x2,y2 i=1 j=1 k=4 split.A.k=sets:1,0|3,2 split.B.k=cyclic:1 A[i,k/y] B[k/x,j] "
      "-> C[i,j] in=f32 data=given A=1,0,1,16777216 B=1,1,1,1 plan=summa:x/y");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{16777218}, {16777218}, {16777218}, {16777218}}));
  EXPECT_EQ((*run.seen.products)[3].a_columns, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{16, 16, 16, 16}));
}

TEST(ScheduleSteps, ScatterByARingWhateverTheAlgorithm) {
  // Partials 1, 257, 1, in bf16 on the way: 257 -> 256, + 1 = 257 -> 256, + 1. Directly it is 258.
  const CaseRun run = run_case(
      "matmul mesh=x3 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 wire=bf16 data=given "
      "A=1,257,1 B=1,1,1 algorithm.reduce_scatter=direct plan=local_scatter:C/x");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{257}, {}, {}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{0, 2, 2}));
}

}  // namespace
}  // namespace shardcheck::impl
