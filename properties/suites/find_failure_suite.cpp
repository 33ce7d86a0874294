#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/impl/collective_backend.h>
#include <shardcheck/properties/generate/find_failure.h>

namespace shardcheck {
namespace {

// Of long sums of which few bits are kept many terms could be left out unseen.
TEST(FindFailure, CountsProductsThatSayNothing) {
  impl::ShardedMatmul backend;
  const SearchResult result = find_failure(
      backend,
      {.cases = 100,
       .restrictions = {
           {{"i", "1"}, {"j", "1"}, {"k", "40"}, {"out", "f8e4m3fn"}, {"data", "rounding"}}}});
  EXPECT_FALSE(result.failure.has_value()) << print(*result.failure);
  EXPECT_GT(result.vacuous, 0);
  EXPECT_GT(result.passed, 0);
  EXPECT_EQ(result.tried, result.passed + result.unsupported + result.vacuous);
}

// With fewer elements than members a maximum can't show them all.
TEST(FindFailure, CountsCollectivesThatSayNothing) {
  impl::ShardedCollectives backend;
  const CollectiveSearchResult result =
      find_failure(backend, {.cases = 300, .restrictions = {{{"op", "max"}, {"in", "f32"}}}});
  EXPECT_FALSE(result.failure.has_value()) << print(*result.failure);
  EXPECT_GT(result.vacuous, 0);
  EXPECT_GT(result.passed, 200);
  EXPECT_EQ(result.tried, result.passed + result.unsupported + result.vacuous);
}

TEST(FindFailureDeath, NamesTheRestrictionThatIsWrong) {
  impl::ShardedMatmul products;
  impl::ShardedCollectives collectives;
  EXPECT_DEATH(find_failure(products, {.restrictions = {{{"in", "f33"}}}}), "because: .*'f33'");
  EXPECT_DEATH(find_failure(products, {.restrictions = {{{"op", "max"}}}}), "because: .*'op'");
  EXPECT_DEATH(find_failure(collectives, {.restrictions = {{{"in", "f33"}}}}), "because: .*'f33'");
  EXPECT_DEATH(find_failure(collectives, {.restrictions = {{{"oops", "max"}}}}),
               "because: .*'oops'");
  EXPECT_DEATH(find_failure(collectives, {.restrictions = {{{"plan", "auto"}}}}),
               "because: .*no kind of case has all these keys");
}

}  // namespace
}  // namespace shardcheck
