// Every allocation of a small world fails once, in turn. The world then ends with a cause or as if
// nothing had been, and the next one, which is innocent, is whole.

#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "rank_programs.h"
#include "sanitizer.h"
#include "world.h"

namespace {

/// Allocations until the one that fails; at 0 or less none does.
std::atomic<std::int64_t> allocations_left = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (allocations_left.load(std::memory_order_relaxed) > 0 && allocations_left.fetch_sub(1) == 1) {
    throw std::bad_alloc();
  }
  const std::size_t padded = (bytes + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, padded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

/// Out of line: a compiler that sees new beside free takes them for a mistake.
[[gnu::noinline]] void release(void* memory) noexcept { std::free(memory); }

}  // namespace

// Weak: a sanitizer that is linked in has its own, and then there is nothing to try here.
[[gnu::weak]] void* operator new(std::size_t bytes) {
  return allocate(bytes, alignof(std::max_align_t));
}
[[gnu::weak]] void* operator new[](std::size_t bytes) {
  return allocate(bytes, alignof(std::max_align_t));
}
[[gnu::weak]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::weak]] void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::weak]] void operator delete(void* memory) noexcept { release(memory); }
[[gnu::weak]] void operator delete[](void* memory) noexcept { release(memory); }
[[gnu::weak]] void operator delete(void* memory, std::size_t) noexcept { release(memory); }
[[gnu::weak]] void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
[[gnu::weak]] void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
[[gnu::weak]] void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
[[gnu::weak]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
[[gnu::weak]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}

namespace shardcheck::impl {
namespace {

constexpr std::int64_t rank_count = 3;

/// all_to_all() of rank_programs.h without an allocation of its own: a program that throws between
/// a send's start and its end has to keep the buffer, and this one's are its own.
RankProgram all_to_all_of_three(std::vector<std::int64_t>& results) {
  return [&results](Endpoint& endpoint) {
    const std::int64_t rank = endpoint.rank();
    endpoint.begin_phase(1, Dtype::i32);
    std::array<std::int64_t, 2 * rank_count> outgoing{};
    std::array<std::int64_t, 2 * rank_count> incoming{};
    std::array<Pending, 4 * rank_count> pending;
    std::size_t started = 0;
    for (std::int64_t peer = 0; peer < rank_count; ++peer) {
      if (peer == rank) continue;
      for (std::int64_t message = 0; message < 2; ++message) {
        const auto place = static_cast<std::size_t>(2 * peer + message);
        outgoing[place] = 1000 * rank + peer + 1'000'000 * message;
        pending[started++] = endpoint.start_send(peer, bytes_of(outgoing[place]));
        pending[started++] = endpoint.start_receive(peer, 8, copy_to(incoming[place]));
      }
    }
    while (started > 0) endpoint.wait(pending[--started]);
    std::int64_t sum = 0;
    for (std::size_t place = 0; place < incoming.size(); ++place) {
      sum += incoming[place] * (place % 2 == 0 ? 1 : 3);
    }
    results[static_cast<std::size_t>(rank)] = sum;
  };
}

struct Subject {
  Run run;
  bool trace = false;
  RankProgram (*program)(std::vector<std::int64_t>&) = ring_sum;
};

/// Whether the results are those of a world in which nothing went wrong.
bool are_right(const Subject& subject, const std::vector<std::int64_t>& results) {
  for (std::int64_t rank = 0; rank < rank_count; ++rank) {
    const std::int64_t expected = subject.program == ring_sum ? rank_count * (rank_count + 1) / 2
                                                              : all_to_all_result(rank, rank_count);
    if (results[static_cast<std::size_t>(rank)] != expected) return false;
  }
  return true;
}

/// A world in which allocation number `at` fails, from 1, then an innocent one. False: the world
/// has no such allocation.
bool survives(const Subject& subject, std::int64_t at) {
  std::vector<std::int64_t> results(rank_count);
  const RankProgram program = subject.program(results);
  allocations_left = at;
  const WorldOutcome outcome = run_world(rank_count, subject.run, subject.trace, program);
  const bool has_failed = allocations_left.exchange(0) <= 0;
  SCOPED_TRACE("allocation " + std::to_string(at));
  if (outcome.ending == Ending::finished) {
    EXPECT_FALSE(has_failed);
    EXPECT_TRUE(are_right(subject, results));
  } else {
    EXPECT_TRUE(has_failed);
    EXPECT_TRUE(outcome.ending == Ending::threw || outcome.ending == Ending::unsupported);
    EXPECT_FALSE(outcome.cause.empty());
  }
  std::vector<std::int64_t> innocent(rank_count);
  const WorldOutcome next =
      run_world(rank_count, subject.run, subject.trace, subject.program(innocent));
  EXPECT_EQ(next.ending, Ending::finished) << next.cause;
  EXPECT_TRUE(next.left_over.empty());
  EXPECT_EQ(next.ledger.sent, next.ledger.received);
  EXPECT_TRUE(are_right(subject, innocent));
  return has_failed;
}

/// A thread of its own has a world of its own, which starts without memory.
void expect_survival(const Subject& subject) {
  bool has_failed = true;
  for (std::int64_t at = 1; has_failed && !testing::Test::HasFailure(); ++at) {
    ASSERT_LT(at, 2000);
    std::thread([&] { has_failed = survives(subject, at); }).join();
  }
  // In a world that has its memory already fewer are left.
  has_failed = true;
  for (std::int64_t at = 1; has_failed && !testing::Test::HasFailure(); ++at) {
    has_failed = survives(subject, at);
  }
}

bool can_fail() {
  allocations_left = 1;
  try {
    ::operator delete(::operator new(1));
  } catch (const std::bad_alloc&) {
    return true;
  }
  allocations_left = 0;
  return false;
}

/// GoogleTest's own Run hides it.
using ScheduledRun = shardcheck::Run;

TEST(AllocationFailure, OfAnyOneLeavesAWorldOfFibersWhole) {
  if (!can_fail()) GTEST_SKIP() << "this build has an operator new of its own";
  for (const ScheduledRun::Kind kind : {ScheduledRun::Kind::fibers, ScheduledRun::Kind::pct}) {
    for (const bool trace : {false, true}) {
      expect_survival({ScheduledRun{kind, 1, 3, {}}, trace, ring_sum});
      expect_survival({ScheduledRun{kind, 2, 3, {}}, trace, all_to_all_of_three});
    }
  }
}

TEST(AllocationFailure, OfAnyOneLeavesAWorldOfThreadsWhole) {
  if (!can_fail()) GTEST_SKIP() << "this build has an operator new of its own";
  for (const bool trace : {false, true}) {
    expect_survival({ScheduledRun{ScheduledRun::Kind::threads, 0, 0, {}}, trace, ring_sum});
    expect_survival(
        {ScheduledRun{ScheduledRun::Kind::threads, 0, 0, {}}, trace, all_to_all_of_three});
  }
}

/// What a rank program throws, and what it leaves unsaid where there is no memory to say it.
TEST(AllocationFailure, OfAllButOneKindEndsAWorldOfEitherKind) {
  for (const ScheduledRun::Kind kind : {ScheduledRun::Kind::fibers, ScheduledRun::Kind::threads}) {
    if (under_thread_sanitizer && kind == ScheduledRun::Kind::fibers) continue;
    const ScheduledRun run{kind, 1, 0, {}};
    const auto program = [](Endpoint& endpoint) {
      if (endpoint.rank() == 1) throw std::bad_alloc();
      endpoint.receive(1, 8, [](auto) {});
    };
    const WorldOutcome outcome = run_world(rank_count, run, false, program);
    EXPECT_EQ(outcome.ending, Ending::threw);
    EXPECT_EQ(outcome.ending_rank, 1);
    EXPECT_EQ(outcome.cause, "std::bad_alloc");
  }
}

}  // namespace
}  // namespace shardcheck::impl
