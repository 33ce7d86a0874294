#include "documented.h"

#include <string>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

std::string text(const std::optional<SummationTree>& tree) {
  if (!tree) return "none";
  return print(*tree, [](std::int64_t leaf) { return std::to_string(leaf); });
}

std::string tree_of(Collective collective, Algorithm algorithm, std::int64_t members,
                    std::int64_t block = 0, std::int64_t root = 0) {
  return text(documented_tree(collective, algorithm, members, block, root));
}

// By hand from the table in docs/collectives.md. [a b c] is (a + b) + c; of the first two the lower
// one is printed first.
TEST(Documented, FoldsFromTheLeft) {
  EXPECT_EQ(tree_of(Collective::reduce_scatter, Algorithm::ring, 4, 0), "[1 2 3 0]");
  EXPECT_EQ(tree_of(Collective::reduce_scatter, Algorithm::ring, 4, 2), "[0 3 1 2]");
  EXPECT_EQ(tree_of(Collective::all_reduce, Algorithm::direct, 4, 2), "[0 1 2 3]");
  EXPECT_EQ(tree_of(Collective::reduce_scatter, Algorithm::pairwise, 4, 1), "[0 1 3 2]");
  EXPECT_EQ(tree_of(Collective::reduce, Algorithm::chain, 4, 0, 1), "[0 3 2 1]");
  EXPECT_EQ(tree_of(Collective::reduce_scatter, Algorithm::ring, 1, 0), "0");
}

TEST(Documented, HalvesAndDoublesOverFoldedRanks) {
  // Six members: folded ranks 0 = {0, 1}, 1 = {2, 3}, 2 = {4}, 3 = {5}; distances 2, then 1.
  EXPECT_EQ(tree_of(Collective::reduce_scatter, Algorithm::halving, 6, 1), "[[0 1 4] [2 3 5]]");
  EXPECT_EQ(tree_of(Collective::all_reduce, Algorithm::rabenseifner, 6, 3), "[[0 1 4] [2 3 5]]");
  EXPECT_EQ(tree_of(Collective::all_reduce, Algorithm::doubling, 6), "[[0 1] [2 3] [4 5]]");
  EXPECT_EQ(tree_of(Collective::all_reduce, Algorithm::doubling, 8),
            "[[[0 1] [2 3]] [[4 5] [6 7]]]");
  EXPECT_EQ(tree_of(Collective::reduce_scatter, Algorithm::halving, 8, 5),
            "[[[0 4] [2 6]] [[1 5] [3 7]]]");
}

TEST(Documented, AddsChildByChildInABinomialTree) {
  EXPECT_EQ(tree_of(Collective::reduce, Algorithm::binomial, 6), "[[0 1] [2 3] [4 5]]");
  EXPECT_EQ(tree_of(Collective::reduce, Algorithm::binomial, 3, 0, 2), "[0 2 1]");
  // Member 4 is alone below member 0: nearest child first.
  EXPECT_EQ(tree_of(Collective::all_reduce, Algorithm::binomial, 5), "[[0 1] [2 3] 4]");
}

TEST(Documented, KnowsWhatDoesNotReduce) {
  EXPECT_EQ(tree_of(Collective::all_gather, Algorithm::ring, 4), "none");
  EXPECT_EQ(tree_of(Collective::reduce, Algorithm::ring, 4), "none");
  EXPECT_EQ(block_count(Collective::all_reduce, Algorithm::rabenseifner, 6), 4);
  EXPECT_EQ(block_count(Collective::all_reduce, Algorithm::ring, 6), 6);
}

std::string tree_of(const std::string& line, std::int64_t rank, std::int64_t coordinate) {
  const auto subject = parse_product(line);
  if (!subject) return print(subject.error());
  const auto plan = model::resolve(*subject);
  return plan ? text(documented_tree(*subject, *plan, rank, coordinate)) : plan.error();
}

