#include "search.h"

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::impl {
namespace {

std::string plan_for(const std::string& line) {
  const auto subject = parse_product(line);
  if (!subject) return print(subject.error());
  Situation situation(*subject);
  const std::optional<Plan> plan = cheapest_plan(situation);
  return plan ? print(subject->mesh, *plan) : "none";
}

TEST(PlanSearch, MovesNothingIfNothingContractedIsCut) {
  EXPECT_EQ(plan_for("matmul mesh=x2 i=4 j=4 k=4 A[i/x,k] B[k,j] -> C[i/x,j]"), "local");
}

TEST(PlanSearch, ReducesTowardsWhatTheConsumerAsks) {
  // 4 elements of C in f32 against 128 of A or B. A reduce-scatter and a gather send the same
  // 32 bytes as the all-reduce, in one step more.
  const std::string cut = "matmul mesh=x2 i=2 j=2 k=64 A[i,k/x] B[k/x,j] -> ";
  EXPECT_EQ(plan_for(cut + "C[i/x,j]"), "local+reduce_scatter:C/x");
  EXPECT_EQ(plan_for(cut + "C[i,j/x]"), "local+reduce_scatter:C/x");
  EXPECT_EQ(plan_for(cut + "C[i,j]"), "local+all_reduce:C/x");
  EXPECT_EQ(plan_for(cut + "C[i,j]+x"), "local");
}

TEST(PlanSearch, GathersTheOneCutOperandOrCutsTheOtherByTheirSizes) {
  // Gathering A sends i·k·4 bytes, slicing B and reducing C 2·i·j·4.
  const std::string cut = " A[i,k/x] B[k,j] -> C[i,j]";
  EXPECT_EQ(plan_for("matmul mesh=x2 i=8 j=8 k=2" + cut), "gather:A/x+local");
  EXPECT_EQ(plan_for("matmul mesh=x2 i=8 j=2 k=64" + cut), "slice:B/x+local+all_reduce:C/x");
}

TEST(PlanSearch, GathersOneOperandIfAMeshAxisCutsRowsAndColumns) {
  EXPECT_EQ(plan_for("matmul mesh=x2 i=4 j=4 k=4 A[i/x,k] B[k,j/x] -> C[i/x,j]"),
            "gather:B/x+local");
  EXPECT_EQ(plan_for("matmul mesh=x2 i=4 j=4 k=4 A[i/x,k] B[k,j/x] -> C[i,j/x]"),
            "gather:A/x+local");
}

TEST(PlanSearch, SendsOnlyWhatChangesOwnerWhereOperandsAreCutDifferently) {
  // Two of A's four k's change owner: 2·100 elements; of B's only 2·2, and B comes out the cheaper.
  EXPECT_EQ(plan_for("matmul mesh=x2 i=100 j=2 k=4 split.k=sets:0,2|1,3 split.B.k=balanced "
                     "A[i,k/x] B[k/x,j] -> C[i/x,j] wire=bf16 out=bf16"),
            "exchange:B+local+reduce_scatter:C/x");
}

TEST(PlanSearch, BreaksTiesByMovesOfOperandsThenStepsThenExchangesThenText) {
  // The lesson's example: 32 bytes to reduce C, 32 to gather A and B.
  EXPECT_EQ(plan_for("matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j]"),
            "local+all_reduce:C/x");
  // A and C have 16 elements each: gathering C moves no operand.
  EXPECT_EQ(plan_for("matmul mesh=x2 i=4 j=4 k=4 A[i/x,k] B[k,j] -> C[i,j]"), "local+gather:C/x");
  // One rank: everything is free, and whatever cuts over x cuts nothing off.
  EXPECT_EQ(plan_for("matmul mesh=x1 i=2 j=2 k=2 A[i,k] B[k,j] -> C[i/x,j]"), "local");
  // Two slices or one exchange of C: fewer steps. One slice or one exchange: fewer exchanges.
  EXPECT_EQ(plan_for("matmul mesh=x2,y2 i=4 j=4 k=4 A[i,k] B[k,j] -> C[i/x,j/y]"),
            "local+exchange:C");
  EXPECT_EQ(plan_for("matmul mesh=x2 i=4 j=4 k=4 A[i,k] B[k,j] -> C[i/x,j]"), "local+slice:C/x");
  // x and y may change places: 8 bytes each for the scatter, the all-reduce of what is left of it,
  // and the gather. Two all-reduces would send 16 each.
  EXPECT_EQ(plan_for("matmul mesh=x2,y2 i=1 j=1 k=64 A[i,k/x/y] B[k/x/y,j] -> C[i,j]"),
            "local+reduce_scatter:C/x+all_reduce:C/y+gather:C/x");
}

}  // namespace
}  // namespace shardcheck::impl
