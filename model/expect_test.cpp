#include "expect.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/calls/expectation.h>
#include <shardcheck/model/case/text.h>

#include "product/expectation.h"

namespace shardcheck::model {
namespace {

using Groups = std::vector<std::vector<std::int64_t>>;

constexpr Promises no_order{.declared_order = false};

// Partials 5 6 15 18 and 14 16 28 32.
const std::string worked = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] ";
const std::string worked_data = "data=given A=1,2,3,4 B=5,6,7,8";

std::unique_ptr<Expectation> expected(const std::string& line, const Promises& promises = {}) {
  const auto subject = parse(line);
  EXPECT_TRUE(subject) << line << ": " << print(subject.error());
  auto found = expect(*subject, promises);
  EXPECT_TRUE(found) << line << ": " << found.error();
  return *std::move(found);
}

/// Of every rank, as write_inputs() leaves them: 32 bits each.
std::vector<std::vector<std::vector<Bits>>> written(const Expectation& all) {
  const auto ranks = static_cast<std::size_t>(rank_count(all.setting().mesh));
  std::vector<std::vector<std::vector<std::byte>>> memory(ranks);
  std::vector<std::vector<std::span<std::byte>>> buffers(ranks);
  std::vector<std::vector<std::vector<Bits>>> values(ranks);
  const Dtype in = all.setting().dtypes.in;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t number = 0; number < all.input_names().size(); ++number) {
      const std::int64_t count = all.input_elements(static_cast<std::int64_t>(rank), number);
      memory[rank].emplace_back(static_cast<std::size_t>(count * info(in).bytes));
    }
    buffers[rank].assign(memory[rank].begin(), memory[rank].end());
  }
  all.write_inputs(buffers);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (const auto& bytes : memory[rank]) {
      values[rank].emplace_back();
      const auto count = static_cast<std::int64_t>(bytes.size()) / info(in).bytes;
      for (std::int64_t at = 0; at < count; ++at)
        values[rank].back().push_back(load(bytes, in, at));
    }
  }
  return values;
}

TEST(Expectation, HoldsPlanOwnersBytesAndValuesOfTheWorkedExample) {
  const ProductCase subject = *parse_product(worked + "plan=local+reduce_scatter " + worked_data);
  const auto expected = expect_product(subject);
  ASSERT_TRUE(expected) << expected.error();
  const ProductExpectation& all = **expected;
  EXPECT_EQ(print(subject.mesh, all.plan.steps), "local+reduce_scatter:C/x");
  EXPECT_EQ(all.c_shards, (std::vector<Shard>{{{0}, {0, 1}}, {{1}, {0, 1}}}));
  EXPECT_EQ(all.owned(1), (IndexList{2, 3}));
  EXPECT_EQ(all.sent, (std::vector<Transfer>{{1, 0, 1, 8, 0}, {1, 1, 0, 8, 0}}));
  EXPECT_EQ(describe(all.allowed(1, 2), Dtype::f32), "43");
  EXPECT_FALSE(all.vacuity.is_trivial);
  EXPECT_EQ(all.vacuity.blind, 0);
}

