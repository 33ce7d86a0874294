#include <string>

#include <gtest/gtest.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>

#include "by_hand/run_case.h"

namespace shardcheck::impl {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;
using Numbers = std::vector<std::vector<double>>;

// The lesson's example: A = [[1,2],[3,4]], B = [[5,6],[7,8]], K over two ranks (Atlas v1.3.0).
const std::string lesson = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] ";
const std::string lesson_data = " in=f32 data=given A=1,2,3,4 B=5,6,7,8";

TEST(ShardedBackend, SumsTheLessonsPartialsIntoRows) {
  const CaseRun run =
      run_case(lesson + "-> C[i/x,j]" + lesson_data + " plan=local+reduce_scatter:C/x", true);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{19, 22}, {43, 50}}));
  EXPECT_EQ(run.seen.owned, (Lists{{0, 1}, {2, 3}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{8, 8}));
  ASSERT_EQ(run.seen.products->size(), 2u);
  const std::vector<std::vector<double>> partials{{5, 6, 15, 18}, {14, 16, 28, 32}};
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const LocalProduct& product = (*run.seen.products)[rank];
    EXPECT_EQ(product.a_columns, (std::vector<std::int64_t>{static_cast<std::int64_t>(rank)}));
    EXPECT_EQ(product.b_rows, product.a_columns);
    std::vector<double> partial;
    for (const std::uint64_t bits : product.partial) partial.push_back(number(Dtype::f32, bits));
    EXPECT_EQ(partial, partials[rank]);
  }
  ASSERT_EQ(run.seen.messages.size(), 2u);
  for (const Message& message : run.seen.messages) {
    std::vector<double> sent;
    for (const std::uint64_t bits : message.elements) sent.push_back(number(Dtype::f32, bits));
    EXPECT_EQ(sent,
              message.source == 0 ? (std::vector<double>{15, 18}) : (std::vector<double>{14, 16}));
  }
}

TEST(ShardedBackend, GathersTheLessonsRowsForSixteenBytesARank) {
  const CaseRun run =
      run_case(lesson + "-> C[i,j]" + lesson_data + " plan=local+reduce_scatter+all_gather");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{19, 22, 43, 50}, {19, 22, 43, 50}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{16, 16}));
}

TEST(ShardedBackend, ResolvesTheLessonsPlanByItself) {
  const CaseRun run = run_case(lesson + "-> C[i/x,j]" + lesson_data);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{19, 22}, {43, 50}}));
  EXPECT_EQ(print(run.subject.mesh, *run.seen.steps), "local+reduce_scatter:C/x");
}

// Partials 1, 257 and 1, bf16 on the wire (8 bits: 257 is a tie and becomes 256). The one element
// is member 0's block. Ring: 257 -> 256, + 1 = 257 -> 256, + 1 = 257. Direct: 1 + 256 + 1 = 258.
const std::string three =
    "matmul mesh=x3 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 "
    "wire=bf16 data=given A=1,257,1 B=1,1,1 plan=local+all_reduce:C/x ";

TEST(ShardedBackend, RoundsAPartialToWireEachTimeItIsSentOnARing) {
  const CaseRun run = run_case(three + "algorithm.all_reduce=ring");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{257}, {257}, {257}}));
  // Reduce-scatter, 2 bytes an element: 0 2 2. All-gather in f32, 4 bytes: 4 4 0.
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{4, 6, 2}));
}

TEST(ShardedBackend, RoundsAPartialToWireOnceInADirectSum) {
  const CaseRun run = run_case(three + "algorithm.all_reduce=direct");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{258}, {258}, {258}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{8, 2, 2}));
}

CaseRun run_with(const std::string& line, Collective collective, Algorithm algorithm) {
  ProductCase subject = *parse_product(line);
  subject.algorithms[static_cast<std::size_t>(collective)] = algorithm;
  return run_case(subject, true);
}

// Partials 1, 258 and 1. Member 0 folds into 1, which has 259 then: between 258 and 260, of which
// 260 is the even one.
const std::string folded =
    "matmul mesh=x3 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 "
    "wire=bf16 data=given A=1,258,1 B=1,1,1 plan=local+all_reduce:C/x ";

TEST(ShardedBackend, RoundsBothOperandsWhereBothKeepTheSum) {
  const CaseRun run = run_with(folded, Collective::all_reduce, Algorithm::doubling);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{261}, {261}, {261}}));
  // One bf16 each; then member 1 hands one f32 back.
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{2, 2 + 4, 2}));
}

