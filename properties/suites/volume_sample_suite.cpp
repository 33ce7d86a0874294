#include "volume.h"

namespace shardcheck {
namespace {

TEST(VolumeSample, NoneOfTenThousandCorrectElementsOfEachCombinationIsFlagged) {
  volume::expect_nothing_flagged("exact and declared", "mesh=x3 i=40 j=40 k=19", 10'000);
}

TEST(VolumeSample, NoneInAnyOrderIsFlagged) {
  volume::expect_nothing_flagged("any order", "mesh=x4 i=4 j=4 k=9 order=any", 64);
}

}  // namespace
}  // namespace shardcheck
