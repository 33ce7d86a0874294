#include "extent_words.h"

#include <gtest/gtest.h>

namespace shardcheck {
namespace {

// C has 4 rows of 3 elements: coordinates 0 1 2, 3 4 5, 6 7 8, 9 10 11.
std::string words(std::vector<std::int64_t> coordinates) {
  return extent_words(4, 3, std::move(coordinates));
}

TEST(ExtentWords, NameRowsAndColumns) {
  EXPECT_EQ(words({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), "everywhere");
  EXPECT_EQ(words({3, 4, 5, 6, 7, 8}), "in rows 1..2");
  EXPECT_EQ(words({11, 9, 10}), "in row 3");
  EXPECT_EQ(words({2, 5, 8, 11}), "in column 2");
  EXPECT_EQ(words({0, 2, 3, 5, 6, 8, 9, 11}), "in columns 0, 2");
  EXPECT_EQ(words({0, 1, 2, 9, 10, 11}), "in rows 0, 3");
  EXPECT_EQ(words({4, 5, 7, 8}), "in rows 1..2, columns 1..2");
  EXPECT_EQ(words({7}), "in row 2, column 1");
}

TEST(ExtentWords, CountReplicasOnceAndWhatIsNoRectangle) {
  EXPECT_EQ(words({7, 7, 7}), "in row 2, column 1");
  EXPECT_EQ(words({4, 8, 4}), "in 2 elements from C[1,1] on");
}

TEST(ExtentWords, ASingleElementIsEverything) { EXPECT_EQ(extent_words(1, 1, {0}), "everywhere"); }

}  // namespace
}  // namespace shardcheck
