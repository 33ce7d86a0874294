#include "related_case.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>

namespace shardcheck {
namespace {

struct Made {
  std::optional<Related> related;
  std::string line;  ///< of the related case; "" if there is none
};

Made made(Relation relation, std::string_view line) {
  const auto subject = parse_product(line);
  EXPECT_TRUE(subject.has_value()) << print(subject.error());
  const auto plan = model::resolve(*subject);
  EXPECT_TRUE(plan.has_value()) << plan.error();
  Made result{relate(relation, *subject, *plan), ""};
  if (result.related) result.line = print(result.related->subject);
  return result;
}

/// A = [1 2; 3 4], B = [5 6; 7 8], K over two ranks, rows wanted.
constexpr std::string_view rows =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8";

TEST(Relation, IsFoundByItsName) {
  for (const RelationInfo& entry : relations) EXPECT_EQ(relation_named(entry.name), entry.relation);
  EXPECT_EQ(relation_named("mirror"), std::nullopt);
}

TEST(Scaling, MultipliesAByAPowerOfTwo) {
  // 4·16 + 8·128 is far from f32's largest number: the exponent is 4.
  const Made scaled = made(Relation::scaling, rows);
  EXPECT_EQ(scaled.line,
            "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] "
            "plan=local+reduce_scatter:C/x data=given A=16,32,48,64 B=5,6,7,8");
  EXPECT_EQ(scaled.related->exponent, 4);
  EXPECT_TRUE(scaled.related->rounds_alike);
}

TEST(Scaling, KeepsAwayFromTheEndsOfTheRange) {
  const std::string shape = "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] data=given ";
  // 2^126 · 2 is a value, twice that is not.
  EXPECT_FALSE(made(Relation::scaling, shape + "A=0x1p126 B=2").related);
  // 2^-100 · 2^-50 is below f32's unit 2^-149.
  EXPECT_FALSE(made(Relation::scaling, shape + "A=0x1p-100 B=0x1p-50").related);
  EXPECT_TRUE(made(Relation::scaling, shape + "A=0x1p-100 B=0x1p-49").related);
  EXPECT_FALSE(made(Relation::scaling, shape + "A=inf B=1").related);
  EXPECT_FALSE(made(Relation::scaling, shape + "A=1 B=nan").related);
  EXPECT_FALSE(made(Relation::scaling, shape + "in=i32 A=1 B=1").related);
}

TEST(Transpose, ExchangesOperandsSizesLayoutsAndSteps) {
  const Made transposed = made(Relation::transpose,
                               "matmul mesh=x2,y2 i=2 j=3 k=2 A[i,k/x] B[k,j/y] -> C[i/x,j/y] "
                               "plan=exchange:A[i/x,k]+local data=given A=1,2,3,4 B=5,6,7,8,9,10");
  EXPECT_EQ(transposed.line,
            "matmul mesh=x2,y2 i=3 j=2 k=2 A[i/y,k] B[k/x,j] -> C[i/y,j/x] "
            "plan=exchange:B[k,j/x]+local data=given A=5,8,6,9,7,10 B=1,3,2,4");
  EXPECT_TRUE(transposed.related->is_transposed);
}

TEST(Transpose, PromisesNoBitsWhereRowsAreCounted) {
  EXPECT_TRUE(made(Relation::transpose, rows).related->rounds_alike);
  const std::string replicas = "matmul mesh=x2 i=3 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+";
  EXPECT_FALSE(made(Relation::transpose, replicas + "all_reduce:C/x").related->rounds_alike);
  EXPECT_FALSE(made(Relation::transpose, replicas + "reduce_scatter:C/x+gather:C/x").related);
  // A's k come as 1, 0 on rank 0, B's as 0, 1.
  const Made other_order = made(Relation::transpose,
                                "matmul mesh=x1 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] "
                                "split.A.k=sets:1,0 split.B.k=sets:0,1 "
                                "plan=local+all_reduce:C/x");
  EXPECT_FALSE(other_order.related->rounds_alike);
}

TEST(JoinedRanks, HoldWhatBothHeld) {
  // 0,1 | 2 | 3 | 4 becomes 0,1,2 | 3,4.
  const Made joined = made(Relation::joined_ranks,
                           "matmul mesh=x4 i=1 j=1 k=5 A[i,k/x] B[k/x,j] -> C[i,j] "
                           "plan=local+all_reduce:C/x");
  EXPECT_EQ(joined.line,
            "matmul mesh=x2 i=1 j=1 k=5 A[i,k/x] B[k/x,j] -> C[i,j] split.k=sets:0,1,2|3,4 "
            "plan=local+all_reduce:C/x");
  EXPECT_EQ(joined.related->rank_of, (std::vector<std::int64_t>{0, 0, 1, 1}));
  EXPECT_EQ(joined.related->bytes, (std::vector<Related::Bytes>(2, Related::Bytes::no_more)));
}

TEST(JoinedRanks, LeavesPartialsApart) {
  EXPECT_FALSE(made(Relation::joined_ranks,
                    "matmul mesh=x2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j]+x plan=local")
                   .related);
}

TEST(AppendedZeros, GoToTheEndOfTheLastPart) {
  // k = 2: one more than 2 mod 3, so three zeros.
  const Made longer = made(Relation::appended_zeros, rows);
  EXPECT_EQ(longer.line,
            "matmul mesh=x2 i=2 j=2 k=5 A[i,k/x] B[k/x,j] -> C[i/x,j] split.k=sets:0|1,2,3,4 "
            "plan=local+reduce_scatter:C/x data=given A=1,2,0,0,0,3,4,0,0,0 "
            "B=5,6,7,8,0,0,0,0,0,0");
  EXPECT_TRUE(longer.related->rounds_alike);
}

TEST(AppendedRanks, HoldNothing) {
  const Made more = made(Relation::appended_ranks, rows);
  EXPECT_EQ(more.line,
            "matmul mesh=x3 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] split.i=sets:0|1| "
            "split.k=sets:0|1| plan=local+reduce_scatter:C/x data=given A=1,2,3,4 B=5,6,7,8");
  EXPECT_FALSE(more.related->rounds_alike);
}

TEST(AppendedRanks, MoveTheRanksBehindThem) {
  const Made more = made(Relation::appended_ranks,
                         "matmul mesh=x2,y2 i=2 j=1 k=2 A[i/x,k] B[k,j] -> C[i/x,j] plan=local");
  const Made other = made(Relation::appended_ranks,
                          "matmul mesh=x2,y2 i=2 j=2 k=2 A[i/x,k] B[k,j] -> C[i/x,j] plan=local");
  // 5 mod 2 = 1 is y: rank (x, y) becomes x·3 + y. 6 mod 2 = 0 is x.
  EXPECT_EQ(more.related->rank_of, (std::vector<std::int64_t>{0, 1, 3, 4}));
  EXPECT_EQ(other.related->rank_of, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST(RelabelledRanks, TurnTheLongestAxis) {
  const Made turned = made(Relation::relabelled_ranks,
                           "matmul mesh=x2,y3 i=3 j=2 k=2 A[i/y,k/x] B[k/x,j] -> C[i/y,j] "
                           "plan=local+all_reduce:C/x");
  EXPECT_EQ(turned.line,
            "matmul mesh=x2,y3 i=3 j=2 k=2 A[i/y,k/x] B[k/x,j] -> C[i/y,j] "
            "split.i=sets:2|0|1 plan=local+all_reduce:C/x");
  EXPECT_EQ(turned.related->rank_of, (std::vector<std::int64_t>{1, 2, 0, 4, 5, 3}));
}

// Three members: the first is folded into the second, and gets back what the third never sends.
TEST(RelatedBytes, AreNotClaimedWhereFoldedMembersGetThemBack) {
  using Bytes = Related::Bytes;
  const auto bytes = [](Relation relation, const std::string& tail) {
    const std::string head = "matmul mesh=x3 i=3 j=2 k=3 ";
    return made(relation, head + tail).related->bytes.back();
  };
  const std::string scatter =
      "A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x algorithm.reduce_scatter=";
  const std::string reduce =
      "A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x algorithm.all_reduce=";
  const std::string gather =
      "A[i/x,k] B[k,j] -> C[i,j] plan=local+gather:C/x algorithm.all_gather=";
  for (const Relation relation :
       {Relation::joined_ranks, Relation::appended_ranks, Relation::relabelled_ranks}) {
    EXPECT_EQ(bytes(relation, scatter + "halving"), Bytes::unrelated);
    EXPECT_NE(bytes(relation, scatter + "pairwise"), Bytes::unrelated);
  }
  EXPECT_EQ(bytes(Relation::appended_ranks, reduce + "doubling"), Bytes::unrelated);
  EXPECT_EQ(bytes(Relation::joined_ranks, reduce + "doubling"), Bytes::no_more);
  EXPECT_EQ(bytes(Relation::reduce_then_gather, reduce + "doubling"), Bytes::unrelated);
  EXPECT_EQ(bytes(Relation::reduce_then_gather, reduce + "rabenseifner"), Bytes::equal);
  EXPECT_EQ(bytes(Relation::reduce_then_gather, reduce + "ring algorithm.reduce_scatter=halving"),
            Bytes::unrelated);
  EXPECT_EQ(bytes(Relation::relabelled_ranks, gather + "doubling"), Bytes::equal);
  EXPECT_EQ(bytes(Relation::relabelled_ranks, gather + "bruck"), Bytes::equal_by_pair);
}

const std::string square =
    "matmul mesh=x2,y2 i=1 j=1 k=3 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=";

TEST(Transpose, MirrorsWovenSteps) {
  const auto plan_of = [](const std::string& line) {
    const Made transposed = made(Relation::transpose, line);
    EXPECT_TRUE(transposed.related) << line;
    return print(transposed.related->subject.mesh, *transposed.related->subject.plan);
  };
  EXPECT_EQ(plan_of(square + "summa:x/y"), "summa:y/x");
  EXPECT_EQ(plan_of(square + "cannon:x/y"), "cannon:y/x");
  const std::string ring = "matmul mesh=x2 i=1 j=2 k=3 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=";
  EXPECT_EQ(plan_of(ring + "gather_local:A/x"), "gather_local:B/x");
  EXPECT_TRUE(made(Relation::transpose, square + "cannon:x/y").related->rounds_alike);
  EXPECT_TRUE(made(Relation::transpose, ring + "gather_local:A/x").related->rounds_alike);
  // Panels are taken along the columns' axis first.
  EXPECT_FALSE(made(Relation::transpose, square + "summa:x/y").related->rounds_alike);
  // Rows by position.
  EXPECT_FALSE(made(Relation::transpose,
                    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j] "
                    "plan=local_scatter:C/x+gather:C/x")
                   .related);
}

TEST(Relations, LeaveCannonsSquareAlone) {
  for (const Relation relation :
       {Relation::joined_ranks, Relation::appended_ranks, Relation::relabelled_ranks}) {
    EXPECT_FALSE(made(relation, square + "cannon:x/y").related) << name(relation);
    EXPECT_TRUE(made(relation, square + "summa:x/y").related) << name(relation);
    // z doesn't cut k, and so may change.
    const Made more = made(relation,
                           "matmul mesh=x2,y2,z3 i=3 j=1 k=3 A[i/x/z,k/y] B[k/x,j/y] -> "
                           "C[i/x/z,j/y] plan=cannon:x/y");
    ASSERT_TRUE(more.related) << name(relation);
    EXPECT_EQ(more.related->subject.mesh.axes[0].size, 2) << name(relation);
  }
}

TEST(RelabelledRanks, KeepARingsOrderAndNotThatOfPanels) {
  EXPECT_TRUE(made(Relation::relabelled_ranks,
                   "matmul mesh=x3 i=1 j=3 k=3 A[i,k/x] B[k,j/x] -> C[i,j/x] "
                   "plan=gather_local:A/x")
                  .related->rounds_alike);
  EXPECT_FALSE(made(Relation::relabelled_ranks, square + "summa:x/y").related->rounds_alike);
}

TEST(WovenApart, TakesTheStepsThatAWovenStepStandsFor) {
  using Bytes = Related::Bytes;
  const Made cannon = made(Relation::woven_apart, square + "cannon:x/y");
  EXPECT_EQ(print(cannon.related->subject.mesh, *cannon.related->subject.plan),
            "gather:A/y+gather:B/x+local");
  EXPECT_EQ(cannon.related->phase_of, (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(cannon.related->bytes, std::vector<Bytes>{Bytes::no_more});
  EXPECT_FALSE(cannon.related->rounds_alike);

  const Made scatter = made(Relation::woven_apart,
                            "matmul mesh=x2,y2 i=2 j=2 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j/y] "
                            "algorithm.reduce_scatter=direct "
                            "plan=local_scatter:C/x+reduce_scatter:C/y");
  EXPECT_EQ(scatter.line,
            "matmul mesh=x2,y2 i=2 j=2 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j/y] "
            "plan=local+reduce_scatter:C/x+reduce_scatter:C/y");
  EXPECT_EQ(scatter.related->bytes, (std::vector<Bytes>{Bytes::equal_by_pair, Bytes::unrelated}));
  // The other reduce-scatter becomes a ring as well, and adds otherwise.
  EXPECT_FALSE(scatter.related->rounds_alike);
  EXPECT_FALSE(made(Relation::woven_apart, rows).related);
}

TEST(ReduceThenGather, SplitsEveryAllReduce) {
  const Made split = made(Relation::reduce_then_gather,
                          "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j] "
                          "plan=local+all_reduce:C/x");
  EXPECT_EQ(split.line,
            "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j] "
            "plan=local+reduce_scatter:C/x+gather:C/x");
  EXPECT_EQ(split.related->phase_of, (std::vector<std::int64_t>{0, 1, 1}));
  EXPECT_FALSE(made(Relation::reduce_then_gather, rows).related);
}

}  // namespace
}  // namespace shardcheck
