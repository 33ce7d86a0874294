#include <gtest/gtest.h>

#include <shardcheck/properties/generate/find_failure.h>

#include "own_backend.h"

TEST(OwnBackend, IsRightOnRandomCases) {
  OwnBackend backend;
  const shardcheck::SearchResult result = shardcheck::find_failure(
      backend, {.cases = 3000, .restrictions = {{{"in", "f32"}, {"acc", "f32"}, {"out", "f32"}}}});
  EXPECT_GT(result.passed, 0);
  EXPECT_FALSE(result.failure) << print(*result.failure);
}
