#include "partition.h"

#include <gtest/gtest.h>

namespace shardcheck::impl {
namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

Lists all_lists(const AxisLists& lists) {
  Lists all;
  for (std::size_t cell = 0; cell + 1 < lists.starts.size(); ++cell) {
    const auto list = list_of(lists, static_cast<std::int64_t>(cell));
    all.emplace_back(list.begin(), list.end());
  }
  return all;
}

Grid grid_of(std::initializer_list<std::int64_t> sizes) {
  Mesh mesh;
  for (const std::int64_t size : sizes) mesh.axes.push_back({"x", size});
  return make_grid(mesh);
}

Cut cut_by(Split::Rule rule, std::vector<int> over) {
  Cut how;
  how.over = std::move(over);
  how.split.rule = rule;
  return how;
}

TEST(Partition, NumbersRanksWithTheLastMeshAxisFastest) {
  const Grid grid = grid_of({2, 3});
  EXPECT_EQ(grid.rank_count, 6);
  // Rank 4 stands at x = 1, y = 1.
  EXPECT_EQ(cell_of(grid, only(0), 4), 1);
  EXPECT_EQ(cell_of(grid, only(1), 4), 1);
  EXPECT_EQ(cell_of(grid, only(0) | only(1), 4), 4);
  EXPECT_EQ(cell_of(grid, 0, 4), 0);
}

TEST(Partition, GivesTheFirstBalancedPartsOneMore) {
  EXPECT_EQ(all_lists(cut(grid_of({3}), 7, cut_by(Split::Rule::balanced, {0}))),
            (Lists{{0, 1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(all_lists(cut(grid_of({3}), 2, cut_by(Split::Rule::balanced, {0}))),
            (Lists{{0}, {1}, {}}));
}

TEST(Partition, LetsTheTailOfACeilCutRunDry) {
  EXPECT_EQ(all_lists(cut(grid_of({4}), 5, cut_by(Split::Rule::ceil, {0}))),
            (Lists{{0, 1}, {2, 3}, {4}, {}}));
}

TEST(Partition, DealsOutCyclicBlocks) {
  Cut how = cut_by(Split::Rule::cyclic, {0});
  how.split.block = 2;
  EXPECT_EQ(all_lists(cut(grid_of({2}), 7, how)), (Lists{{0, 1, 4, 5}, {2, 3, 6}}));
}

TEST(Partition, TakesSizesAndSetsAsGiven) {
  Cut sizes = cut_by(Split::Rule::sizes, {0});
  sizes.split.sizes = {0, 3, 1};
  EXPECT_EQ(all_lists(cut(grid_of({3}), 4, sizes)), (Lists{{}, {0, 1, 2}, {3}}));
  Cut sets = cut_by(Split::Rule::sets, {0});
  sets.split.sets = {{4, 0}, {1, 3, 2}};
  EXPECT_EQ(all_lists(cut(grid_of({2}), 5, sets)), (Lists{{4, 0}, {1, 3, 2}}));
}

TEST(Partition, CutsPartsAgainByPosition) {
  // 0 … 6 falls into 0 1 2 3 and 4 5 6, then each in two.
  EXPECT_EQ(all_lists(cut(grid_of({2, 2}), 7, cut_by(Split::Rule::balanced, {0, 1}))),
            (Lists{{0, 1}, {2, 3}, {4, 5}, {6}}));
  // Cut over y first: the cell x = 0, y = 1 is the first half of the second part.
  EXPECT_EQ(all_lists(cut(grid_of({2, 2}), 7, cut_by(Split::Rule::balanced, {1, 0}))),
            (Lists{{0, 1}, {4, 5}, {2, 3}, {6}}));
  // Blocks of one: 0 2 4 6 and 1 3 5; then 0 4, 2 6, 1 5 and 3.
  EXPECT_EQ(all_lists(cut(grid_of({2, 2}), 7, cut_by(Split::Rule::cyclic, {0, 1}))),
            (Lists{{0, 4}, {2, 6}, {1, 5}, {3}}));
}

TEST(Partition, KeepsAndJoinsPartsInTheOrderHeld) {
  const Grid grid = grid_of({2, 2});
  AxisLists held;
  held.over = only(1);
  held.starts = {0, 3, 5};
  held.indices = {4, 0, 2, 3, 1};
  const std::vector<std::int32_t> part{1, 0, 0, 1, 1};  // index 0 goes to x = 1, 1 to x = 0, …
  const AxisLists kept = keep_parts(grid, held, 0, part);
  EXPECT_EQ(kept.over, only(0) | only(1));
  EXPECT_EQ(all_lists(kept), (Lists{{2}, {1}, {4, 0}, {3}}));
  EXPECT_EQ(parts_of_indices(grid, kept, 0), part);
  const AxisLists joined = join_parts(grid, kept, 0);
  EXPECT_EQ(joined.over, only(1));
  EXPECT_EQ(all_lists(joined), (Lists{{2, 4, 0}, {1, 3}}));
  EXPECT_EQ(all_lists(join_parts(grid, kept, 1)), (Lists{{2, 1}, {4, 0, 3}}));
}

TEST(Partition, CutsByPositionInTheListHeld) {
  AxisLists held;
  held.starts = {0, 3, 5};
  held.indices = {4, 0, 2, 3, 1};
  // 4 0 | 2 and 3 | 1.
  EXPECT_EQ(balanced_parts(held, 2), (std::vector<std::int32_t>{0, 1, 1, 0, 0}));
}

}  // namespace
}  // namespace shardcheck::impl
