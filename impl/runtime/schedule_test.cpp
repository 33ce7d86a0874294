#include "schedule.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace shardcheck::impl {
namespace {

using Schedules = std::vector<std::int64_t>;

/// The ranks that a schedule picks while all of `rank_count` can run.
Schedules picks(const shardcheck::Run& run, std::int32_t rank_count, int count) {
  std::vector<std::int32_t> can_run;
  for (std::int32_t rank = 0; rank < rank_count; ++rank) can_run.push_back(rank);
  Schedule schedule;
  schedule.begin(run, rank_count, false);
  Schedules picked;
  for (int step = 0; step < count; ++step) picked.push_back(schedule.next_rank(can_run));
  return picked;
}

TEST(Schedule, ASeededScheduleGivesEveryRankItsShare) {
  std::map<std::int64_t, int> counts;
  for (const std::int64_t rank : picks({shardcheck::Run::Kind::fibers, 7, 0, {}}, 3, 3000)) {
    ++counts[rank];
  }
  ASSERT_EQ(counts.size(), 3U);
  // 1000 expected each, standard deviation 26.
  for (const auto& [rank, count] : counts) EXPECT_NEAR(count, 1000, 130) << rank;
}

TEST(Schedule, PrioritiesWithoutAChangePointLetOneRankRun) {
  std::set<std::int64_t> first;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Schedules picked = picks({shardcheck::Run::Kind::pct, seed, 1, {}}, 3, 200);
    EXPECT_EQ(picked, Schedules(200, picked.front()));
    first.insert(picked.front());
  }
  EXPECT_EQ(first.size(), 3U);
}

TEST(Schedule, DepthDAllowsDMinusOneChanges) {
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Schedules picked = picks({shardcheck::Run::Kind::pct, seed, 3, {}}, 4, 1 << 16);
    std::size_t changes = 0;
    for (std::size_t step = 1; step < picked.size(); ++step) {
      if (picked[step] != picked[step - 1]) ++changes;
    }
    EXPECT_LE(changes, 2U);
    most = std::max(most, changes);
  }
  EXPECT_EQ(most, 2U);
}

TEST(Schedule, AChoiceIsRecordedWhereThereIsOne) {
  const shardcheck::Run run{shardcheck::Run::Kind::fibers, 1, 0, {}};
  Schedule schedule;
  schedule.begin(run, 2, true);
  const std::array<std::int32_t, 1> one{1};
  const std::array<std::int32_t, 2> two{0, 1};
  EXPECT_EQ(schedule.next_rank(one), 1);
  const std::int64_t rank = schedule.next_rank(two);
  const bool way = schedule.choose();
  EXPECT_EQ(schedule.take_choices(), (std::vector<std::int64_t>{rank, way ? 1 : 0}));
  EXPECT_EQ(schedule.misfit(), std::nullopt);
}

TEST(Schedule, ATraceIsFollowed) {
  const shardcheck::Run run{shardcheck::Run::Kind::trace, 0, 0, {5, 0, 1, 2}};
  const std::array<std::int32_t, 2> can_run{2, 5};
  Schedule schedule;
  schedule.begin(run, 6, false);
  EXPECT_EQ(schedule.next_rank(can_run), 5);
  EXPECT_FALSE(schedule.choose());
  EXPECT_TRUE(schedule.choose());
  EXPECT_EQ(schedule.misfit(), "the trace does not fit: the run ended after 3 of its 4 choices");
  EXPECT_EQ(schedule.next_rank(can_run), 2);
  EXPECT_EQ(schedule.misfit(), std::nullopt);
}

}  // namespace
}  // namespace shardcheck::impl
