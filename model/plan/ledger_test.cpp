#include "ledger.h"

#include <numeric>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::model {
namespace {

using Bytes = std::vector<std::int64_t>;

Bytes sent(const std::string& line) {
  const auto subject = parse_product(line);
  if (!subject) {
    ADD_FAILURE() << line << ": " << print(subject.error());
    return {};
  }
  const auto plan = resolve(*subject);
  if (!plan) {
    ADD_FAILURE() << line << ": " << plan.error();
    return {};
  }
  return bytes_sent(*subject, ledger(*subject, *plan));
}

std::int64_t sum(const Bytes& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

// P = 5, blocks of c = 0 3 1 0 2 elements, S = 6. Member r of a ring reduce-scatter never sends its
// own block: 6 − c_r = 6 3 5 6 4. Of a ring all-gather never its successor's: 6 − c_{r+1} =
// 3 5 6 4 6. One column of C and i8 wire and out make an element one row.
constexpr const char* uneven = "matmul mesh=x5 i=6 j=1 k=5 split.i=sizes:0,3,1,0,2 ";

TEST(Ledger, ARingReduceScatterLeavesOutEachMembersOwnBlock) {
  EXPECT_EQ(sent(std::string(uneven) + "A[i,k/x] B[k/x,j] -> C[i/x,j] in=bf16 wire=bf16 "
                                       "plan=local+reduce_scatter:C/x"),
            (Bytes{12, 6, 10, 12, 8}));
}

TEST(Ledger, ARingAllGatherLeavesOutTheSuccessorsBlock) {
  EXPECT_EQ(sent(std::string(uneven) +
                 "A[i/x,k] B[k,j] -> C[i,j] in=bf16 out=bf16 plan=local+gather:C/x"),
            (Bytes{6, 10, 12, 8, 12}));
}

TEST(Ledger, DirectMembersSendOthersTheirBlocksOrAllTheirOwn) {
  EXPECT_EQ(sent(std::string(uneven) +
                 "A[i,k/x] B[k/x,j] -> C[i/x,j] in=bf16 wire=bf16 algorithm.reduce_scatter=direct "
                 "plan=local+reduce_scatter:C/x"),
            (Bytes{12, 6, 10, 12, 8}));
  // (P − 1)·c_r elements of two bytes.
  EXPECT_EQ(sent(std::string(uneven) +
                 "A[i/x,k] B[k,j] -> C[i,j] in=bf16 out=bf16 algorithm.all_gather=direct "
                 "plan=local+gather:C/x"),
            (Bytes{0, 24, 8, 0, 16}));
}

TEST(Ledger, AReductionTravelsInWireAndItsResultInOut) {
  // S = 6, c = 2 1 1 1 1: (6 − c_r)·4 + (6 − c_{r+1})·2.
  EXPECT_EQ(sent("matmul mesh=x5 i=6 j=1 k=5 A[i,k/x] B[k/x,j] -> C[i,j] in=bf16 acc=f32 wire=f32 "
                 "out=bf16 plan=local+all_reduce:C/x"),
            (Bytes{16 + 10, 20 + 10, 20 + 10, 20 + 10, 20 + 8}));
}

TEST(Ledger, UnevenKChangesNothing) {
  // (P − 1)·MN·wire = 2·12·4 and, replicated, 2·12·(4 + 4), whatever K's parts.
  for (const char* cut : {"balanced", "ceil", "cyclic:1", "sizes:7,0,0"}) {
    const std::string head =
        std::string("matmul mesh=x3 i=4 j=3 k=7 split.k=") + cut + " A[i,k/x] B[k/x,j] -> ";
    EXPECT_EQ(sum(sent(head + "C[i/x,j] plan=local+reduce_scatter:C/x")), 96);
    EXPECT_EQ(sum(sent(head + "C[i,j] plan=local+all_reduce:C/x")), 192);
  }
}

TEST(Ledger, TheWorkedExampleSendsEightBytesARankAndSixteenWithTheGather) {
  const std::string head = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> ";
  const std::string tail = " data=given A=1,2,3,4 B=5,6,7,8";
  EXPECT_EQ(sent(head + "C[i/x,j] plan=local+reduce_scatter:C/x" + tail), (Bytes{8, 8}));
  EXPECT_EQ(sent(head + "C[i,j] plan=local+reduce_scatter:C/x+gather:C/x" + tail), (Bytes{16, 16}));
}

TEST(Ledger, AGridOfAnyShapeSendsTheTextbookTotal) {
  // (pN − 1)·MK + (pM − 1)·KN in f32 and (pK − 1)·MN in f32: M, N, K = 5 7 11 over 2, 3, 2.
  const Bytes bytes = sent(
      "matmul mesh=x2,y3,z2 i=5 j=7 k=11 split.A.k=balanced A[i/x/y,k/z] B[k/z,j/y/x] -> "
      "C[i/x,j/y/z] plan=gather:A/y+gather:B/x+local+reduce_scatter:C/z");
  EXPECT_EQ(sum(bytes), 4 * (2 * 5 * 11 + 1 * 11 * 7 + 1 * 5 * 7));
}

TEST(Ledger, AnExchangeIsSentByTheHolderThatSharesTheReplicatedCoordinates) {
  // x cuts C's rows {0} {1}; the consumer wants columns over x; y holds replicas. Rank 2x + y needs
  // column x of both rows and lacks the other row's: from the rank with the other x and its own y.
  const ProductCase subject = *parse_product(
      "matmul mesh=x2,y2 i=2 j=2 k=1 A[i/x,k] B[k,j] -> C[i,j/x] plan=local+exchange:C");
  const auto plan = resolve(subject);
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_EQ(
      ledger(subject, *plan),
      (std::vector<Transfer>{{1, 0, 2, 4, 0}, {1, 1, 3, 4, 0}, {1, 2, 0, 4, 0}, {1, 3, 1, 4, 0}}));
}

TEST(Ledger, AReplicaMadeWhileASumIsUnfinishedTravelsInWire) {
  // i over x after the first reduction: 2 elements of 4 are gathered, in f64 while y is unfinished,
  // by each of 4 ranks; the two reductions in f64.
  const std::string head =
      "matmul mesh=x2,y2 i=4 j=1 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i,j] in=f32 acc=f64 wire=f64 "
      "out=f32 plan=local+reduce_scatter:C/x+";
  EXPECT_EQ(sent(head + "gather:C/x+all_reduce:C/y"), (Bytes(4, 2 * 8 + 2 * 8 + 2 * 8 + 2 * 4)));
  EXPECT_EQ(sent(head + "all_reduce:C/y+gather:C/x"), (Bytes(4, 2 * 8 + 1 * 8 + 1 * 4 + 2 * 4)));
}

TEST(Ledger, OneRankSendsNothing) {
  EXPECT_EQ(
      sent("matmul mesh=x1 i=3 j=3 k=3 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x"),
      (Bytes{0}));
}

TEST(Ledger, TheLowerBoundIsTheTightOneOfItsRegime) {
  // The tight examples of the paper's three regimes: 3-D, 3-D, 1-D, 2-D, 2-D.
  EXPECT_NEAR(lower_bound_elements(1024, 1024, 1024, 8), 393216, 1e-6);
  EXPECT_NEAR(lower_bound_elements(1024, 1024, 1024, 64), 147456, 1e-6);
  EXPECT_NEAR(lower_bound_elements(8192, 128, 128, 8), 14336, 1e-6);
  EXPECT_NEAR(lower_bound_elements(64, 64, 65536, 8), 3584, 1e-6);
  EXPECT_NEAR(lower_bound_elements(4096, 4096, 64, 16), 98304, 1e-6);
  EXPECT_EQ(lower_bound_elements(5, 0, 3, 4), 0);
}

TEST(Ledger, TheTightExamplesAreMetByTheirGrids) {
  // 1024³ over 2×2×2, each operand held once: a rank receives what it lacks of A and B and the
  // partials it must add: 3·131,072 words. All ranks alike, so sent words per rank equal received.
  EXPECT_EQ(sent("matmul mesh=x2,y2,z2 i=1024 j=1024 k=1024 A[i/x/y,k/z] B[k/z,j/y/x] -> "
                 "C[i/x,j/y/z] plan=gather:A/y+gather:B/x+local+reduce_scatter:C/z"),
            Bytes(8, 393216 * 4));
  // 8192×128×128 over eight: B alone is gathered.
  EXPECT_EQ(sent("matmul mesh=x8 i=8192 j=128 k=128 A[i/x,k] B[k/x,j] -> C[i/x,j] "
                 "plan=gather:B/x+local"),
            Bytes(8, 14336 * 4));
  // 64×64×65536 over eight: k is cut, C is reduced.
  EXPECT_EQ(sent("matmul mesh=x8 i=64 j=64 k=65536 A[i,k/x] B[k/x,j] -> C[i/x,j] "
                 "plan=local+reduce_scatter:C/x"),
            Bytes(8, 3584 * 4));
  // 4096×4096×64 over 4×4.
  EXPECT_EQ(sent("matmul mesh=x4,y4 i=4096 j=4096 k=64 A[i/x/y,k] B[k,j/y/x] -> C[i/x,j/y] "
                 "plan=gather:A/y+gather:B/x+local"),
            Bytes(16, 98304 * 4));
  EXPECT_EQ(sent("matmul mesh=x4,y4,z4 i=1024 j=1024 k=1024 A[i/x/y,k/z] B[k/z,j/y/x] -> "
                 "C[i/x,j/y/z] plan=gather:A/y+gather:B/x+local+reduce_scatter:C/z"),
            Bytes(64, 147456 * 4));
}

}  // namespace
}  // namespace shardcheck::model
