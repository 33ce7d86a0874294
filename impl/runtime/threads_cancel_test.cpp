// Many worlds of threads that fail, one after the other, at whatever moment the system makes of it.
// What threads_explored_test.cpp proves of a few steps is tried here with real threads and sleep:
//
//     shardcheck_threads_test --gtest_filter='CancelledWorlds.*' --gtest_repeat=200   # a million

#include <array>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "rank_programs.h"
#include "sanitizer.h"
#include "threads.h"

namespace shardcheck::impl {
namespace {

enum class Failure : std::uint8_t {
  throws,
  consumer_throws,
  wrong_length,
  leaves,
  waits_for_itself
};
constexpr std::array failures{Failure::throws, Failure::consumer_throws, Failure::wrong_length,
                              Failure::leaves, Failure::waits_for_itself};

/// The last rank fails in its way while the others send to each other and then wait for it.
void work(Endpoint& endpoint, Failure failure, int pause) {
  const std::int64_t rank = endpoint.rank();
  const std::int64_t last = endpoint.rank_count() - 1;
  std::vector<std::byte> payload(100);
  std::vector<std::byte> received(100);
  if (rank == last) {
    for (int turn = 0; turn < pause; ++turn) std::this_thread::yield();
    if (failure == Failure::throws) throw std::runtime_error("enough");
    if (failure == Failure::consumer_throws) {
      endpoint.receive(0, 100, [](auto) { throw std::runtime_error("enough"); });
    }
    if (failure == Failure::wrong_length) endpoint.receive(0, 99, [](auto) {});
    if (failure == Failure::waits_for_itself) endpoint.wait({});
    return;
  }
  std::vector<Pending> pending;
  for (std::int64_t peer = 0; peer <= last; ++peer) {
    if (peer == rank) continue;
    pending.push_back(endpoint.start_send(peer, payload));
    if (peer == last) continue;
    pending.push_back(endpoint.start_receive(
        peer, 100, [&](auto came) { std::copy(came.begin(), came.end(), received.begin()); }));
  }
  for (const Pending operation : pending) endpoint.wait(operation);
  endpoint.receive(last, 100, [](auto) {});
}

Ending ending_of(Failure failure) {
  return failure == Failure::leaves ? Ending::deadlocked : Ending::threw;
}

TEST(CancelledWorlds, AllEndAsTheyMust) {
  const int world_count = under_thread_sanitizer || under_address_sanitizer ? 1000 : 5000;
  std::mt19937 random(static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed()));
  for (int world = 0; world < world_count; ++world) {
    const Failure failure = failures[random() % failures.size()];
    const std::int64_t rank_count = 2 + static_cast<std::int64_t>(random() % 3);
    const int pause = static_cast<int>(random() % 40);
    const WorldOutcome outcome = run_threads(
        rank_count, false, [&](Endpoint& endpoint) { work(endpoint, failure, pause); }, {});
    ASSERT_EQ(outcome.ending, ending_of(failure)) << outcome.cause;
    ASSERT_EQ(outcome.ending_rank, failure == Failure::leaves ? -1 : rank_count - 1);
  }
}

}  // namespace
}  // namespace shardcheck::impl
