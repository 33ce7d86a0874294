// Every collective by every algorithm, at every number of members up to 17, against the plain
// definition, on threads.

#include <gtest/gtest.h>

#include <shardcheck/impl/by_hand/calls_cases.h>

namespace shardcheck::impl {
namespace {

class EveryCollectiveOnThreads : public testing::TestWithParam<std::int64_t> {};

TEST_P(EveryCollectiveOnThreads, GivesWhatItIsDefinedTo) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  ShardedBackend backend;
  for_each_case(GetParam(), random, [&](CallsCase subject) {
    if (random() % 4 != 0) return;
    subject.run.kind = Run::Kind::threads;
    expect_as_defined(backend, subject);
  });
}

INSTANTIATE_TEST_SUITE_P(Members, EveryCollectiveOnThreads, testing::Range<std::int64_t>(1, 18));

/// Several groups at work at the same time, as columns and as rows of a mesh.
TEST(CollectivesOnThreads, KeepToTheirGroups) {
  std::mt19937_64 random(1);
  ShardedBackend backend;
  for (const int over : {0, 1}) {
    for (const Collective collective : every_collective) {
      for (const Algorithm algorithm : algorithms_of(collective)) {
        CallsCase subject = basic_case({{collective, algorithm}}, 9, 12, Dtype::i64);
        subject.mesh.axes = {{"x", 3}, {"y", 3}};
        subject.over = {over};
        subject.destinations = {2, 0, 1};
        subject.run.kind = Run::Kind::threads;
        fill(subject, random);
        expect_as_defined(backend, subject);
      }
    }
  }
}

/// Long enough for segments, and for stores past the caches.
TEST(CollectivesOnThreads, TakeLongVectorsToo) {
  std::mt19937_64 random(1);
  ShardedBackend backend;
  for (const Collective collective :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather}) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const std::int64_t members : {2, 3}) {
        for (const bool in_place : {false, true}) {
          CallsCase subject = basic_case({{collective, algorithm}}, members, 600'001, Dtype::i64);
          subject.in_place = in_place;
          subject.run.kind = Run::Kind::threads;
          fill(subject, random);
          expect_as_defined(backend, subject);
        }
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck::impl
