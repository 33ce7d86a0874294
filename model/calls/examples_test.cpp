#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <shardcheck/model/case/text.h>

#include "expectation.h"

// Answers that others published, and what docs/collectives.md works out.

namespace shardcheck::model {
namespace {

/// Parsed and expected.
struct Expected {
  std::unique_ptr<CallsExpectation> expectation;

  explicit Expected(const std::string& line) {
    auto parsed = parse_calls(line);
    EXPECT_TRUE(parsed.has_value()) << line << ": " << (parsed ? "" : parsed.error().expected);
    auto found = expect_calls(*parsed);
    EXPECT_TRUE(found.has_value()) << line << ": " << (found ? "" : found.error());
    expectation = *std::move(found);
  }

  /// What every rank must return, in order.
  std::vector<std::string> results() const {
    std::vector<std::string> result;
    for (std::int64_t rank = 0; rank < rank_count(expectation->subject.mesh); ++rank) {
      std::string& text = result.emplace_back();
      for (const std::int64_t coordinate : expectation->owned_list(rank)) {
        if (!text.empty()) text += ' ';
        text += describe(expectation->allowed(rank, coordinate), expectation->subject.dtypes.out);
      }
    }
    return result;
  }

  /// Bytes sent, by rank, of the one call.
  std::vector<std::int64_t> bytes() const {
    std::vector<std::int64_t> result(
        static_cast<std::size_t>(rank_count(expectation->subject.mesh)), 0);
    for (const Transfer& transfer : expectation->sent) {
      result[static_cast<std::size_t>(transfer.source)] += transfer.bytes;
    }
    return result;
  }
};

using Results = std::vector<std::string>;
using Bytes = std::vector<std::int64_t>;

// JAX, "SPMD multi-device parallelism with shard_map": four ranks hold these.
const std::string jax = " mesh=x4 n=4 in=i32 data=given X=3,1,4,1|5,9,2,6|5,3,5,8|9,7,1,2";

TEST(CollectiveExamples, PsumOfTheShardMapNotebook) {
  const std::string sum = "22 20 12 17";
  EXPECT_EQ(Expected("all_reduce" + jax).results(), (Results{sum, sum, sum, sum}));
}

TEST(CollectiveExamples, PsumScatterOfTheShardMapNotebook) {
  EXPECT_EQ(Expected("reduce_scatter" + jax).results(), (Results{"22", "20", "12", "17"}));
}

TEST(CollectiveExamples, TiledAllToAllOfTheShardMapNotebook) {
  EXPECT_EQ(Expected("all_to_all" + jax).results(),
            (Results{"3 5 5 9", "1 9 3 7", "4 2 5 1", "1 6 8 2"}));
}

TEST(CollectiveExamples, PpermuteOfTheShardMapNotebook) {
  EXPECT_EQ(Expected("permute mesh=x4 n=2 in=i32 data=given X=0,1|2,3|4,5|6,7").results(),
            (Results{"6 7", "0 1", "2 3", "4 5"}));
}

// The StableHLO interpreter's reduce_scatter.mlir: rows of 4 scattered by columns, two ranks.
TEST(CollectiveExamples, ReduceScatterOfStableHlo) {
  const Expected scattered(
      "reduce_scatter mesh=x2 n=8 split.n=sets:0,1,4,5|2,3,6,7 in=i64 data=given "
      "X=1,2,3,4,5,6,7,8|9,10,11,12,13,14,15,16");
  EXPECT_EQ(scattered.results(), (Results{"10 12 18 20", "14 16 22 24"}));
}

// The StableHLO interpreter's all_reduce.mlir.
TEST(CollectiveExamples, AllReduceOfStableHlo) {
  EXPECT_EQ(Expected("all_reduce mesh=x2 n=4 in=i64 data=given X=1,2,3,4|5,6,7,8").results(),
            (Results{"6 8 10 12", "6 8 10 12"}));
}

// One total, three ledgers: worked out by hand from each algorithm's steps.
TEST(CollectiveExamples, UnevenBlocksHaveALedgerForEachAlgorithm) {
  const std::string blocks = " mesh=x5 n=6 split.n=sizes:0,3,1,0,2 in=i8";
  EXPECT_EQ(Expected("reduce_scatter" + blocks + " algorithm=ring").bytes(),
            (Bytes{6, 3, 5, 6, 4}));
  EXPECT_EQ(Expected("all_gather" + blocks + " algorithm=ring").bytes(), (Bytes{3, 5, 6, 4, 6}));
  EXPECT_EQ(Expected("all_gather" + blocks + " algorithm=bruck").bytes(), (Bytes{3, 10, 3, 2, 6}));
}

// Σ popcount(t) over the distances t = 1 … P−1.
TEST(CollectiveExamples, BruckSendsABlockOnceForEachBitOfItsDistance) {
  const std::vector<std::pair<int, std::int64_t>> by_members{{2, 1}, {3, 2},  {4, 4},
                                                             {5, 5}, {8, 12}, {16, 32}};
  for (const auto& [members, blocks] : by_members) {
    const std::string size = std::to_string(members);
    const Expected exchanged("all_to_all mesh=x" + size + " n=" + size + " in=u8 algorithm=bruck");
    EXPECT_EQ(exchanged.bytes(), Bytes(static_cast<std::size_t>(members), blocks)) << members;
  }
}

TEST(CollectiveExamples, AverageTruncatesTowardsZero) {
  EXPECT_EQ(Expected("all_reduce mesh=x2 n=2 op=average in=i8 data=given X=-4,5|1,2").results(),
            (Results{"-1 3", "-1 3"}));
}

TEST(CollectiveExamples, TheIntegerAverageDividesTheWrappedSum) {
  // 100 + 100 = 200 = −56 modulo 256.
  EXPECT_EQ(Expected("reduce mesh=x2 n=1 op=average in=i8 data=given X=100|100").results(),
            (Results{"-28", ""}));
  EXPECT_EQ(Expected("reduce mesh=x2 n=1 op=average in=u8 data=given X=100|100").results(),
            (Results{"100", ""}));
}

TEST(CollectiveExamples, MinOrdersZerosAndKeepsNaN) {
  const std::string data = " mesh=x3 n=3 data=given X=0,-0,1|-0,0,nan|0,0,3";
  EXPECT_EQ(Expected("reduce op=min" + data).results(), (Results{"-0 -0 nan", "", ""}));
  EXPECT_EQ(Expected("reduce op=max" + data).results(), (Results{"0 0 nan", "", ""}));
}

TEST(CollectiveExamples, MinAndMaxCompareAsSignedOrNot) {
  EXPECT_EQ(Expected("reduce op=min mesh=x2 n=1 in=u8 data=given X=200|100").results()[0], "100");
  EXPECT_EQ(Expected("reduce op=max mesh=x2 n=1 in=i8 data=given X=-56|100").results()[0], "100");
}

// [[1, 1], [0, 1]] · [[1, 0], [1, 1]] = [[2, 1], [1, 1]], the other way round [[1, 1], [1, 2]].
TEST(CollectiveExamples, MatrixProductsKeepTheirOrder) {
  const std::string data = " mesh=x2 n=1 op=matrix in=u32 data=given X=16777473|16842753";
  EXPECT_EQ(Expected("reduce" + data).results()[0],
            std::to_string(2 + (1 << 8) + (1 << 16) + (1 << 24)));
}

}  // namespace
}  // namespace shardcheck::model
