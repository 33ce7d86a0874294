#include "ownership.h"

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::model {
namespace {

using Lists = std::vector<IndexList>;

Split split(Split::Rule rule) {
  Split result;
  result.rule = rule;
  return result;
}

TEST(Ownership, BalancedPartsDifferByOneTheLargerFirst) {
  EXPECT_EQ(parts(Split{}, 7, {3}), (Lists{{0, 1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(parts(Split{}, 2, {4}), (Lists{{0}, {1}, {}, {}}));
  EXPECT_EQ(parts(Split{}, 0, {2}), (Lists{{}, {}}));
}

TEST(Ownership, CeilPartsAreFullUntilNothingIsLeft) {
  // ceil(9/4) = 3: 3 + 3 + 3 + 0; ceil(5/4) = 2: 2 + 2 + 1 + 0.
  EXPECT_EQ(parts(split(Split::Rule::ceil), 9, {4}), (Lists{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {}}));
  EXPECT_EQ(parts(split(Split::Rule::ceil), 5, {4}), (Lists{{0, 1}, {2, 3}, {4}, {}}));
}

TEST(Ownership, CyclicDealsBlocksOutInTurn) {
  Split cyclic = split(Split::Rule::cyclic);
  cyclic.block = 2;
  // Blocks 01 23 45 67 8 go to parts 0 1 2 0 1.
  EXPECT_EQ(parts(cyclic, 9, {3}), (Lists{{0, 1, 6, 7}, {2, 3, 8}, {4, 5}}));
}

TEST(Ownership, SizesAreContiguousAndMayBeEmpty) {
  Split sizes = split(Split::Rule::sizes);
  sizes.sizes = {3, 0, 4};
  EXPECT_EQ(parts(sizes, 7, {3}), (Lists{{0, 1, 2}, {}, {3, 4, 5, 6}}));
}

TEST(Ownership, SetsKeepTheirOrder) {
  Split sets = split(Split::Rule::sets);
  sets.sets = {{4, 0}, {}, {1, 3, 2}};
  EXPECT_EQ(parts(sets, 5, {3}), sets.sets);
}

TEST(Ownership, NestedCutsGoByPositionInsideThePart) {
  Split cyclic = split(Split::Rule::cyclic);
  // Over the first: 0 2 4 6 and 1 3 5; each again in turn.
  EXPECT_EQ(parts(cyclic, 7, {2, 2}), (Lists{{0, 4}, {2, 6}, {1, 5}, {3}}));
  // 7 in two: 0123 and 456; each in three.
  EXPECT_EQ(parts(Split{}, 7, {2, 3}), (Lists{{0, 1}, {2}, {3}, {4}, {5}, {6}}));
}

TEST(Ownership, RanksAreRowMajorOverTheMesh) {
  const Mesh mesh{{{"x", 2}, {"y", 3}}};
  EXPECT_EQ(coordinates(mesh, 4), (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(group(mesh, 4, 0), (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(group(mesh, 4, 1), (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(coordinates(Mesh{}, 0), std::vector<std::int64_t>{});
}

TEST(Ownership, AMeshAxisThatATensorDoesNotNameHoldsReplicas) {
  const ProductCase subject =
      *parse_product("matmul mesh=x2,y2 i=2 j=3 k=4 A[i/y,k] B[k,j] -> C[i/y,j]");
  const std::vector<Shard> a = shards(subject, Tensor::a);
  ASSERT_EQ(a.size(), 4U);
  EXPECT_EQ(a[0], (Shard{{0}, {0, 1, 2, 3}}));
  EXPECT_EQ(a[1], (Shard{{1}, {0, 1, 2, 3}}));
  EXPECT_EQ(a[2], a[0]);
  EXPECT_EQ(a[3], a[1]);
}

TEST(Ownership, TheOrderInTheBracketsIsTheOrderOfTheNest) {
  const ProductCase subject =
      *parse_product("matmul mesh=x2,y3 i=6 j=1 k=1 A[i/y/x,k] B[k,j] -> C[i/y/x,j]");
  // Over y first: 01 23 45; then over x. Rank (x, y) = x·3 + y holds 2y + x.
  const std::vector<Shard> c = shards(subject, Tensor::c);
  EXPECT_EQ(c[0].rows, IndexList{0});
  EXPECT_EQ(c[1].rows, IndexList{2});
  EXPECT_EQ(c[3].rows, IndexList{1});
  EXPECT_EQ(c[5].rows, IndexList{5});
}

TEST(Ownership, ATensorOverThreeMeshAxesIsCutOverTwoAndReplicatedOverTheThird) {
  // The Scaling book, "Sharded matrices": int8[128, 2048] with its first axis over X = 2 and Y = 8
  // of a mesh with Z = 2: each of 32 devices holds int8[8, 2048], 16 KiB; 512 KiB over all.
  const ProductCase subject =
      *parse_product("matmul mesh=x2,y8,z2 i=128 j=1 k=2048 A[i/x/y,k] B[k,j] -> C[i/x/y,j] in=i8");
  std::size_t elements = 0;
  for (const Shard& shard : shards(subject, Tensor::a)) {
    EXPECT_EQ(shard.rows.size(), 8U);
    EXPECT_EQ(shard.columns.size(), 2048U);
    elements += shard.rows.size() * shard.columns.size();
  }
  EXPECT_EQ(elements, 512U * 1024U);
}

}  // namespace
}  // namespace shardcheck::model
