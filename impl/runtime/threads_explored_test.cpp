// The thread runtime itself, in every order of its steps (controlled_sync.h): whoever sleeps is
// woken, whatever else happens at that moment, and every order ends as the program says.

#include <sanitizer/lsan_interface.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "controlled_sync.h"
#include "rank_programs.h"
#include "sanitizer.h"
#include "signal.h"
#include "thread_pool.h"
#include "thread_world.h"

namespace shardcheck::impl {
namespace {

using std::chrono::milliseconds;
using sync::Exploration;
using sync::explore;

void tell(const Exploration& seen) {
  testing::Test::RecordProperty("executions", std::to_string(seen.execution_count));
  testing::Test::RecordProperty("steps", std::to_string(seen.steps_max));
  std::printf("  %lld orders of up to %lld steps%s\n", static_cast<long long>(seen.execution_count),
              static_cast<long long>(seen.steps_max), seen.is_complete ? "" : ", not all");
}

void expect_never_stuck(const std::function<void()>& scenario,
                        sync::ExplorationLimits limits = {}) {
  // A sanitizer makes every order several times as dear.
  if (under_address_sanitizer && limits.preemptions > 1) --limits.preemptions;
  const Exploration seen = explore(scenario, limits);
  tell(seen);
  EXPECT_EQ(seen.stuck_count, 0) << "after " << seen.execution_count << " orders";
  EXPECT_TRUE(seen.is_complete);
}

/// One thread waits for a flag that another one sets. `counts_first`: as signal.h wants it.
Exploration wait_for_flag(bool counts_first) {
  return explore([counts_first] {
    Signal signal;
    sync::Atomic<bool> flag = false;
    sync::Thread waiting([&] {
      for (;;) {
        bool is_set = !counts_first && flag.load();
        const std::uint32_t seen = signal.count();
        if (counts_first) is_set = flag.load();
        if (is_set) return;
        signal.sleep_while(seen);
      }
    });
    flag.store(true);
    signal.notify();
    waiting.join();
  });
}

TEST(Explored, ALookBeforeTheCountLosesAWakeUp) {
  // What is stuck is never freed.
  if constexpr (under_address_sanitizer) __lsan_disable();
  EXPECT_EQ(wait_for_flag(false).stuck_count, 1);
  if constexpr (under_address_sanitizer) __lsan_enable();
  const Exploration seen = wait_for_flag(true);
  tell(seen);
  EXPECT_EQ(seen.stuck_count, 0);
  EXPECT_TRUE(seen.is_complete);
}

TEST(Explored, EveryOrderOfTwoThreadsIsTriedAndTwinsOnce) {
  // Two reads and two writes of one word: 6 orders of the threads' steps. Two words: all are one.
  for (const bool is_shared : {true, false}) {
    sync::Atomic<int> first = 0;
    sync::Atomic<int> second = 0;
    const auto twice = [](sync::Atomic<int>& word) {
      word.store(1);
      word.store(2);
    };
    const auto scenario = [&] {
      sync::Thread other([&] { twice(is_shared ? first : second); });
      twice(first);
      other.join();
    };
    int ends = 0;
    const Exploration seen = explore([&] {
      scenario();
      ++ends;
    });
    EXPECT_TRUE(seen.is_complete);
    EXPECT_EQ(ends, seen.execution_count);
    EXPECT_EQ(seen.execution_count - seen.twin_count, is_shared ? 6 : 1);
  }
}

/// Runs thread 1 and 2 of a pool.
class Body final : public ThreadBody {
 public:
  void run_thread(std::int64_t index) noexcept override { ran.fetch_add(1 << (4 * index)); }
  sync::Atomic<int> ran = 0;
};

TEST(Explored, APoolRunsOneJobAfterTheOtherAndEnds) {
  expect_never_stuck(
      [] {
        Body body;
        {
          ThreadPool pool;
          ASSERT_TRUE(pool.run(2, body, {}));
          EXPECT_EQ(body.ran.value(), 0x11);
          ASSERT_TRUE(pool.run(2, body, {}));
        }
        EXPECT_EQ(body.ran.value(), 0x22);
      },
      {.preemptions = 4});
}

TEST(Explored, APoolOfThreeReturnsWhenTheLastHas) {
  expect_never_stuck(
      [] {
        Body body;
        ThreadPool pool;
        ASSERT_TRUE(pool.run(3, body, {}));
        EXPECT_EQ(body.ran.value(), 0x111);
      },
      {.preemptions = 3});
}

WorldOutcome run_program(std::int64_t rank_count, const RankProgram& program) {
  ThreadWorld world;
  return world.run(rank_count, false, program, {}, milliseconds(1000));
}

TEST(Explored, AMessageArrives) {
  expect_never_stuck(
      [] {
        std::int64_t received = 0;
        const WorldOutcome outcome = run_program(2, [&](Endpoint& endpoint) {
          const std::int64_t value = 7;
          if (endpoint.rank() == 0) endpoint.send(1, bytes_of(value));
          if (endpoint.rank() == 1) endpoint.receive(0, 8, copy_to(received));
        });
        EXPECT_EQ(outcome.ending, Ending::finished) << outcome.cause;
        EXPECT_EQ(received, 7);
        EXPECT_TRUE(outcome.left_over.empty());
      },
      {.preemptions = 4});
}

TEST(Explored, TwoRanksExchange) {
  expect_never_stuck(
      [] {
        std::vector<std::int64_t> results(2);
        const WorldOutcome outcome = run_program(2, ring_sum(results));
        EXPECT_EQ(outcome.ending, Ending::finished) << outcome.cause;
        EXPECT_EQ(results, (std::vector<std::int64_t>{3, 3}));
      },
      {.preemptions = 3});
}

TEST(Explored, ARankThatWaitsIsEndedWhenAnotherThrows) {
  expect_never_stuck([] {
    const WorldOutcome outcome = run_program(2, [](Endpoint& endpoint) {
      if (endpoint.rank() == 1) throw std::runtime_error("enough");
      endpoint.receive(1, 8, [](auto) {});
    });
    EXPECT_EQ(outcome.ending, Ending::threw);
    EXPECT_EQ(outcome.cause, "enough");
  });
}

TEST(Explored, ASenderThatWaitsIsEndedWhenItsReceiverThrows) {
  expect_never_stuck([] {
    const WorldOutcome outcome = run_program(2, [](Endpoint& endpoint) {
      const std::int64_t value = 7;
      if (endpoint.rank() == 0) endpoint.send(1, bytes_of(value));
      throw std::runtime_error("enough");
    });
    EXPECT_EQ(outcome.ending, Ending::threw);
    EXPECT_EQ(outcome.cause, "enough");
  });
}

TEST(Explored, NobodyReadsABufferThatDies) {
  // Rank 0's buffer is alive as long as its program; its own receive ends by an exception, or it is
  // ended because rank 1's consumer throws.
  for (const bool consumer_throws : {false, true}) {
    expect_never_stuck(
        [consumer_throws] {
          sync::Atomic<bool> is_alive = false;
          const WorldOutcome outcome = run_program(2, [&](Endpoint& endpoint) {
            const std::int64_t value = 7;
            if (endpoint.rank() == 0) {
              is_alive.store(true);
              const std::shared_ptr<void> buffer(nullptr, [&](void*) { is_alive.store(false); });
              const Pending send = endpoint.start_send(1, bytes_of(value));
              endpoint.receive(1, 8, [](auto) { throw std::runtime_error("own"); });
              endpoint.wait(send);
              return;
            }
            const Pending send = endpoint.start_send(0, bytes_of(value));
            endpoint.receive(0, 8, [&](auto) {
              EXPECT_TRUE(is_alive.load());
              if (consumer_throws) throw std::runtime_error("other");
            });
            endpoint.wait(send);
          });
          EXPECT_EQ(outcome.ending, Ending::threw);
          EXPECT_TRUE(consumer_throws || outcome.cause == "own") << outcome.cause;
        },
        {.preemptions = 3});
  }
}

TEST(Explored, NobodyReadsTheBufferOfARankThatIsEnded) {
  expect_never_stuck(
      [] {
        sync::Atomic<bool> is_alive = false;
        const WorldOutcome outcome = run_program(3, [&](Endpoint& endpoint) {
          const std::int64_t value = 7;
          if (endpoint.rank() == 2) throw std::runtime_error("enough");
          if (endpoint.rank() == 1) {
            endpoint.receive(0, 8, [&](auto) { EXPECT_TRUE(is_alive.load()); });
            return;
          }
          is_alive.store(true);
          const std::shared_ptr<void> buffer(nullptr, [&](void*) { is_alive.store(false); });
          endpoint.send(1, bytes_of(value));
        });
        EXPECT_EQ(outcome.cause, "enough");
      },
      {.preemptions = 2});
}

TEST(Explored, RanksThatWaitForEachOtherAreFound) {
  expect_never_stuck(
      [] {
        const WorldOutcome outcome = run_program(
            2, [](Endpoint& endpoint) { endpoint.receive(1 - endpoint.rank(), 8, [](auto) {}); });
        EXPECT_EQ(outcome.ending, Ending::deadlocked);
        EXPECT_EQ(outcome.wait_graph.size(), 2U);
      },
      {.preemptions = 3});
}

TEST(Explored, AWaitForARankThatHasFinishedIsFound) {
  expect_never_stuck([] {
    const WorldOutcome outcome = run_program(2, [](Endpoint& endpoint) {
      if (endpoint.rank() == 0) endpoint.receive(1, 8, [](auto) {});
    });
    EXPECT_EQ(outcome.ending, Ending::deadlocked);
    EXPECT_EQ(outcome.cause, "rank 0 waits for rank 1, which has finished");
  });
}

TEST(Explored, AMessageUnderWayIsNoDeadlock) {
  // Rank 1 has sent and waits; rank 2 has finished; only rank 0 can bring things on.
  expect_never_stuck(
      [] {
        const WorldOutcome outcome = run_program(3, [](Endpoint& endpoint) {
          const std::int64_t value = 7;
          std::int64_t received = 0;
          if (endpoint.rank() == 0) endpoint.receive(1, 8, copy_to(received));
          if (endpoint.rank() == 1) endpoint.send(0, bytes_of(value));
        });
        EXPECT_EQ(outcome.ending, Ending::finished) << outcome.cause;
      },
      {.preemptions = 2});
}

TEST(Explored, ATimeOutWakesWhoeverSleeps) {
  sync::calls_between_looks = 1;
  expect_never_stuck(
      [] {
        sync::shown_time = milliseconds(0);
        const WorldOutcome outcome = run_program(2, [](Endpoint& endpoint) {
          const std::int64_t value = 7;
          if (endpoint.rank() == 0) endpoint.receive(1, 8, [](auto) {});
          sync::shown_time = milliseconds(1'000'000);
          endpoint.send(1 - endpoint.rank(), bytes_of(value));
        });
        EXPECT_EQ(outcome.ending, Ending::timed_out);
        EXPECT_EQ(outcome.cause, "not finished after 1000 ms");
      },
      {.preemptions = 3});
  sync::calls_between_looks = 512;
}

TEST(Explored, ThreeRanksEndWhenOneOfThemThrows) {
  // What hung: rank 0 and 1 exchange and then wait for rank 2, which throws.
  expect_never_stuck(
      [] {
        const WorldOutcome outcome = run_program(3, [](Endpoint& endpoint) {
          const std::int64_t rank = endpoint.rank();
          if (rank == 2) throw std::runtime_error("enough");
          const std::int64_t value = 7;
          std::int64_t received = 0;
          const Pending send = endpoint.start_send(1 - rank, bytes_of(value));
          endpoint.receive(1 - rank, 8, copy_to(received));
          endpoint.wait(send);
          endpoint.receive(2, 8, [](auto) {});
        });
        EXPECT_EQ(outcome.ending, Ending::threw);
        EXPECT_EQ(outcome.cause, "enough");
      },
      {.preemptions = 2});
}

TEST(Explored, AWorldAfterACancelledOneIsWhole) {
  expect_never_stuck(
      [] {
        ThreadWorld world;
        const auto throws = [](Endpoint& endpoint) {
          if (endpoint.rank() == 1) throw std::runtime_error("enough");
          const std::int64_t value = 7;
          endpoint.send(1, bytes_of(value));
        };
        EXPECT_EQ(world.run(2, false, throws, {}, milliseconds(1000)).ending, Ending::threw);
        std::vector<std::int64_t> results(2);
        const WorldOutcome outcome = world.run(2, false, ring_sum(results), {}, milliseconds(1000));
        EXPECT_EQ(outcome.ending, Ending::finished) << outcome.cause;
        EXPECT_EQ(results, (std::vector<std::int64_t>{3, 3}));
      },
      {.preemptions = 2});
}

}  // namespace
}  // namespace shardcheck::impl