TEST(Expectation, SaysWhyACaseCannotBeMeant) {
  const auto product = expect(*parse(
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k,j] -> C[i/x,j] plan=local+reduce_scatter:C/x"));
  ASSERT_FALSE(product);
  EXPECT_EQ(product.error(), "local: k of A and k of B are cut over different mesh axes");
  const auto calls = expect(*parse("all_reduce mesh=x2 n=1 op=matrix in=u32"));
  ASSERT_FALSE(calls);
  EXPECT_EQ(calls.error(),
            "call 0, all_reduce by ring: it changes the order of the operands, which matters to "
            "matrix");
}

TEST(Expectation, GivesEachRankItsInputs) {
  const auto product = expected(worked + "in=i32 " + worked_data);
  EXPECT_EQ(product->input_names()[0], "A");
  EXPECT_EQ(product->input_names()[1], "B");
  using Inputs = std::vector<std::vector<std::vector<Bits>>>;
  EXPECT_EQ(written(*product), (Inputs{{{1, 3}, {5, 6}}, {{2, 4}, {7, 8}}}));
  const auto calls = expected("all_gather mesh=x2 n=3 in=i32 data=given X=1,2|3");
  EXPECT_EQ(written(*calls), (Inputs{{{1, 2}}, {{3}}}));
}

TEST(Expectation, HoldsTheOrderOfWhatIsOwnedToTheCase) {
  const auto product = expected(worked + worked_data);
  EXPECT_FALSE(product->is_order_due());
  EXPECT_TRUE(product->is_owned(1, IndexList{2, 3}));
  EXPECT_FALSE(product->is_owned(1, IndexList{3, 2}));
  EXPECT_FALSE(product->is_owned(1, IndexList{2}));
  const auto calls = expected("reduce_scatter mesh=x2 n=3 split.n=sets:2,0|1");
  EXPECT_TRUE(calls->is_order_due());
  EXPECT_EQ(calls->owned(0), (IndexList{2, 0}));
  EXPECT_TRUE(calls->is_owned(0, IndexList{2, 0}));
  EXPECT_FALSE(calls->is_owned(0, IndexList{0, 2}));
}

TEST(Expectation, GroupsTheRanksThatHoldTheSame) {
  EXPECT_EQ(expected(worked)->replica_groups(), Groups{});
  // While C is partial over y, ranks with another y hold other sums.
  EXPECT_EQ(
      expected("matmul mesh=x2,y2 i=2 j=2 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i,j]+y")->replica_groups(),
      (Groups{{0, 2}, {1, 3}}));
  EXPECT_EQ(expected("all_reduce mesh=x2,y2 over=y n=1")->replica_groups(),
            (Groups{{0, 1}, {2, 3}}));
  EXPECT_EQ(expected("reduce_scatter mesh=x2 n=2")->replica_groups(), Groups{});
}

TEST(Expectation, KnowsWhatARankHeldBeforeAnythingWasAdded) {
  const auto product = expected(worked + "in=i32 plan=local+reduce_scatter " + worked_data);
  EXPECT_EQ(product->unreduced(0, 3), Bits{18});
  EXPECT_EQ(product->unreduced(1, 3), Bits{32});
  EXPECT_EQ(expected("reduce mesh=x2 n=2 in=i8 data=given X=1,2|3,4")->unreduced(1, 0), Bits{3});
  EXPECT_EQ(expected("all_gather mesh=x2 n=2")->unreduced(0, 0), std::nullopt);
  EXPECT_EQ(expected("all_reduce+broadcast mesh=x2 n=2")->unreduced(0, 0), std::nullopt);
}

// 2²⁴ + 1 is a tie that goes to 2²⁴; 1 + 1 first gives 2²⁴ + 2.
TEST(Expectation, FreesTheOrderThatNobodyPromises) {
  for (const std::string line :
       {"matmul mesh=x3 i=1 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i,j] in=f32 plan=local+all_reduce "
        "data=given A=16777216,1,1 B=1,1,1",
        "all_reduce mesh=x3 n=1 data=given X=16777216|1|1"}) {
    EXPECT_EQ(expected(line)->setting().order, Order::declared);
    EXPECT_EQ(expected(line)->allowed(0, 0).grade, Grade::declared) << line;
    const auto free = expected(line, no_order);
    EXPECT_EQ(free->setting().order, Order::any);
    const Allowed allowed = free->allowed(0, 0);
    EXPECT_EQ(allowed.set, (std::vector<Bits>{0x4b800000, 0x4b800001})) << line;
  }
}

TEST(Expectation, KnowsNoBoundOfFloatsThatSeveralCallsSummedInAnyOrder) {
  const std::string data = " data=given X=16777216|1|1";
  const auto allowed = expected("all_reduce+broadcast mesh=x3 n=1" + data, no_order)->allowed(0, 0);
  EXPECT_EQ(allowed.grade, Grade::envelope);
  for (const Bits any : {0x00000000U, 0xff7fffffU, 0x7f800000U, 0x7fc00000U}) {
    EXPECT_TRUE(allows(allowed, Dtype::f32, any)) << std::hex << any;
  }
  // What is exact in every order, or is moved alone, is held to the last bit.
  EXPECT_EQ(
      describe(expected("all_reduce+broadcast mesh=x3 n=1 in=i32" + data, no_order)->allowed(0, 0),
               Dtype::i32),
      "16777218");
  EXPECT_EQ(describe(expected("gather+broadcast mesh=x3 n=3" + data, no_order)->allowed(1, 1),
                     Dtype::f32),
            "1");
}

}  // namespace
}  // namespace shardcheck::model
