#include "threads.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "rank_programs.h"
#include "sanitizer.h"

namespace shardcheck::impl {
namespace {

using std::chrono::milliseconds;

WorldOutcome run_program(std::int64_t rank_count, const RankProgram& program) {
  return run_threads(rank_count, false, program, {});
}

void expect_ring(std::int64_t rank_count) {
  std::vector<std::int64_t> results(static_cast<std::size_t>(rank_count));
  const WorldOutcome outcome = run_program(rank_count, ring_sum(results));
  ASSERT_EQ(outcome.ending, Ending::finished) << outcome.cause;
  EXPECT_TRUE(outcome.left_over.empty());
  const std::vector<std::int64_t> sums(results.size(), rank_count * (rank_count + 1) / 2);
  EXPECT_EQ(results, sums);
  EXPECT_EQ(outcome.ledger.sent, outcome.ledger.received);
  if (rank_count == 1) return;
  ASSERT_EQ(outcome.ledger.sent.size(), results.size());
  for (std::int64_t rank = 0; rank < rank_count; ++rank) {
    const Transfer expected{0, rank, (rank + 1) % rank_count, 8 * (rank_count - 1), rank_count - 1};
    EXPECT_EQ(outcome.ledger.sent[static_cast<std::size_t>(rank)], expected);
  }
}

TEST(Threads, ARingEndsWithTheSameSumEveryTime) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    for (const std::int64_t rank_count : {1, 2, 3, 4, 7}) expect_ring(rank_count);
  }
  expect_ring(17);
}

TEST(Threads, AllToAllEndsWithTheSameSumsEveryTime) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    for (const std::int64_t rank_count : {1, 2, 5, 17}) {
      std::vector<std::int64_t> results(static_cast<std::size_t>(rank_count));
      const WorldOutcome outcome = run_program(rank_count, all_to_all(results));
      ASSERT_EQ(outcome.ending, Ending::finished) << outcome.cause;
      for (std::int64_t rank = 0; rank < rank_count; ++rank) {
        EXPECT_EQ(results[static_cast<std::size_t>(rank)], all_to_all_result(rank, rank_count));
      }
    }
  }
}

TEST(Threads, AReceiverReadsTheSendersBufferItself) {
  std::atomic<const std::byte*> sent = nullptr;
  const auto program = [&](Endpoint& endpoint) {
    const std::vector<std::byte> payload(100);
    if (endpoint.rank() == 0) {
      sent = payload.data();
      endpoint.send(1, payload);
    } else {
      endpoint.receive(0, 100, [&](auto came) { EXPECT_EQ(came.data(), sent.load()); });
    }
  };
  EXPECT_EQ(run_program(2, program).ending, Ending::finished);
}

TEST(Threads, TheTraceHoldsEveryMessage) {
  std::vector<std::int64_t> results(4);
  const WorldOutcome outcome = run_threads(4, true, ring_sum(results), {});
  ASSERT_EQ(outcome.messages.size(), 12U);
  std::vector<std::uint64_t> element_sums(4);
  for (const Message& message : outcome.messages) {
    EXPECT_EQ(message.dtype, Dtype::i64);
    EXPECT_EQ(message.destination, (message.source + 1) % 4);
    ASSERT_EQ(message.elements.size(), 1U);
    element_sums[static_cast<std::size_t>(message.source)] += message.elements[0];
  }
  // A rank passes on all numbers but the one that its successor started with: 10 less 2, 3, 4, 1.
  EXPECT_EQ(element_sums, (std::vector<std::uint64_t>{8, 7, 6, 9}));
}

