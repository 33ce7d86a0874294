#include "volume.h"

namespace shardcheck {
namespace {

TEST(Volume, NoneOfAMillionCorrectElementsOfEachCombinationIsFlagged) {
  volume::expect_nothing_flagged("exact and declared", "mesh=x3 i=96 j=96 k=19", 1'000'000);
}

TEST(Volume, NoneOfAThousandInAnyOrderIsFlagged) {
  volume::expect_nothing_flagged("any order", "mesh=x5 i=10 j=10 k=17 order=any", 1'000);
}

}  // namespace
}  // namespace shardcheck
