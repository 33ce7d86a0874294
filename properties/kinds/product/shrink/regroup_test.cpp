#include "regroup.h"

#include <gtest/gtest.h>

namespace shardcheck {
namespace {

using Sizes = std::vector<std::int64_t>;
using Sets = std::vector<std::vector<std::int64_t>>;

Cut cut_by_sizes(std::vector<int> over, Sizes sizes) {
  Cut cut;
  cut.over = std::move(over);
  cut.split.rule = Split::Rule::sizes;
  cut.split.sizes = std::move(sizes);
  return cut;
}

TEST(Regroup, PartsOfJoinedRanksAreAddedUp) {
  const Mesh mesh{{{"x", 3}}};
  const Cut cut = cut_by_sizes({0}, {4, 0, 3});
  EXPECT_EQ(regrouped(cut, mesh, 0, joined_with_predecessor(3, 2)).split.sizes, (Sizes{4, 3}));
  EXPECT_EQ(regrouped(cut, mesh, 0, joined_evenly(3, 1)).split.sizes, (Sizes{7}));
}

TEST(Regroup, MembersThatNobodyBecomesHoldNothing) {
  const Mesh mesh{{{"x", 2}}};
  const Joining joining{{0, 1}, 4};
  EXPECT_EQ(regrouped(cut_by_sizes({0}, {5, 6}), mesh, 0, joining).split.sizes,
            (Sizes{5, 6, 0, 0}));
}

TEST(Regroup, SetsAreStrungTogetherInTheirOrder) {
  const Mesh mesh{{{"x", 3}}};
  Cut cut;
  cut.over = {0};
  cut.split.rule = Split::Rule::sets;
  cut.split.sets = {{3, 0}, {}, {2, 1}};
  EXPECT_EQ(regrouped(cut, mesh, 0, joined_with_predecessor(3, 1)).split.sets,
            (Sets{{3, 0}, {2, 1}}));
}

TEST(Regroup, InANestOnlyPartsThatDifferOnTheAxisAreJoined) {
  // Parts of i over x then y, x slowest: (0,0) 1, (0,1) 2, (1,0) 3, (1,1) 4.
  const Mesh mesh{{{"x", 2}, {"y", 2}}};
  const Cut cut = cut_by_sizes({0, 1}, {1, 2, 3, 4});
  EXPECT_EQ(without_axis(cut, mesh, 0), cut_by_sizes({1}, {1 + 3, 2 + 4}));
  EXPECT_EQ(without_axis(cut, mesh, 1), cut_by_sizes({0}, {1 + 2, 3 + 4}));
}

TEST(Regroup, ACutWithoutItsLastAxisIsNoCut) {
  const Mesh mesh{{{"x", 2}}};
  EXPECT_EQ(without_axis(cut_by_sizes({0}, {1, 2}), mesh, 0), Cut{});
}

TEST(Regroup, EvenJoiningLeavesNoMemberWithoutRanks) {
  // 5 members to 2: floor(2m/5) = 0 0 0 1 1.
  EXPECT_EQ(joined_evenly(5, 2).to, (Sizes{0, 0, 0, 1, 1}));
}

}  // namespace
}  // namespace shardcheck
