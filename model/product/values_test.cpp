#include "values.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <string>

#include <shardcheck/model/case/text.h>

namespace shardcheck::model {
namespace {

/// A case with what the model says about it.
struct Question {
  ProductCase subject;
  ResolvedPlan plan;
  std::unique_ptr<Values> values;

  Bits bits(std::int64_t rank, std::int64_t coordinate) const {
    const Allowed allowed = values->allowed(rank, coordinate);
    EXPECT_EQ(allowed.low, allowed.high);
    return allowed.low;
  }
  Grade grade(std::int64_t rank, std::int64_t coordinate) const {
    return values->allowed(rank, coordinate).grade;
  }
};

std::unique_ptr<Question> ask(const std::string& line,
                              LocalOrder local_order = LocalOrder::ascending) {
  auto question = std::make_unique<Question>();
  const auto subject = parse_product(line);
  if (!subject) {
    ADD_FAILURE() << print(subject.error());
    return nullptr;
  }
  question->subject = *subject;
  const auto plan = resolve(question->subject);
  if (!plan) {
    ADD_FAILURE() << plan.error();
    return nullptr;
  }
  question->plan = *plan;
  question->values = std::make_unique<Values>(question->subject, question->plan, local_order);
  return question;
}

float f32(Bits bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

constexpr const char* worked_example =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 data=given A=1,2,3,4 "
    "B=5,6,7,8 plan=local+reduce_scatter";

// The lesson "Sharded matrix multiplication and result ownership": partials [[5,6],[15,18]] and
// [[14,16],[28,32]], results [19,22] and [43,50].
TEST(Values, TheWorkedExampleHasItsPartialsAndResults) {
  const auto q = ask(worked_example);
  const float partials[2][4] = {{5, 6, 15, 18}, {14, 16, 28, 32}};
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    for (std::int64_t c = 0; c < 4; ++c) {
      EXPECT_EQ(f32(q->values->partial(rank, c)), partials[rank][c]);
    }
  }
  EXPECT_EQ(f32(q->bits(0, 0)), 19);
  EXPECT_EQ(f32(q->bits(0, 1)), 22);
  EXPECT_EQ(f32(q->bits(1, 2)), 43);
  EXPECT_EQ(f32(q->bits(1, 3)), 50);
  EXPECT_EQ(q->grade(0, 0), Grade::exact);
  EXPECT_FALSE(q->values->is_rounded(0, 0));
}

// Partials 1, 256, 1; bf16 holds 256 and 258, and 257 is a tie that goes to 256. The one element is
// block 0. ring: 256, then 256 + 1 = 257 travels as 256, then 256 + 1. direct: 1 + 256 + 1.
TEST(Values, AWireNarrowerThanTheAccumulatorMakesRingAndDirectDiffer) {
  const std::string line =
      "matmul mesh=x3 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j] in=bf16 acc=f32 out=f32 "
      "data=given A=1,256,1 B=1,1,1 plan=local+all_reduce";
  const auto ring = ask(line + " wire=bf16");
  const auto direct = ask(line + " wire=bf16 algorithm.all_reduce=direct");
  const auto wide = ask(line + " wire=f32");
  EXPECT_EQ(f32(ring->bits(0, 0)), 257);
  EXPECT_EQ(f32(direct->bits(0, 0)), 258);
  EXPECT_EQ(f32(wide->bits(0, 0)), 258);
  EXPECT_EQ(ring->grade(0, 0), Grade::declared);
  EXPECT_EQ(wide->grade(0, 0), Grade::exact);
  EXPECT_TRUE(ring->values->is_rounded(2, 0));
  EXPECT_FALSE(wide->values->is_rounded(2, 0));
}

// Two elements, blocks 0 and 1 of two members. ring, block b: wire(x_{b+1}) + x_b: what stays is
// not rounded. Partials 257 and 1: block 0 keeps rank 0's 257, block 1 has it sent as 256.
TEST(Values, OnlyWhatIsSentIsRoundedToWire) {
  const auto q = ask(
      "matmul mesh=x2 i=2 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j] in=bf16 acc=f32 wire=bf16 out=f32 "
      "data=given A=1,256,1,1,256,1 B=1,1,1 plan=local+reduce_scatter");
  EXPECT_EQ(f32(q->values->partial(0, 0)), 257);
  EXPECT_EQ(f32(q->bits(0, 0)), 258);
  EXPECT_EQ(f32(q->bits(1, 1)), 257);
}

// Ranks (x, y) hold k = 2x + y; partials 1, 1, 256, 0. Over x: 256 + 1 = 257 for y = 0 and 1 for
// y = 1. An all-reduce replicates the 257 while C is still partial over y: everybody goes on with
// 256. After a reduce-scatter the owner goes on with 257.
TEST(Values, APartialThatIsReplicatedIsRoundedForEverybody) {
  const std::string line =
      "matmul mesh=x2,y2 i=1 j=1 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i,j] in=bf16 acc=f32 wire=bf16 "
      "out=f32 data=given A=1,1,256,0 B=1,1,1,1 ";
  const auto replicated = ask(line + "plan=local+all_reduce:C/x+all_reduce:C/y");
  const auto scattered = ask(line + "plan=local+reduce_scatter:C/x+all_reduce:C/y+gather:C/x");
  const auto gathered = ask(line + "plan=local+reduce_scatter:C/x+gather:C/x+all_reduce:C/y");
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(f32(replicated->bits(rank, 0)), 257);
    EXPECT_EQ(f32(scattered->bits(rank, 0)), 258);
    EXPECT_EQ(f32(gathered->bits(rank, 0)), 257);
  }
}

TEST(Values, OverAMeshAxisOfSizeOneNothingIsRoundedToWire) {
  const auto q = ask(
      "matmul mesh=x1 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] in=bf16 acc=f32 wire=bf16 out=f32 "
      "data=given A=256,1 B=1,1 plan=local+all_reduce");
  EXPECT_EQ(f32(q->bits(0, 0)), 257);
}

// 2^24 + 1 is a tie of f32 that goes to 2^24; 1 + 1 + 2^24 has no tie.
TEST(Values, ALocalSumFollowsTheOrderOfTheKList) {
  const std::string line =
      "matmul mesh=x1 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=given A=16777216,1,1 "
      "B=1,1,1 plan=local+all_reduce";
  EXPECT_EQ(f32(ask(line)->bits(0, 0)), 16777216);
  EXPECT_EQ(f32(ask(line + " split.k=sets:1,2,0")->bits(0, 0)), 16777218);
}

// (1 + 2^-12)² − (1 + 2^-11) is 2^-24 fused, and 0 if the product is rounded to f32 first.
TEST(Values, FusingIsWhatTheCaseSays) {
  const std::string line =
      "matmul mesh=x1 i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] in=f32 data=given "
      "A=-0x1.002p+0,0x1.001p+0 B=1,0x1.001p+0 ";
  EXPECT_EQ(f32(ask(line + "fma=no")->bits(0, 0)), 0);
  EXPECT_EQ(f32(ask(line + "fma=yes")->bits(0, 0)), 0x1p-24F);
  const auto any = ask(line + "fma=any");
  EXPECT_EQ(any->grade(0, 0), Grade::any_order);
  EXPECT_EQ(any->values->allowed(0, 0).set,
            (std::vector<Bits>{0, std::bit_cast<std::uint32_t>(0x1p-24F)}));
}

TEST(Values, NothingContractedIsPlusZero) {
  const auto q =
      ask("matmul mesh=x2 i=2 j=2 k=0 A[i,k/x] B[k/x,j] -> C[i/x,j] in=bf16 data=ints:0 "
          "plan=local+reduce_scatter");
  EXPECT_EQ(q->bits(0, 0), 0U);
  EXPECT_EQ(q->bits(1, 3), 0U);
  EXPECT_EQ(q->grade(0, 0), Grade::exact);
}

TEST(Values, EmptyShardsContributePlusZero) {
  const auto q =
      ask("matmul mesh=x4 i=1 j=1 k=1 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=given A=-0 B=3 "
          "plan=local+all_reduce");
  EXPECT_EQ(q->values->partial(0, 0), 0U);  // +0 + (−0 · 3) = +0
  EXPECT_EQ(q->values->partial(3, 0), 0U);
  EXPECT_EQ(q->bits(2, 0), 0U);
}

TEST(Values, ANanReachesItsRowAndNothingElse) {
  const auto q =
      ask("matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=given A=nan,0,1,2 "
          "B=0,0,1,1 plan=local+all_reduce");
  for (std::int64_t c = 0; c < 2; ++c) {
    EXPECT_TRUE(q->values->allowed(0, c).only_nan);
    EXPECT_FALSE(q->values->allowed(0, c + 2).nan);
    EXPECT_EQ(f32(q->bits(1, c + 2)), 2);
  }
}

TEST(Values, InfinitiesFollowIeee754) {
  const auto q =
      ask("matmul mesh=x2 i=3 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=given "
          "A=inf,1,inf,-inf,inf,0 B=1,1 plan=local+all_reduce");
  EXPECT_EQ(f32(q->bits(0, 0)), INFINITY);
  EXPECT_TRUE(q->values->allowed(0, 1).only_nan);  // inf − inf
  EXPECT_EQ(f32(q->bits(0, 2)), INFINITY);
  const auto zero_times =
      ask("matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] in=f32 data=given A=inf B=0");
  EXPECT_TRUE(zero_times->values->allowed(0, 0).only_nan);
}

// 2^30 + 2^30 + ... four times = 2^32 = 0 mod 2^32; and 2^31 is −2^31.
TEST(Values, IntegersWrap) {
  const auto q =
      ask("matmul mesh=x2 i=2 j=1 k=4 A[i,k/x] B[k/x,j] -> C[i,j] in=i32 data=given "
          "A=1,1,1,1,1,1,0,0 B=1073741824,1073741824,1073741824,1073741824 plan=local+all_reduce");
  EXPECT_EQ(q->bits(0, 0), 0U);
  EXPECT_EQ(q->bits(0, 1), 0x80000000U);
  EXPECT_EQ(q->grade(0, 0), Grade::exact);
  const auto narrow =
      ask("matmul mesh=x1 i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] in=i8 acc=i64 out=i32 wire=i64 "
          "data=given A=-128,-128 B=127,127");
  EXPECT_EQ(narrow->bits(0, 0), 0xffff8100U);  // −32512
}

TEST(Values, AConsumerOfPartialsGetsEachRanksOwnSumRoundedOnce) {
  const auto q =
      ask("matmul mesh=x2 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j]+x in=bf16 data=given A=256,1,7 "
          "B=1,1,1");
  const Bits bf16_256 = 0x4380;
  EXPECT_EQ(q->bits(0, 0), bf16_256);  // 257, rounded to out = bf16
  EXPECT_EQ(q->bits(1, 0), 0x40e0U);   // 7
  EXPECT_TRUE(q->values->is_rounded(0, 0));
  EXPECT_FALSE(q->values->is_rounded(1, 0));
}

// C[0][0] = 1·5 + 2·7. Without k = 0: 14; k = 0 twice: 24; paired with its neighbour: 1·7 + 2·5.
TEST(Values, AlterationsGiveTheResultsOfTheirMistakes) {
  using Kind = Alteration::Kind;
  const auto q = ask(worked_example);
  const auto after = [&](Kind kind, std::int64_t index) {
    return f32(q->values->altered(0, 0, {kind, index}).low);
  };
  EXPECT_EQ(after(Kind::drop_k, 0), 14);
  EXPECT_EQ(after(Kind::double_k, 0), 24);
  EXPECT_EQ(after(Kind::mispair_k, 0), 17);
  EXPECT_EQ(after(Kind::drop_rank, 1), 5);
  EXPECT_EQ(after(Kind::double_rank, 1), 33);
}

TEST(Values, SuspectsAreTheAlterationsThatExplainAResult) {
  using Kind = Alteration::Kind;
  const auto q = ask(worked_example);
  const auto suspects = [&](float got) {
    return q->values->suspects(0, 0, std::bit_cast<std::uint32_t>(got));
  };
  EXPECT_EQ(suspects(14), (std::vector<Alteration>{{Kind::drop_k, 0}, {Kind::drop_rank, 0}}));
  EXPECT_EQ(suspects(17), (std::vector<Alteration>{{Kind::mispair_k, 0}}));
  EXPECT_TRUE(suspects(19).empty());
  EXPECT_TRUE(suspects(1000).empty());
}

TEST(Values, OfRanksWithTheSamePartialOneContributesToEach) {
  using Kind = Alteration::Kind;
  const auto q =
      ask("matmul mesh=x2,y2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=given A=1,2 B=1,1 "
          "plan=local+all_reduce:C/x");
  // Rank 1 is x = 0, y = 1: it counts for y = 1 alone.
  EXPECT_EQ(f32(q->values->altered(0, 0, {Kind::drop_rank, 1}).low), 3);
  EXPECT_EQ(f32(q->values->altered(1, 0, {Kind::drop_rank, 1}).low), 2);
  EXPECT_EQ(f32(q->values->altered(2, 0, {Kind::drop_rank, 1}).low), 3);
  EXPECT_EQ(f32(q->values->altered(3, 0, {Kind::drop_rank, 1}).low), 2);
}

std::vector<float> values_of(const Allowed& allowed) {
  EXPECT_EQ(allowed.grade, Grade::any_order);
  std::vector<float> values;
  for (const Bits bits : allowed.set) values.push_back(f32(bits));
  return values;
}

TEST(Values, AFreeOrderIsExactWhereProvenAndASetElsewhere) {
  const std::string line =
      "matmul mesh=x3 i=1 j=1 k=4 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 order=any data=given "
      "B=1,1,1,1 plan=local+all_reduce A=";
  EXPECT_EQ(ask(line + "1,2,3,4")->grade(0, 0), Grade::exact);
  // The finest factors are 2^-20, the products are 1: exact although rows and columns look fine.
  EXPECT_EQ(
      ask("matmul mesh=x2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 order=any data=given "
          "A=0x1p+20,0x1p-20 B=0x1p-20,0x1p+20 plan=local+all_reduce")
          ->grade(0, 0),
      Grade::exact);
  // Partials 2^24 + 1 = 2^24, 1 and 1: 2^24 + 1 + 1 is 2^24, 2^24 + (1 + 1) is 2^24 + 2.
  EXPECT_EQ(values_of(ask(line + "16777216,1,1,1")->values->allowed(2, 0)),
            (std::vector<float>{16777216, 16777218}));
}

// Partials 1, 256, 1 as above: (256 + 1) sent is 256, plus 1 is 257; (1 + 1) + 256 is 258. Were the
// whole sum rounded to wire too, 257 would be 256.
TEST(Values, AFreeOrderMayRoundToWireAnywhereButInTheEnd) {
  const auto q = ask(
      "matmul mesh=x3 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j] in=bf16 acc=f32 out=f32 wire=bf16 "
      "data=given A=1,256,1 B=1,1,1 plan=local+all_reduce order=any");
  EXPECT_EQ(values_of(q->values->allowed(0, 0)), (std::vector<float>{257, 258}));
}

// Partials 1, 1, 256, 0 over (x, y): 257 and 258 as above, whichever mesh axis comes first; and 257
// sent, plus 0, is 256.
TEST(Values, AFreeOrderIsFreeOverAllMeshAxesOfAPlan) {
  const std::string line =
      "matmul mesh=x2,y2 i=1 j=1 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i,j] in=bf16 acc=f32 wire=bf16 "
      "out=f32 data=given A=1,1,256,0 B=1,1,1,1 order=any ";
  for (const char* plan :
       {"plan=local+all_reduce:C/x+all_reduce:C/y", "plan=local+all_reduce:C/y+all_reduce:C/x",
        "plan=local+reduce_scatter:C/x+all_reduce:C/y+gather:C/x"}) {
    const auto q = ask(line + plan);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      EXPECT_EQ(values_of(q->values->allowed(rank, 0)), (std::vector<float>{256, 257, 258}));
    }
  }
}