TEST(Threads, RanksThatReceiveFirstDeadlockAtOnce) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    const auto program = [](Endpoint& endpoint) {
      const std::int64_t peer = 1 - endpoint.rank();
      const std::int64_t value = 1;
      std::int64_t received = 0;
      endpoint.begin_phase(1, Dtype::i64);
      endpoint.receive(peer, 8, copy_to(received));
      endpoint.send(peer, bytes_of(value));
    };
    const WorldOutcome outcome = run_program(2, program);
    ASSERT_EQ(outcome.ending, Ending::deadlocked);
    EXPECT_EQ(outcome.cause, "rank 0 waits for rank 1, which waits for rank 0");
    EXPECT_EQ(outcome.wait_graph, (std::vector<WaitEdge>{{0, 1, "receive in phase 1, message 0"},
                                                         {1, 0, "receive in phase 1, message 0"}}));
  }
}

TEST(Threads, ARankThatNeverSendsIsNamed) {
  const auto program = [](Endpoint& endpoint) {
    if (endpoint.rank() == 0) return;
    std::int64_t received = 0;
    endpoint.receive(endpoint.rank() - 1, 8, copy_to(received));
    endpoint.send((endpoint.rank() + 1) % 5, bytes_of(received));
  };
  const WorldOutcome outcome = run_program(5, program);
  EXPECT_EQ(outcome.ending, Ending::deadlocked);
  EXPECT_EQ(outcome.cause, "rank 1 waits for rank 0, which has finished");
  ASSERT_EQ(outcome.wait_graph.size(), 4U);
  EXPECT_EQ(outcome.wait_graph[0],
            (WaitEdge{1, 0, "receive in phase 0, message 0; that rank has finished"}));
}

TEST(Threads, TheLastRankToFinishLeavesADeadlockBehind) {
  const auto program = [](Endpoint& endpoint) {
    if (endpoint.rank() == 0) {
      // Long enough for the other to fall asleep.
      std::this_thread::sleep_for(milliseconds(50));
    } else {
      endpoint.receive(0, 8, [](auto) {});
    }
  };
  const WorldOutcome outcome = run_threads(2, false, program, {}, milliseconds(5000));
  EXPECT_EQ(outcome.ending, Ending::deadlocked);
  EXPECT_EQ(outcome.cause, "rank 1 waits for rank 0, which has finished");
}

TEST(Threads, AnUnreceivedMessageHoldsItsSenderAndIsLeftOver) {
  const auto program = [](Endpoint& endpoint) {
    const std::int64_t value = 1;
    endpoint.begin_phase(2, Dtype::i64);
    if (endpoint.rank() == 0) endpoint.send(1, bytes_of(value));
  };
  const WorldOutcome outcome = run_program(2, program);
  EXPECT_EQ(outcome.ending, Ending::deadlocked);
  EXPECT_EQ(outcome.left_over, (std::vector<Transfer>{{2, 0, 1, 8, 1}}));
  EXPECT_EQ(outcome.wait_graph,
            (std::vector<WaitEdge>{{0, 1, "send in phase 2, message 0; that rank has finished"}}));
}

TEST(Threads, TheFirstOfSeveralExceptionsIsTheCauseAndDestructorsRun) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::atomic<int> alive = 0;
    const auto program = [&](Endpoint& endpoint) {
      ++alive;
      const std::shared_ptr<void> guard(nullptr, [&](void*) { --alive; });
      std::int64_t received = 0;
      try {
        if (endpoint.rank() != 2) endpoint.receive(2, 8, copy_to(received));
      } catch (...) {
        throw std::runtime_error("while cancelled");
      }
      throw std::runtime_error("the first");
    };
    const WorldOutcome outcome = run_program(4, program);
    EXPECT_EQ(outcome.ending, Ending::threw);
    EXPECT_EQ(outcome.ending_rank, 2);
    EXPECT_EQ(outcome.cause, "the first");
    EXPECT_EQ(alive, 0);
  }
}