TEST(Documented, JoinsLocalSumsAcrossTheStepsOfAPlan) {
  const std::string rows = "matmul mesh=x2 i=2 j=1 k=4 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=";
  EXPECT_EQ(tree_of(rows + "local+reduce_scatter", 0, 0), "[[0 1] [2 3]]");
  EXPECT_EQ(tree_of(rows + "gather:A/x+gather:B/x+local+slice:C/x", 1, 1), "[0 1 2 3]");
  // Both axes cut k: over x first, in pairs (0, 2) and (1, 3), then over y.
  EXPECT_EQ(tree_of("matmul mesh=x2,y2 i=1 j=1 k=8 A[i,k/x/y] B[k/x/y,j] -> C[i,j] "
                    "plan=local+all_reduce:C/x+all_reduce:C/y",
                    3, 0),
            "[[[0 1] [4 5]] [[2 3] [6 7]]]");
  // Rank 1 has no k and adds nothing that shows.
  EXPECT_EQ(tree_of("matmul mesh=x3 i=3 j=1 k=4 A[i,k/x] B[k/x,j] -> C[i/x,j] "
                    "split.k=sizes:3,0,1 plan=local+reduce_scatter",
                    0, 0),
            "[0 1 2 3]");
  EXPECT_EQ(tree_of("matmul mesh=x2 i=1 j=1 k=4 A[i,k/x] B[k/x,j] -> C[i,j]+x plan=local", 1, 0),
            "[2 3]");
  EXPECT_EQ(tree_of("matmul i=1 j=1 k=0 A[i,k] B[k,j] -> C[i,j]", 0, 0), "none");
}

// By hand from docs/plans.md, "Woven steps".
TEST(Documented, ARingBringsKFromTheOwnPartDownwards) {
  const std::string a = "matmul mesh=x3 i=1 j=3 k=6 A[i,k/x] B[k,j/x] -> C[i,j/x] ";
  EXPECT_EQ(tree_of(a + "plan=gather_local:A/x", 0, 0), "[0 1 4 5 2 3]");
  EXPECT_EQ(tree_of(a + "plan=gather_local:A/x", 1, 1), "[2 3 0 1 4 5]");
  const std::string b = "matmul mesh=x3 i=3 j=1 k=4 A[i/x,k] B[k/x,j] -> C[i/x,j] ";
  EXPECT_EQ(tree_of(b + "split.k=sizes:1,0,3 plan=gather_local:B/x", 0, 0), "[0 1 2 3]");
  EXPECT_EQ(tree_of(b + "split.k=sizes:1,0,3 plan=gather_local:B/x", 1, 1), "[0 1 2 3]");
  EXPECT_EQ(tree_of(b + "split.k=sizes:1,0,3 plan=gather_local:B/x", 2, 2), "[1 2 3 0]");
  // The rows go round: every rank has all k, in A's order.
  EXPECT_EQ(
      tree_of("matmul mesh=x2,y1 i=2 j=1 k=3 A[i/x,k/y] B[k/y,j] -> C[i,j]+y split.k=sets:2,1,0 "
              "plan=gather_local:A/x",
              1, 0),
      "[1 2 0]");
}

TEST(Documented, AScatterWovenIntoTheProductIsARing) {
  const std::string line =
      "matmul mesh=x3 i=3 j=1 k=6 A[i,k/x] B[k/x,j] -> C[i/x,j] algorithm.reduce_scatter=direct "
      "plan=local_scatter:C/x";
  EXPECT_EQ(tree_of(line, 0, 0), "[[2 3] [4 5] [0 1]]");
  EXPECT_EQ(tree_of(line, 1, 1), "[[0 1] [4 5] [2 3]]");
}

TEST(Documented, SummaAddsPanelByPanel) {
  // A's parts are 0 | 1 2 3, B's 3 0 | 2 1: panels 0; 3; 1 2, in A's order.
  EXPECT_EQ(tree_of("matmul mesh=x2,y2 i=2 j=2 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] "
                    "split.A.k=sizes:1,3 split.B.k=sets:3,0|2,1 plan=summa:x/y",
                    3, 3),
            "[0 3 1 2]");
}

TEST(Documented, CannonStartsWithThePartOfTheDiagonal) {
  const std::string line =
      "matmul mesh=x3,y3 i=3 j=3 k=3 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y";
  EXPECT_EQ(tree_of(line, 0, 0), "[0 1 2]");
  EXPECT_EQ(tree_of(line, 1, 1), "[1 2 0]");
  EXPECT_EQ(tree_of(line, 4, 4), "[0 2 1]");  // 1 + 1: parts 2, 0, 1
}

}  // namespace
}  // namespace shardcheck
