#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

Verdict with_ledger(std::vector<Transfer> sent, std::vector<Transfer> received) {
  return judged([&](const Request&, Observation& observation) {
    observation.ledger = Ledger{sent, received};
  });
}

/// Each rank sends one row of two f32 in phase 1.
const std::vector<Transfer> right{{1, 0, 1, 8, 1}, {1, 1, 0, 8, 1}};

TEST(Ledger, IgnoresMessagesWithoutPayload) {
  const std::vector<Transfer> padded{
      {0, 0, 1, 0, 1}, {1, 0, 1, 8, 1}, {1, 1, 0, 8, 1}, {2, 1, 0, 0, 3}};
  EXPECT_EQ(with_ledger(padded, padded).status, Status::pass);
}

TEST(Ledger, NamesThePairAndThePhaseThatDiffer) {
  const Verdict verdict = with_ledger({{1, 0, 1, 8, 1}, {1, 1, 0, 12, 1}}, right);
  ASSERT_EQ(verdict.findings.size(), 1U);
  ASSERT_EQ(signature(verdict), "ledger/sent_differs");
  EXPECT_EQ(verdict.findings.front().rank, 1);
  EXPECT_EQ(verdict.findings.front().allowed, "8 bytes to rank 0 in phase 1");
  EXPECT_EQ(verdict.findings.front().got, "12 bytes counted as sent");
}

TEST(Ledger, ComparesBothEnds) {
  EXPECT_EQ(signature(with_ledger(right, {{1, 0, 1, 8, 1}})), "ledger/received_differs");
}

TEST(Ledger, KnowsACountOfElements) {
  EXPECT_EQ(signature(with_ledger({{1, 0, 1, 2, 1}, {1, 1, 0, 2, 1}}, right)),
            "ledger/elements_for_bytes");
}

TEST(Ledger, LooksPastMessagesWithoutPayloadForWhatIsWrong) {
  EXPECT_EQ(signature(with_ledger({{0, 0, 1, 0, 1}, {1, 0, 1, 2, 1}, {1, 1, 0, 2, 1}}, right)),
            "ledger/elements_for_bytes");
}

TEST(Ledger, KnowsAPhaseThatWasChargedForAnother) {
  EXPECT_EQ(signature(with_ledger({{0, 0, 1, 8, 1}, {1, 1, 0, 8, 1}}, right)),
            "ledger/wrong_phase");
}

Verdict with_peaks(std::vector<std::int64_t> peaks) {
  return judged([&](const Request&, Observation& observation) {
    observation.temporary_bytes = std::move(peaks);
  });
}

/// By hand in model/temporaries_test.cpp.
constexpr std::int64_t peak_allowed = 344;

TEST(Ledger, BoundsTheTemporaryBytesOfEachRank) {
  const Verdict within = with_peaks({peak_allowed, 0});
  EXPECT_EQ(within.status, Status::pass);
  EXPECT_EQ(within.temporaries,
            (std::vector<Temporaries>{{peak_allowed, peak_allowed}, {0, peak_allowed}}));
  const Verdict beyond = with_peaks({0, peak_allowed + 1});
  ASSERT_EQ(signature(beyond), "ledger/temporary_bytes");
  EXPECT_EQ(beyond.findings.front().rank, 1);
  EXPECT_EQ(beyond.findings.front().allowed, "at most 344 temporary bytes");
  EXPECT_EQ(signature(with_peaks({-1, 0})), "ledger/temporary_bytes");
  EXPECT_EQ(signature(with_peaks({0})), "ledger/temporary_bytes");
}

TEST(Ledger, KnowsAReceiveThatWasAdded) {
  EXPECT_EQ(signature(with_ledger({{1, 0, 1, 16, 1}, {1, 1, 0, 16, 1}}, right)),
            "ledger/received_counted");
}

}  // namespace
}  // namespace shardcheck