TEST(Threads, MistakesOfAProgramAreItsEnding) {
  const std::int64_t value = 1;
  const auto wrong_length = [&](Endpoint& endpoint) {
    if (endpoint.rank() == 0) endpoint.send(1, bytes_of(value));
    if (endpoint.rank() == 1) endpoint.receive(0, 4, [](auto) { FAIL(); });
  };
  EXPECT_EQ(run_program(2, wrong_length).cause,
            "rank 1: receive from rank 0 in phase 0, message 0: expected 4 bytes, 8 were sent");
  const auto never_awaited = [&](Endpoint& endpoint) {
    if (endpoint.rank() == 0) endpoint.start_send(1, bytes_of(value));
  };
  EXPECT_EQ(run_program(2, never_awaited).cause,
            "rank 0 ended without waiting for its send to rank 1 in phase 0, message 0");
  const auto twice = [&](Endpoint& endpoint) {
    if (endpoint.rank() == 0) {
      const Pending send = endpoint.start_send(1, bytes_of(value));
      endpoint.wait(send);
      endpoint.wait(send);
    } else {
      endpoint.receive(0, 8, [](auto) {});
    }
  };
  EXPECT_EQ(run_program(2, twice).cause,
            "rank 0 waits for an operation that it has waited for already or never started");
  const auto consumer_throws = [&](Endpoint& endpoint) {
    if (endpoint.rank() == 0) endpoint.send(1, bytes_of(value));
    if (endpoint.rank() == 1) endpoint.receive(0, 8, [](auto) { throw std::out_of_range("here"); });
  };
  const WorldOutcome outcome = run_program(2, consumer_throws);
  EXPECT_EQ(outcome.ending_rank, 1);
  EXPECT_EQ(outcome.cause, "here");
}

TEST(Threads, NobodyReadsTheBufferOfARankThatWasCancelled) {
  // Rank 0 sends from a buffer that its unwinding frees; others may be about to read it.
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto program = [](Endpoint& endpoint) {
      const std::int64_t rank = endpoint.rank();
      if (rank == 3) throw std::runtime_error("enough");
      std::vector<std::byte> payload(1000);
      std::vector<std::byte> received(1000);
      std::vector<Pending> pending;
      for (std::int64_t peer = 0; peer < 3; ++peer) {
        if (peer == rank) continue;
        pending.push_back(endpoint.start_send(peer, payload));
        pending.push_back(endpoint.start_receive(
            peer, 1000, [&](auto came) { std::copy(came.begin(), came.end(), received.begin()); }));
      }
      for (const Pending operation : pending) endpoint.wait(operation);
      endpoint.receive(3, 1000, [](auto) {});
    };
    const WorldOutcome outcome = run_program(4, program);
    ASSERT_EQ(outcome.ending, Ending::threw);
    EXPECT_EQ(outcome.cause, "enough");
  }
}

/// Rank 1 takes long to read rank 0's buffer; meanwhile rank 0 leaves its wait by an exception,
/// because rank 2 throws or because its own consumer does.
void expect_buffer_outlives_reader(bool own_consumer_throws) {
  std::atomic<bool> is_alive = false;
  std::atomic<bool> is_read = false;
  std::atomic<bool> was_alive_to_the_end = false;
  const auto program = [&](Endpoint& endpoint) {
    const std::int64_t value = 1;
    if (endpoint.rank() == 0) {
      const std::shared_ptr<void> buffer(nullptr, [&](void*) { is_alive = false; });
      is_alive = true;
      const Pending send = endpoint.start_send(1, bytes_of(value));
      endpoint.receive(2, 8, [](auto) { throw std::runtime_error("own"); });
      endpoint.wait(send);
    } else if (endpoint.rank() == 1) {
      endpoint.receive(0, 8, [&](auto) {
        is_read = true;
        std::this_thread::sleep_for(milliseconds(50));
        was_alive_to_the_end = is_alive.load();
      });
    } else {
      while (!is_read) std::this_thread::yield();
      if (!own_consumer_throws) throw std::runtime_error("other");
      endpoint.send(0, bytes_of(value));
    }
  };
  EXPECT_EQ(run_program(3, program).cause, own_consumer_throws ? "own" : "other");
  EXPECT_TRUE(was_alive_to_the_end);
}

TEST(Threads, ABufferOutlivesItsReaderWhenItsRankIsEnded) {
  expect_buffer_outlives_reader(false);
  expect_buffer_outlives_reader(true);
}

