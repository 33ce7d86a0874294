#include "expect.h"

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::model {
namespace {

TEST(Expectation, HoldsPlanOwnersBytesAndValuesOfTheWorkedExample) {
  const ProductCase subject = *parse_product(
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter "
      "data=given A=1,2,3,4 B=5,6,7,8");
  const auto expected = expect(subject);
  ASSERT_TRUE(expected) << expected.error();
  const Expectation& all = **expected;
  EXPECT_EQ(print(subject.mesh, all.plan.steps), "local+reduce_scatter:C/x");
  EXPECT_EQ(all.owned, (std::vector<Shard>{{{0}, {0, 1}}, {{1}, {0, 1}}}));
  EXPECT_EQ(all.sent, (std::vector<Transfer>{{1, 0, 1, 8, 0}, {1, 1, 0, 8, 0}}));
  EXPECT_EQ(describe(all.values.allowed(1, 2), Dtype::f32), "43");
  EXPECT_FALSE(all.vacuity.is_trivial);
  EXPECT_EQ(all.vacuity.blind, 0);
}

TEST(Expectation, SaysWhyACaseCannotBeMeant) {
  const ProductCase subject = *parse_product(
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k,j] -> C[i/x,j] plan=local+reduce_scatter:C/x");
  const auto expected = expect(subject);
  ASSERT_FALSE(expected);
  EXPECT_EQ(expected.error(), "local: k of A and k of B are cut over different mesh axes");
}

}  // namespace
}  // namespace shardcheck::model
