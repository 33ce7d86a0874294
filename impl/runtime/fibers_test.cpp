#include "fibers.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rank_programs.h"
#include "sanitizer.h"

namespace shardcheck::impl {
namespace {

Run seeded(std::uint64_t seed) { return {Run::Kind::fibers, seed, 0, {}}; }
Run pct(std::int64_t depth, std::uint64_t seed) { return {Run::Kind::pct, seed, depth, {}}; }
Run recorded(std::vector<std::int64_t> trace) { return {Run::Kind::trace, 0, 0, std::move(trace)}; }

void expect_ring(std::int64_t rank_count, const Run& run) {
  std::vector<std::int64_t> results(static_cast<std::size_t>(rank_count));
  const WorldOutcome outcome = run_fibers(rank_count, run, false, ring_sum(results), {});
  ASSERT_EQ(outcome.ending, Ending::finished) << outcome.cause;
  EXPECT_EQ(outcome.ending_rank, -1);
  EXPECT_TRUE(outcome.left_over.empty());
  const std::vector<std::int64_t> sums(results.size(), rank_count * (rank_count + 1) / 2);
  EXPECT_EQ(results, sums);
  if (rank_count == 1) {
    EXPECT_EQ(outcome.ledger, Ledger{});
    return;
  }
  ASSERT_EQ(outcome.ledger.sent.size(), results.size());
  EXPECT_EQ(outcome.ledger.sent, outcome.ledger.received);
  for (std::int64_t rank = 0; rank < rank_count; ++rank) {
    const Transfer expected{0, rank, (rank + 1) % rank_count, 8 * (rank_count - 1), rank_count - 1};
    EXPECT_EQ(outcome.ledger.sent[static_cast<std::size_t>(rank)], expected);
  }
}

void expect_all_to_all(std::int64_t rank_count, const Run& run) {
  std::vector<std::int64_t> results(static_cast<std::size_t>(rank_count));
  const WorldOutcome outcome = run_fibers(rank_count, run, false, all_to_all(results), {});
  ASSERT_EQ(outcome.ending, Ending::finished) << outcome.cause;
  EXPECT_EQ(outcome.ledger.sent, outcome.ledger.received);
  EXPECT_EQ(static_cast<std::int64_t>(outcome.ledger.sent.size()), rank_count * (rank_count - 1));
  for (const Transfer& transfer : outcome.ledger.sent) {
    EXPECT_EQ(transfer.bytes, 16);
    EXPECT_EQ(transfer.messages, 2);
    EXPECT_EQ(transfer.phase, 1);
  }
  for (std::int64_t rank = 0; rank < rank_count; ++rank) {
    EXPECT_EQ(results[static_cast<std::size_t>(rank)], all_to_all_result(rank, rank_count));
  }
}

class Fibers : public testing::Test {
 protected:
  void SetUp() override {
    if (under_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer knows no fibers";
  }
};

TEST_F(Fibers, ARingEndsWithTheSameSumUnderEverySeed) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (const std::int64_t rank_count : {1, 2, 3, 4, 7}) expect_ring(rank_count, seeded(seed));
  }
  expect_ring(17, seeded(0));
}

TEST_F(Fibers, AllToAllEndsWithTheSameSumsUnderEverySeed) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const std::int64_t rank_count : {1, 2, 5}) expect_all_to_all(rank_count, seeded(seed));
  }
  expect_all_to_all(17, seeded(0));
}

TEST_F(Fibers, PrioritySchedulesEndLikeRandomOnes) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const std::int64_t depth : {0, 1, 3, 40}) {
      expect_ring(4, pct(depth, seed));
      expect_all_to_all(5, pct(depth, seed));
    }
  }
}

TEST_F(Fibers, AWorldMayHave1024Ranks) { expect_ring(1024, seeded(1)); }