// 2^24 + 1 + 1 within a rank is 2^24 or 2^24 + 2; then the other rank's 1 is added, which makes
// 2^24 of the one and, a tie, 2^24 + 4 of the other.
TEST(Values, AFreeLocalOrderLeavesTheTreeAcrossRanksAsItIs) {
  const std::string line =
      "matmul mesh=x2 i=1 j=1 k=4 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 split.k=sizes:3,1 data=given "
      "A=16777216,1,1,1 B=1,1,1,1 plan=local+all_reduce";
  EXPECT_EQ(ask(line)->grade(0, 0), Grade::declared);
  EXPECT_EQ(f32(ask(line)->bits(0, 0)), 16777216);
  EXPECT_EQ(values_of(ask(line, LocalOrder::free)->values->allowed(0, 0)),
            (std::vector<float>{16777216, 16777220}));
}

TEST(Values, TooManyFreeTermsHaveABound) {
  const std::string line =
      "matmul mesh=x2 i=1 j=1 k=40 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=rounding:1 "
      "plan=local+all_reduce";
  EXPECT_EQ(ask(line, LocalOrder::free)->grade(0, 0), Grade::envelope);
  EXPECT_EQ(ask(line + " fma=any")->grade(0, 0), Grade::any_order);
  EXPECT_EQ(ask(line + " fma=any", LocalOrder::free)->grade(0, 0), Grade::envelope);
}