TEST(Threads, AProgramWithoutEndTimesOut) {
  const auto program = [](Endpoint& endpoint) {
    const std::int64_t rank = endpoint.rank();
    const std::int64_t value = 1;
    std::int64_t received = 0;
    if (rank == 2) endpoint.receive(0, 8, copy_to(received));
    for (;;) {
      const Pending receive = endpoint.start_receive(1 - rank, 8, copy_to(received));
      endpoint.send(1 - rank, bytes_of(value));
      endpoint.wait(receive);
    }
  };
  const WorldOutcome outcome = run_threads(3, false, program, {}, milliseconds(100));
  EXPECT_EQ(outcome.ending, Ending::timed_out);
  EXPECT_EQ(outcome.cause, "not finished after 100 ms");
  ASSERT_FALSE(outcome.wait_graph.empty());
  EXPECT_EQ(outcome.wait_graph.back(), (WaitEdge{2, 0, "receive in phase 0, message 0"}));
}

/// Counts what passes through it.
class Counts final : public Endpoint {
 public:
  Counts(Endpoint& inner, std::atomic<int>& sends) : inner_(inner), sends_(sends) {}
  std::int64_t rank() const override { return inner_.rank(); }
  std::int64_t rank_count() const override { return inner_.rank_count(); }
  void begin_phase(std::int64_t phase, Dtype dtype) override { inner_.begin_phase(phase, dtype); }
  Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    ++sends_;
    return inner_.start_send(destination, payload);
  }
  Pending start_receive(std::int64_t source, std::size_t bytes,
                        std::function<void(std::span<const std::byte>)> consume) override {
    return inner_.start_receive(source, bytes, std::move(consume));
  }
  void wait(Pending pending) override { inner_.wait(pending); }
  void note_temporary_bytes(std::int64_t bytes) override { inner_.note_temporary_bytes(bytes); }

 private:
  Endpoint& inner_;
  std::atomic<int>& sends_;
};

TEST(Threads, AWrapperStandsBetweenARankAndItsEndpoint) {
  std::atomic<int> sends = 0;
  std::vector<std::int64_t> results(4);
  const EndpointWrapper wrap = [&](Endpoint& inner) {
    return std::make_unique<Counts>(inner, sends);
  };
  const shardcheck::Run run{shardcheck::Run::Kind::threads, 0, 0, {}};
  EXPECT_EQ(run_world(4, run, false, ring_sum(results), wrap).ending, Ending::finished);
  EXPECT_EQ(sends, 12);
}

TEST(Threads, SeveralThreadsRunWorldsAtOnce) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([] {
      for (int repeat = 0; repeat < 20; ++repeat) expect_ring(4);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(Threads, AForkedChildRunsWorldsOfItsOwn) {
  if (under_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer allows no threads after a fork";
  expect_ring(4);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<std::int64_t> results(4);
    const bool is_good = run_program(4, ring_sum(results)).ending == Ending::finished;
    _exit(is_good ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// 2,000 messages each way, so that the ranks look at the clocks; before them the process stops.
void stop_then_exchange(Endpoint& endpoint) {
  if (endpoint.rank() == 0) raise(SIGSTOP);
  for (int turn = 0; turn < 2000; ++turn) {
    const std::int64_t value = turn;
    std::int64_t received = 0;
    const Pending send = endpoint.start_send(1 - endpoint.rank(), bytes_of(value));
    endpoint.receive(1 - endpoint.rank(), 8, copy_to(received));
    endpoint.wait(send);
  }
}

TEST(Threads, AProcessThatWasStoppedIsNotTimedOut) {
  if (under_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer allows no threads after a fork";
  const pid_t child = fork();
  if (child == 0) {
    const WorldOutcome outcome = run_threads(2, false, stop_then_exchange, {}, milliseconds(800));
    _exit(outcome.ending == Ending::finished ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  std::this_thread::sleep_for(milliseconds(1500));
  ASSERT_EQ(kill(child, SIGCONT), 0);
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace shardcheck::impl