/// The order in which two independent ranks pass their marks.
std::string interleaving(const Run& run, std::vector<std::int64_t>* choices = nullptr) {
  std::string marks;
  const auto program = [&marks](Endpoint& endpoint) {
    const std::int64_t peer = 1 - endpoint.rank();
    for (std::int64_t step = 0; step < 3; ++step) {
      marks += endpoint.rank() == 0 ? "a" : "b";
      std::int64_t received = 0;
      const Pending receive = endpoint.start_receive(peer, 8, copy_to(received));
      marks += endpoint.rank() == 0 ? "a" : "b";
      endpoint.send(peer, bytes_of(step));
      endpoint.wait(receive);
    }
  };
  WorldOutcome outcome = run_fibers(2, run, choices != nullptr, program, {});
  EXPECT_EQ(outcome.ending, Ending::finished) << outcome.cause;
  if (choices != nullptr) *choices = std::move(outcome.choices);
  return marks;
}

TEST_F(Fibers, ASeedGivesOneInterleavingAndSeedsGiveMany) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string marks = interleaving(seeded(seed));
    EXPECT_EQ(interleaving(seeded(seed)), marks);
    seen.insert(marks);
  }
  EXPECT_GT(seen.size(), 30U);
}

TEST_F(Fibers, ARecordedTraceRepeatsItsInterleaving) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const auto& run : {seeded(seed), pct(3, seed)}) {
      std::vector<std::int64_t> choices;
      const std::string marks = interleaving(run, &choices);
      std::vector<std::int64_t> choices_again;
      EXPECT_EQ(interleaving(recorded(choices), &choices_again), marks);
      EXPECT_EQ(choices_again, choices);
    }
  }
}

std::string cause_of_trace(std::vector<std::int64_t> trace) {
  std::vector<std::int64_t> results(3);
  const Run run = recorded(std::move(trace));
  const WorldOutcome outcome = run_fibers(3, run, false, ring_sum(results), {});
  EXPECT_EQ(outcome.ending, Ending::unsupported);
  return outcome.cause;
}

TEST_F(Fibers, ATraceThatNoLongerFitsIsAnError) {
  std::vector<std::int64_t> results(3);
  const WorldOutcome outcome = run_fibers(3, seeded(5), true, ring_sum(results), {});
  std::vector<std::int64_t> choices = outcome.choices;
  choices.push_back(0);
  EXPECT_EQ(cause_of_trace(choices), "the trace does not fit: the run ended after " +
                                         std::to_string(choices.size() - 1) + " of its " +
                                         std::to_string(choices.size()) + " choices");
  choices.resize(choices.size() - 2);
  EXPECT_EQ(cause_of_trace(choices), "the trace does not fit: it ends after " +
                                         std::to_string(choices.size()) +
                                         " choices, the run goes on");
  EXPECT_EQ(cause_of_trace({}), "the trace does not fit: it ends after 0 choices, the run goes on");
  EXPECT_EQ(cause_of_trace({7}), "the trace does not fit: choice 0 is rank 7, which can't run");
  // Rank 2 runs first and sends: copied early or read late is the next choice.
  EXPECT_EQ(cause_of_trace({2, 9}), "the trace does not fit: choice 1 is 9, 0 or 1 is needed");
}

TEST_F(Fibers, ASendMayBeCopiedEarlyOrReadLate) {
  // The sender breaks the rule and writes to its buffer before the wait. What the receiver then
  // sees tells when the buffer was read.
  std::set<std::int64_t> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::int64_t received = 0;
    const auto program = [&](Endpoint& endpoint) {
      if (endpoint.rank() == 0) {
        std::int64_t value = 1;
        const Pending pending = endpoint.start_send(1, bytes_of(value));
        value = 2;
        endpoint.wait(pending);
        value = 3;
      } else {
        endpoint.receive(0, 8, copy_to(received));
      }
    };
    ASSERT_EQ(run_fibers(2, seeded(seed), false, program, {}).ending, Ending::finished);
    seen.insert(received);
  }
  EXPECT_EQ(seen, (std::set<std::int64_t>{1, 2}));
}