// Twenty-five partials in one order or another are too many; the 0 of an empty part isn't one.
TEST(Values, TooManyPartialsHaveABound) {
  const std::string line =
      "matmul mesh=x25 i=1 j=1 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 data=rounding:1 "
      "plan=local+all_reduce order=any ";
  EXPECT_EQ(ask(line + "k=25")->grade(0, 0), Grade::envelope);
  EXPECT_EQ(ask(line + "k=6")->grade(0, 0), Grade::any_order);
}

// Over x 256 + 1 = 257 is replicated while it is partial over y, of size 1: sent, it is 256.
TEST(Values, AFreeOrderEndsInWireWhereThePlanDoes) {
  const std::string line =
      "matmul mesh=x2,y1 i=1 j=1 k=2 A[i,k/x/y] B[k/x/y,j] -> C[i,j] in=bf16 acc=f32 wire=bf16 "
      "out=f32 data=given A=256,1 B=1,1 order=any ";
  EXPECT_EQ(
      values_of(ask(line + "plan=local+all_reduce:C/x+all_reduce:C/y")->values->allowed(0, 0)),
      (std::vector<float>{256}));
  EXPECT_EQ(
      values_of(ask(line + "plan=local+all_reduce:C/y+all_reduce:C/x")->values->allowed(0, 0)),
      (std::vector<float>{257}));
}

}  // namespace
}  // namespace shardcheck::model