TEST(ShardedBackend, SendsFinishedSumsInOutWhateverTheAlgorithm) {
  // Blocks over p2 = 2: the one element, and none. 259 + 1 at member 1.
  CaseRun run = run_with(folded, Collective::all_reduce, Algorithm::rabenseifner);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{260}, {260}, {260}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{2, 4 + 4, 2}));
  // (1 + 258) + 1 at member 0.
  run = run_with(folded, Collective::all_reduce, Algorithm::binomial);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{260}, {260}, {260}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{4 + 4, 2, 2}));
}

TEST(ShardedBackend, HandsTheBlockOfAFoldedMemberBackFinished) {
  // Member 1 has 259 + 1 for rows 0 and 1; member 2 has 1 + 260 for row 2.
  const CaseRun run = run_with(
      "matmul mesh=x3 i=3 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 wire=bf16 data=given "
      "A=1,258,1,1,258,1,1,258,1 B=1,1,1 plan=local+reduce_scatter:C/x",
      Collective::reduce_scatter, Algorithm::halving);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{260}, {260}, {261}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{6, 2 + 4, 4}));
  for (const Message& message : run.seen.messages) {
    EXPECT_EQ(message.dtype, message.destination == 0 ? Dtype::f32 : Dtype::bf16);
  }
}

TEST(ShardedBackend, HandsTheBlockOfAFoldedMemberBackInWireWhileItIsUnfinished) {
  // Over x: 1, 258, 2 with y = 0, nothing with y = 1. Rows 0 and 1: 259 + 2 = 261; row 0 goes back
  // in bf16 as 260, a tie. Row 2: 2 + 260.
  const CaseRun run = run_with(
      "matmul mesh=x3,y2 i=3 j=1 k=6 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j] in=f32 wire=bf16 data=given "
      "A=1,0,258,0,2,0,1,0,258,0,2,0,1,0,258,0,2,0 B=1,1,1,1,1,1 "
      "plan=local+reduce_scatter:C/x+all_reduce:C/y",
      Collective::reduce_scatter, Algorithm::halving);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{260}, {260}, {261}, {261}, {262}, {262}}));
}

// Partials (x, y): 257, 1, 2, 0 in rank order. Over x: 2 + 257 = 259 and 0 + 1 = 1.
const std::string four = "matmul mesh=x2,y2 i=1 j=1 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i,j]";
const std::string four_data = " in=f32 wire=bf16 data=given A=257,1,2,0 B=1,1,1,1 ";

TEST(ShardedBackend, ReplicatesAnUnfinishedSumInWire) {
  // 259 is replicated while C is partial over y: it becomes 260 (a tie between 258 and 260, and
  // 130 is even) for its owner too; 1 + 260 = 261.
  const CaseRun run = run_case(four + four_data + "plan=local+all_reduce:C/x+all_reduce:C/y");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{261}, {261}, {261}, {261}}));
}

TEST(ShardedBackend, TakesASumForFinishedOnceOnlyWantedPartialsAreLeft) {
  const CaseRun run = run_case(four + "+y" + four_data + "plan=local+all_reduce:C/x");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{259}, {1}, {259}, {1}}));
}

TEST(ShardedBackend, KeepsAnUnfinishedSumUnroundedWhereItStays) {
  // Reduced over x by rows, 259 stays with x = 0; over y it is summed as it is: 1 + 259 = 260.
  const CaseRun run =
      run_case(four + four_data + "plan=local+reduce_scatter:C/x+all_reduce:C/y+gather:C/x");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{260}, {260}, {260}, {260}}));
}

// Rows 0 1 | 2 over x, k over y. Partials of y = 0: 257, 257, 2; of y = 1: 2, 2, 257.
const std::string moved = "matmul mesh=x2,y2 i=3 j=1 k=2 A[i/x,k/y] B[k/y,j] -> C";
const std::string moved_data =
    " in=f32 wire=bf16 data=given A=257,2,257,2,2,257 B=1,1 plan=local+exchange:C+all_reduce:C/y";

TEST(ShardedBackend, RoundsThePartialsThatAnExchangeMovesAndNoOthers) {
  // Row 1 moves to x = 1: 257 -> 256, and 2 + 256 = 258. Row 0 stays: 2 + 257 = 259, summed by
  // y = 0, its block's owner; row 2 likewise by y = 1.
  const CaseRun run = run_case(
      "matmul mesh=x2,y2 i=3 j=1 k=2 split.C.i=sets:0|1,2 A[i/x,k/y] B[k/y,j] -> C[i/x,j]" +
      moved_data);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{259}, {259}, {258, 259}, {258, 259}}));
}

TEST(ShardedBackend, RoundsAReplicatedPartialForItsOwnerToo) {
  const CaseRun run = run_case(moved + "[i,j]" + moved_data);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  const std::vector<double> all{258, 258, 258};
  EXPECT_EQ(run.numbers(), (Numbers{all, all, all, all}));
}

