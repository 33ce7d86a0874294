#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

TEST(Liveness, TellsWhoWaitsForWhomInADeadlock) {
  const Verdict verdict = judged([](const Request&, Observation& observation) {
    observation.ending = Ending::deadlocked;
    observation.wait_graph = {{0, 1, "receive in reduce_scatter:C/x, message 1"}, {1, 0, ""}};
  });
  ASSERT_EQ(verdict.findings.size(), 1U);
  ASSERT_EQ(signature(verdict), "liveness/deadlock");
  EXPECT_EQ(verdict.findings.front().evidence,
            "rank 0 waits for rank 1 (receive in reduce_scatter:C/x, message 1); "
            "rank 1 waits for rank 0");
  EXPECT_EQ(verdict.status, Status::fail);
}

TEST(Liveness, JudgesNoResultOfARunThatDidNotFinish) {
  const Verdict verdict = judged([](const Request&, Observation& observation) {
    observation.ending = Ending::crashed;
    observation.owned.clear();
  });
  ASSERT_EQ(signature(verdict), "liveness/crashed");
  EXPECT_EQ(outcome(verdict, Invariant::ownership), Outcome::not_observed);
  EXPECT_EQ(outcome(verdict, Invariant::value), Outcome::not_observed);
}

TEST(Liveness, NamesAMessageThatNobodyReceived) {
  const Verdict verdict = judged([](const Request&, Observation& observation) {
    observation.left_over = {{1, 1, 0, 8, 2}};
  });
  ASSERT_EQ(verdict.findings.size(), 1U);
  ASSERT_EQ(signature(verdict), "liveness/left_over");
  EXPECT_EQ(verdict.findings.front().got, "2 messages of 8 bytes from rank 1 to rank 0 in phase 1");
}

}  // namespace
}  // namespace shardcheck
