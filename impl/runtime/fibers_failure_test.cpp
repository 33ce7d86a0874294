/// Worlds of fibers that don't end well: deadlocks, exceptions, mistakes of a rank program.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fibers.h"
#include "rank_programs.h"
#include "sanitizer.h"

namespace shardcheck::impl {
namespace {

WorldOutcome run_seed(std::int64_t rank_count, std::uint64_t seed, const RankProgram& program,
                      const EndpointWrapper& wrap = {}) {
  return run_fibers(rank_count, {Run::Kind::fibers, seed, 0, {}}, false, program, wrap);
}

class FailingFibers : public testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
    if (under_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer knows no fibers";
  }
};

INSTANTIATE_TEST_SUITE_P(Seeds, FailingFibers, testing::Range<std::uint64_t>(0, 20));

TEST_P(FailingFibers, TwoRanksThatReceiveFirstDeadlock) {
  const auto program = [](Endpoint& endpoint) {
    const std::int64_t peer = 1 - endpoint.rank();
    const std::int64_t value = 1;
    std::int64_t received = 0;
    endpoint.begin_phase(1, Dtype::i64);
    endpoint.receive(peer, 8, copy_to(received));
    endpoint.send(peer, bytes_of(value));
  };
  const WorldOutcome outcome = run_seed(2, GetParam(), program);
  EXPECT_EQ(outcome.ending, Ending::deadlocked);
  EXPECT_EQ(outcome.ending_rank, -1);
  EXPECT_EQ(outcome.cause, "rank 0 waits for rank 1, which waits for rank 0");
  EXPECT_EQ(outcome.wait_graph, (std::vector<WaitEdge>{{0, 1, "receive in phase 1, message 0"},
                                                       {1, 0, "receive in phase 1, message 0"}}));
}

TEST_P(FailingFibers, ARankThatNeverSendsIsNamed) {
  const auto program = [](Endpoint& endpoint) {
    if (endpoint.rank() == 0) return;
    std::int64_t received = 0;
    endpoint.receive(endpoint.rank() - 1, 8, copy_to(received));
    endpoint.send((endpoint.rank() + 1) % 3, bytes_of(received));
  };
  const WorldOutcome outcome = run_seed(3, GetParam(), program);
  EXPECT_EQ(outcome.ending, Ending::deadlocked);
  EXPECT_EQ(outcome.cause, "rank 1 waits for rank 0, which has finished");
  EXPECT_EQ(outcome.wait_graph,
            (std::vector<WaitEdge>{{1, 0, "receive in phase 0, message 0; that rank has finished"},
                                   {2, 1, "receive in phase 0, message 0"}}));
}

TEST_P(FailingFibers, AMessageThatNobodyReceivesIsLeftOverOrHoldsItsSender) {
  const auto program = [](Endpoint& endpoint) {
    const std::int64_t value = 1;
    endpoint.begin_phase(2, Dtype::i64);
    if (endpoint.rank() == 0) endpoint.send(1, bytes_of(value));
  };
  const WorldOutcome outcome = run_seed(2, GetParam(), program);
  EXPECT_EQ(outcome.left_over, (std::vector<Transfer>{{2, 0, 1, 8, 1}}));
  if (outcome.ending == Ending::finished) return;
  EXPECT_EQ(outcome.ending, Ending::deadlocked);
  EXPECT_EQ(outcome.wait_graph,
            (std::vector<WaitEdge>{{0, 1, "send in phase 2, message 0; that rank has finished"}}));
}

TEST_P(FailingFibers, ARankThatEndsWithASendPendingIsAnErrorAndItsBufferIsNotRead) {
  const auto program = [](Endpoint& endpoint) {
    if (endpoint.rank() == 0) {
      const auto value = std::make_unique<std::int64_t>(1);
      endpoint.start_send(1, bytes_of(*value));
      return;
    }
    std::int64_t received = 1;
    std::int64_t never = 0;
    const Pending first = endpoint.start_receive(0, 8, copy_to(received));
    endpoint.receive(0, 8, copy_to(never));
    endpoint.wait(first);
  };
  const WorldOutcome outcome = run_seed(2, GetParam(), program);
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_EQ(outcome.ending_rank, 0);
  EXPECT_EQ(outcome.cause,
            "rank 0 ended without waiting for its send to rank 1 in phase 0, message 0");
}

TEST_P(FailingFibers, AnOperationIsWaitedForOnce) {
  const auto program = [](Endpoint& endpoint) {
    const std::int64_t peer = 1 - endpoint.rank();
    const std::int64_t value = 1;
    std::int64_t received = 0;
    const Pending receive = endpoint.start_receive(peer, 8, copy_to(received));
    endpoint.send(peer, bytes_of(value));
    endpoint.wait(receive);
    if (endpoint.rank() == 1) endpoint.wait(receive);
  };
  const WorldOutcome outcome = run_seed(2, GetParam(), program);
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_EQ(outcome.ending_rank, 1);
  EXPECT_EQ(outcome.cause,
            "rank 1 waits for an operation that it has waited for already or never started");
}

TEST_P(FailingFibers, AMessageOfAnotherLengthIsAnError) {
  const auto program = [](Endpoint& endpoint) {
    const std::int64_t value = 1;
    endpoint.begin_phase(4, Dtype::i64);
    if (endpoint.rank() == 0) endpoint.send(1, bytes_of(value));
    if (endpoint.rank() == 1) endpoint.receive(0, 4, [](auto) { FAIL(); });
  };
  const WorldOutcome outcome = run_seed(2, GetParam(), program);
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_EQ(outcome.ending_rank, 1);
  EXPECT_EQ(outcome.cause,
            "rank 1: receive from rank 0 in phase 4, message 0: expected 4 bytes, 8 were sent");
}

TEST_P(FailingFibers, APeerIsAnotherRankOfTheWorld) {
  const auto program = [](Endpoint& endpoint) {
    if (endpoint.rank() == 1) endpoint.send(2, {});
  };
  EXPECT_EQ(run_seed(2, GetParam(), program).cause,
            "rank 1: send to rank 2: a peer is another rank of 2");
  const auto to_itself = [](Endpoint& endpoint) {
    if (endpoint.rank() == 1) endpoint.receive(1, 0, [](auto) {});
  };
  EXPECT_EQ(run_seed(2, GetParam(), to_itself).cause,
            "rank 1: receive from rank 1: a peer is another rank of 2");
}

TEST_P(FailingFibers, APayloadIsWholeElements) {
  const auto program = [](Endpoint& endpoint) {
    endpoint.begin_phase(0, Dtype::f64);
    const std::int32_t half = 0;
    if (endpoint.rank() == 0) endpoint.send(1, std::as_bytes(std::span(&half, 1)));
  };
  EXPECT_EQ(run_seed(2, GetParam(), program).cause,
            "rank 0: send to rank 1: 4 bytes are no whole number of f64 elements");
}

TEST_P(FailingFibers, TheFirstOfSeveralExceptionsIsTheCause) {
  std::vector<std::int64_t> thrown;
  const auto program = [&](Endpoint& endpoint) {
    std::int64_t received = 0;
    try {
      // Nobody sends: every rank waits until another one's exception ends the world.
      if (endpoint.rank() != 2) endpoint.receive(2, 8, copy_to(received));
    } catch (...) {
      thrown.push_back(endpoint.rank());
      throw std::runtime_error("while cancelled");
    }
    thrown.push_back(endpoint.rank());
    throw std::runtime_error("the first");
  };
  const WorldOutcome outcome = run_seed(4, GetParam(), program);
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_EQ(outcome.ending_rank, 2);
  EXPECT_EQ(outcome.cause, "the first");
  EXPECT_EQ(thrown.front(), 2);
}

struct Guard {
  std::int64_t& alive;
  explicit Guard(std::int64_t& count) : alive(count) { ++alive; }
  ~Guard() { --alive; }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

TEST_P(FailingFibers, CancellationRunsDestructors) {
  std::int64_t alive = 0;
  std::int64_t most_alive = 0;
  const auto program = [&](Endpoint& endpoint) {
    const Guard guard(alive);
    most_alive = std::max(most_alive, alive);
    std::int64_t received = 0;
    endpoint.receive((endpoint.rank() + 1) % 4, 8, copy_to(received));
  };
  EXPECT_EQ(run_seed(4, GetParam(), program).ending, Ending::deadlocked);
  EXPECT_EQ(most_alive, 4);
  EXPECT_EQ(alive, 0);
}

TEST_P(FailingFibers, AnEndpointUsedWhileUnwindingDoesNothing) {
  struct SendsAtTheEnd {
    Endpoint& endpoint;
    std::int64_t value = 1;
    ~SendsAtTheEnd() {
      endpoint.send(1, bytes_of(value));
      endpoint.wait(endpoint.start_receive(1, 8, copy_to(value)));
    }
  };
  const auto program = [](Endpoint& endpoint) {
    if (endpoint.rank() == 1) return;
    const SendsAtTheEnd last_words{endpoint};
    throw std::runtime_error("enough");
  };
  const WorldOutcome outcome = run_seed(2, GetParam(), program);
  EXPECT_EQ(outcome.cause, "enough");
  EXPECT_EQ(outcome.ledger, Ledger{});
}

TEST_P(FailingFibers, ARankRethrowsItsOwnExceptionAfterWaitingInItsHandler) {
  std::vector<std::string> caught(4);
  const auto program = [&](Endpoint& endpoint) {
    const std::int64_t rank = endpoint.rank();
    const std::int64_t rank_count = endpoint.rank_count();
    try {
      try {
        throw std::runtime_error(std::to_string(rank));
      } catch (const std::exception&) {
        std::int64_t received = 0;
        const Pending receive =
            endpoint.start_receive((rank + 1) % rank_count, 8, copy_to(received));
        endpoint.send((rank + rank_count - 1) % rank_count, bytes_of(rank));
        endpoint.wait(receive);
        throw;
      }
    } catch (const std::exception& exception) {
      caught[static_cast<std::size_t>(rank)] = exception.what();
    }
  };
  EXPECT_EQ(run_seed(4, GetParam(), program).ending, Ending::finished);
  EXPECT_EQ(caught, (std::vector<std::string>{"0", "1", "2", "3"}));
}

TEST_P(FailingFibers, AnExceptionOfAConsumerEndsItsRank) {
  const auto program = [](Endpoint& endpoint) {
    const std::int64_t value = 1;
    if (endpoint.rank() == 0) endpoint.send(1, bytes_of(value));
    if (endpoint.rank() == 1) endpoint.receive(0, 8, [](auto) { throw 7; });
  };
  const WorldOutcome outcome = run_seed(2, GetParam(), program);
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_EQ(outcome.ending_rank, 1);
  EXPECT_EQ(outcome.cause, "an exception that is no std::exception");
}

TEST_P(FailingFibers, AProgramWithoutEndTimesOut) {
  const auto program = [](Endpoint& endpoint) {
    const std::int64_t peer = 1 - endpoint.rank();
    const std::int64_t value = 1;
    std::int64_t received = 0;
    for (;;) {
      const Pending receive = endpoint.start_receive(peer, 8, copy_to(received));
      endpoint.send(peer, bytes_of(value));
      endpoint.wait(receive);
    }
  };
  const shardcheck::Run run{shardcheck::Run::Kind::fibers, GetParam(), 0, {}};
  const WorldOutcome outcome = run_fibers(2, run, false, program, {}, 10'000);
  EXPECT_EQ(outcome.ending, Ending::timed_out);
  EXPECT_EQ(outcome.cause, "not finished after 10000 scheduling steps");
}

/// Loses the first message that it is asked to send.
class LosesOne final : public Endpoint {
 public:
  explicit LosesOne(Endpoint& inner) : inner_(inner) {}
  std::int64_t rank() const override { return inner_.rank(); }
  std::int64_t rank_count() const override { return inner_.rank_count(); }
  void begin_phase(std::int64_t phase, Dtype dtype) override { inner_.begin_phase(phase, dtype); }
  Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    if (has_lost_) return inner_.start_send(destination, payload);
    has_lost_ = true;
    return {lost_ticket};
  }
  Pending start_receive(std::int64_t source, std::size_t bytes,
                        std::function<void(std::span<const std::byte>)> consume) override {
    return inner_.start_receive(source, bytes, std::move(consume));
  }
  void wait(Pending pending) override {
    if (pending.ticket != lost_ticket) inner_.wait(pending);
  }
  void note_temporary_bytes(std::int64_t bytes) override { inner_.note_temporary_bytes(bytes); }

 private:
  static constexpr std::int64_t lost_ticket = -2;
  Endpoint& inner_;
  bool has_lost_ = false;
};

TEST_P(FailingFibers, AWrapperCanLoseAMessage) {
  std::vector<std::int64_t> results(4);
  const EndpointWrapper wrap = [](Endpoint& inner) -> std::unique_ptr<Endpoint> {
    return std::make_unique<LosesOne>(inner);
  };
  const WorldOutcome outcome = run_seed(4, GetParam(), ring_sum(results), wrap);
  EXPECT_EQ(outcome.ending, Ending::deadlocked);
  EXPECT_EQ(outcome.ledger, Ledger{});
}

TEST_P(FailingFibers, AWorldAfterAFailureStartsClean) {
  const auto fails = [](Endpoint& endpoint) {
    const std::int64_t value = 1;
    if (endpoint.rank() == 3) throw std::runtime_error("enough");
    endpoint.begin_phase(endpoint.rank(), Dtype::i64);
    endpoint.send(3, bytes_of(value));
  };
  EXPECT_EQ(run_seed(4, GetParam(), fails).cause, "enough");
  std::vector<std::int64_t> results(4);
  const WorldOutcome outcome = run_seed(4, GetParam(), ring_sum(results));
  EXPECT_EQ(outcome.ending, Ending::finished);
  EXPECT_EQ(results, (std::vector<std::int64_t>{10, 10, 10, 10}));
}

}  // namespace
}  // namespace shardcheck::impl
