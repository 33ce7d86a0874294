#include "wait_graph.h"

#include <vector>

#include <gtest/gtest.h>

namespace shardcheck::impl {
namespace {

TEST(WaitGraph, AnEdgeNamesPhaseAndMessage) {
  EXPECT_EQ(wait_edge({false, 3, 1, 2, 5}, false),
            (WaitEdge{3, 1, "receive in phase 2, message 5"}));
  EXPECT_EQ(wait_edge({true, 3, 1, 0, 0}, true),
            (WaitEdge{3, 1, "send in phase 0, message 0; that rank has finished"}));
}

TEST(WaitGraph, ACycleIsToldFromItsFirstRankOn) {
  // 0 -> 2 -> 3 -> 2: rank 0 hangs on the cycle and is no part of it.
  const std::vector<WaitEdge> edges{{0, 2, ""}, {2, 3, ""}, {3, 2, ""}};
  EXPECT_EQ(deadlock_cause(edges), "rank 2 waits for rank 3, which waits for rank 2");
}

TEST(WaitGraph, AChainIsToldToTheRankThatHasFinished) {
  const std::vector<WaitEdge> edges{{0, 1, ""}, {1, 2, ""}};
  EXPECT_EQ(deadlock_cause(edges),
            "rank 0 waits for rank 1, which waits for rank 2, which has finished");
}

TEST(WaitGraph, AGraphWithoutEdgesHasACauseToo) {
  EXPECT_EQ(deadlock_cause({}), "no rank can go on");
}

}  // namespace
}  // namespace shardcheck::impl