TEST(ShardedBackend, TakesTheReferencesOrderInAnExchangeIfTheSetsAgree) {
  const std::string line =
      "matmul mesh=x2 i=1 j=1 k=4 split.A.k=balanced split.B.k=sets:3,0|1,2 A[i,k/x] B[k/x,j] -> "
      "C[i,j] in=f32 data=given A=1,1,1,1 B=1,1,1,1 ";
  const CaseRun same = run_case(line + "plan=exchange:A+local+all_reduce:C/x");
  ASSERT_EQ(same.seen.ending, Ending::finished) << same.seen.cause;
  EXPECT_EQ((*same.seen.products)[0].a_columns, (std::vector<std::int64_t>{3, 0}));
  EXPECT_EQ((*same.seen.products)[1].a_columns, (std::vector<std::int64_t>{1, 2}));
  // B's k, gathered from its sets, is 3 0 1 2; A was joined before, when B was still cut.
  const CaseRun other = run_case(line + "plan=exchange:A[i,k]+gather:B/x+local");
  ASSERT_EQ(other.seen.ending, Ending::finished) << other.seen.cause;
  EXPECT_EQ((*other.seen.products)[0].a_columns, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST(ShardedBackend, AddsInTheOrderOfTheSet) {
  // 2^24 + 1 = 2^24 in f32. In the order 0 1 2 each 1 is lost; in the order 1 2 0 both count.
  const std::string sums = "matmul mesh=x1 i=1 j=1 k=3 split.k=sets:";
  const std::string data = " A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=given A=16777216,1,1 B=1,1,1";
  EXPECT_EQ(run_case(sums + "0,1,2" + data).numbers(), (Numbers{{16777216}}));
  EXPECT_EQ(run_case(sums + "1,2,0" + data).numbers(), (Numbers{{16777218}}));
}

TEST(ShardedBackend, FollowsAsOrderWhereBIsCutDifferently) {
  // X = 0 … 15 as 4×4, X·X (pytorch/pytorch#166598), A's k in blocks 0 2 | 1 3 and B's in 0 1 |
  // 2 3.
  const CaseRun run = run_case(
      "matmul mesh=x2 i=4 j=4 k=4 split.k=sets:0,2|1,3 split.B.k=balanced A[i,k/x] B[k/x,j] -> "
      "C[i/x,j] in=f32 data=given A=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 "
      "B=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{56, 62, 68, 74, 152, 174, 196, 218},
                                    {248, 286, 324, 362, 344, 398, 452, 506}}));
  for (const LocalProduct& product : *run.seen.products) {
    EXPECT_EQ(product.a_columns, product.b_rows);
  }
}

TEST(ShardedBackend, MultipliesNothingToPlusZero) {
  const CaseRun run =
      run_case("matmul mesh=x3 i=2 j=1 k=0 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 data=given A= B=");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.results, (std::vector<std::vector<Bits>>{{0}, {0}, {}}));
}

TEST(ShardedBackend, TakesMoreRanksThanThereAreKs) {
  const CaseRun run = run_case(
      "matmul mesh=x4 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=given A=3,5 B=7,11");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{76}, {76}, {76}, {76}}));
}

TEST(ShardedBackend, SumsEveryLegalCombinationOfDtypes) {
  // 1·2 + 2·2 + 2·2 = 10 is a number of every format, and so is every sum on the way.
  const auto parsed = parse_product(
      "matmul mesh=x3 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j] in=i64 data=given A=1,2,2 B=2,2,2");
  ASSERT_TRUE(parsed.has_value());
  for (const DtypeCombination& dtypes : legal_combinations()) {
    ProductCase subject = *parsed;
    subject.dtypes = dtypes;
    for (std::vector<Bits>& values : subject.data.given) {
      for (Bits& value : values) {
        value = *parse_value(dtypes.in, std::to_string(value));
      }
    }
    const CaseRun run = run_case(subject);
    ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
    ASSERT_EQ(run.numbers(), (Numbers{{10}, {10}, {10}})) << print(subject);
  }
}

TEST(ShardedBackend, SaysWhyAPlanIsNotLegal) {
  const CaseRun run = run_case(lesson + "-> C[i/x,j]" + lesson_data + " plan=local+all_reduce:C/x");
  EXPECT_EQ(run.seen.ending, Ending::unsupported);
  EXPECT_EQ(run.seen.cause, "the plan doesn't end with what the consumer asks for");
  const CaseRun early =
      run_case(lesson + "-> C[i/x,j]" + lesson_data + " plan=reduce_scatter:C/x+local");
  EXPECT_EQ(early.seen.ending, Ending::unsupported);
  EXPECT_EQ(early.seen.cause, "reduce_scatter:C/x: C doesn't exist yet");
}

}  // namespace
}  // namespace shardcheck::impl
