#include <string>

#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

/// Three ranks, a k each; f32 throughout. 2^24 + 1 is no f32.
constexpr std::string_view three_ranks =
    "matmul mesh=x3 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x "
    "algorithm.all_reduce=direct data=given A=0x1p24,1,1 B=1,1,1";
/// All three k on one rank.
constexpr std::string_view one_rank =
    "matmul mesh=x1 i=1 j=1 k=3 A[i,k] B[k,j] -> C[i,j] plan=local data=given A=0x1p24,1,1 "
    "B=1,1,1";

/// Of a backend that adds nothing: returns the one value on every rank, the other one on the last.
std::string found(std::string_view line, Promises promises, float value, float value_on_last) {
  const auto returns = [&](const Request& request, Observation& told) {
    for (const RankMemory& rank : request.ranks) {
      const bool is_last = &rank == &request.ranks.back();
      put(rank.output, 0, is_last ? value_on_last : value);
      told.owned.push_back({0});
    }
  };
  ByHand backend(Kind::product, returns, promises);
  return signature(check(parsed(line), backend));
}

std::string found(std::string_view line, Promises promises, float value) {
  return found(line, promises, value, value);
}

// (2^24 + 1) + 1 = 2^24, each tie going to the even neighbour; 2^24 + (1 + 1) = 2^24 + 2.
constexpr float in_order = 16777216;
constexpr float in_another = 16777218;

TEST(Promises, HoldSumsAcrossRanksToTheDeclaredOrder) {
  EXPECT_EQ(found(three_ranks, {}, in_order), "");
  EXPECT_EQ(found(three_ranks, {}, in_another), "value/one_ulp");
}

TEST(Promises, AllowAnyOrderAcrossRanksWhereNoneIsPromised) {
  const Promises any_order{.declared_order = false};
  EXPECT_EQ(found(three_ranks, any_order, in_order), "");
  EXPECT_EQ(found(three_ranks, any_order, in_another), "");
  EXPECT_EQ(found(three_ranks, any_order, 16777300), "value/wrong");
}

TEST(Promises, AllowAnyOrderWithinARankWhereNoneIsPromised) {
  EXPECT_EQ(found(one_rank, {}, in_another), "value/one_ulp");
  EXPECT_EQ(found(one_rank, {.local_order = false}, in_order), "");
  EXPECT_EQ(found(one_rank, {.local_order = false}, in_another), "");
  EXPECT_EQ(found(one_rank, {.local_order = false}, 16777300), "value/wrong");
}

TEST(Promises, LeaveExactSumsTheirOneResult) {
  constexpr std::string_view line =
      "matmul mesh=x1 i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] plan=local data=given A=16777215,1 "
      "B=1,1";
  const Promises none{.declared_order = false, .local_order = false, .equal_replicas = false};
  EXPECT_EQ(found(line, none, in_order), "");
  EXPECT_EQ(found(line, none, in_another), "value/one_ulp");
}

TEST(Promises, HoldReplicasToOneAnotherOnlyIfTheyAreToBeEqual) {
  const Promises any_order{.declared_order = false};
  EXPECT_EQ(found(three_ranks, any_order, in_order, in_another), "ownership/replicas_differ");
  const Promises unequal{.declared_order = false, .equal_replicas = false};
  EXPECT_EQ(found(three_ranks, unequal, in_order, in_another), "");
}

}  // namespace
}  // namespace shardcheck