TEST_F(Fibers, AWaitForALateSendNeedsTheReceiveStartedNotAwaited) {
  // Both ranks wait for their sends first. No schedule may deadlock.
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto program = [](Endpoint& endpoint) {
      const std::int64_t peer = 1 - endpoint.rank();
      std::int64_t received = 0;
      const std::int64_t value = endpoint.rank();
      const Pending receive = endpoint.start_receive(peer, 8, copy_to(received));
      endpoint.send(peer, bytes_of(value));
      endpoint.wait(receive);
      EXPECT_EQ(received, peer);
    };
    const WorldOutcome outcome = run_fibers(2, seeded(seed), false, program, {});
    ASSERT_EQ(outcome.ending, Ending::finished) << outcome.cause;
  }
}

TEST_F(Fibers, AMessageMayArriveBeforeTheWaitForIt) {
  std::set<bool> arrived_early;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto program = [&](Endpoint& endpoint) {
      const std::int64_t value = 5;
      if (endpoint.rank() == 0) {
        endpoint.send(1, bytes_of(value));
        return;
      }
      std::int64_t received = 0;
      std::int64_t nothing = 0;
      const Pending receive = endpoint.start_receive(0, 8, copy_to(received));
      const Pending other = endpoint.start_receive(2, 8, copy_to(nothing));
      arrived_early.insert(received == 5);
      endpoint.wait(receive);
      EXPECT_EQ(received, 5);
      endpoint.wait(other);
    };
    const auto with_third = [&](Endpoint& endpoint) {
      const std::int64_t value = 0;
      if (endpoint.rank() == 2) {
        endpoint.send(1, bytes_of(value));
      } else {
        program(endpoint);
      }
    };
    ASSERT_EQ(run_fibers(3, seeded(seed), false, with_third, {}).ending, Ending::finished);
  }
  EXPECT_EQ(arrived_early.size(), 2U);
}

TEST_F(Fibers, TheTraceHoldsMessagesInTheOrderSentAndTheirElements) {
  const auto program = [](Endpoint& endpoint) {
    if (endpoint.rank() == 0) {
      endpoint.begin_phase(3, Dtype::bf16);
      const std::vector<std::uint16_t> values{0x3f80, 0xc000};
      endpoint.send(1, std::as_bytes(std::span(values)));
      endpoint.begin_phase(4, Dtype::i8);
      endpoint.send(1, {});
    } else {
      endpoint.receive(0, 4, [](auto) {});
      endpoint.receive(0, 0, [](auto payload) { EXPECT_TRUE(payload.empty()); });
    }
    endpoint.note_temporary_bytes(10 + endpoint.rank());
    endpoint.note_temporary_bytes(4);
  };
  const WorldOutcome outcome = run_fibers(2, seeded(0), true, program, {});
  ASSERT_EQ(outcome.messages.size(), 2U);
  EXPECT_EQ(outcome.messages[0].phase, 3);
  EXPECT_EQ(outcome.messages[0].source, 0);
  EXPECT_EQ(outcome.messages[0].destination, 1);
  EXPECT_EQ(outcome.messages[0].dtype, Dtype::bf16);
  EXPECT_EQ(outcome.messages[0].elements, (std::vector<std::uint64_t>{0x3f80, 0xc000}));
  EXPECT_EQ(outcome.messages[1].phase, 4);
  EXPECT_TRUE(outcome.messages[1].elements.empty());
  const std::vector<Transfer> transfers{{3, 0, 1, 4, 1}, {4, 0, 1, 0, 1}};
  EXPECT_EQ(outcome.ledger.sent, transfers);
  EXPECT_EQ(outcome.ledger.received, transfers);
  EXPECT_EQ(outcome.temporary_bytes, (std::vector<std::int64_t>{10, 11}));
}

}  // namespace
}  // namespace shardcheck::impl
