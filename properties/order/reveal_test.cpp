#include "reveal.h"

#include <string>

#include <gtest/gtest.h>

namespace shardcheck {
namespace {

using Floats = std::vector<float>;

/// A float sum as a sum of masked terms, one place.
MaskedSum masked_sum(float (*sum)(const Floats&)) {
  return [sum](std::span<const MaskedTerm> terms)
             -> tl::expected<std::vector<std::int64_t>, std::string> {
    Floats values;
    for (const MaskedTerm term : terms) {
      switch (term) {
        case MaskedTerm::zero: values.push_back(0); break;
        case MaskedTerm::unit: values.push_back(1); break;
        case MaskedTerm::huge: values.push_back(0x1p60F); break;
        case MaskedTerm::negative_huge: values.push_back(-0x1p60F); break;
      }
    }
    const float result = sum(values);
    const bool is_count = result >= 0 && result <= 64;
    return std::vector<std::int64_t>{is_count ? static_cast<std::int64_t>(result) : -1};
  };
}

std::string order_of(float (*sum)(const Floats&), std::int64_t count, std::int64_t units_max = 64) {
  const auto sizes = seen_meeting_sizes(count, units_max, masked_sum(sum));
  if (!sizes) return sizes.error();
  const auto tree = tree_of(sizes->front(), count);
  return tree ? print(*tree, [](std::int64_t leaf) { return std::to_string(leaf); }) : tree.error();
}

float from_the_left(const Floats& x) {
  float sum = 0;
  for (const float each : x) sum += each;
  return sum;
}

float from_the_right(const Floats& x) {
  float sum = 0;
  for (std::size_t index = x.size(); index-- > 0;) sum += x[index];
  return sum;
}

float in_halves(const Floats& x) {
  if (x.size() == 1) return x.front();
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  return in_halves({x.begin(), middle}) + in_halves({middle, x.end()});
}

/// Even places, then odd ones, as two lanes of a vector do.
float in_two_lanes(const Floats& x) {
  float even = 0;
  float odd = 0;
  for (std::size_t index = 0; index < x.size(); ++index) (index % 2 == 0 ? even : odd) += x[index];
  return even + odd;
}

/// Exact until the end: no order to be seen.
float in_one_go(const Floats& x) {
  long double sum = 0;
  for (const float each : x) sum += each;
  return static_cast<float>(sum);
}

TEST(Reveal, FindsTheTreeOfASum) {
  EXPECT_EQ(order_of(from_the_left, 5), "[0 1 2 3 4]");
  EXPECT_EQ(order_of(from_the_right, 5), "[3 4 2 1 0]");
  EXPECT_EQ(order_of(in_halves, 8), "[[[0 1] [2 3]] [[4 5] [6 7]]]");
  EXPECT_EQ(order_of(in_halves, 5), "[3 4 2 [0 1]]");
  EXPECT_EQ(order_of(in_two_lanes, 6), "[[0 2 4] [1 3 5]]");
  EXPECT_EQ(order_of(from_the_left, 2), "[0 1]");
}

TEST(Reveal, NeedsNoMoreUnitsAtOnceThanThereIsRoomFor) {
  for (const std::int64_t units_max : {1, 2, 3}) {
    EXPECT_EQ(order_of(in_two_lanes, 6, units_max), "[[0 2 4] [1 3 5]]");
  }
}

TEST(Reveal, ShowsThatNothingIsLostWhereASumIsExact) {
  // 2^60 and units fit the 64 bits of a long double: every pair seems to meet by itself.
  EXPECT_NE(order_of(in_one_go, 4).find("no tree"), std::string::npos);
}

TEST(Reveal, SaysSoIfTheOrderChangesFromRunToRun) {
  static int runs = 0;
  const auto fickle = [](const Floats& x) {
    return ++runs % 2 == 0 ? from_the_left(x) : from_the_right(x);
  };
  EXPECT_NE(order_of(+fickle, 6).find("no tree"), std::string::npos);
}

TEST(Reveal, SaysWhichPairGaveNoNumberOfUnits) {
  const auto broken = [](const Floats& x) { return x[2] == 0x1p60F ? -1.0F : from_the_left(x); };
  EXPECT_EQ(order_of(+broken, 4), "with terms 2 and 3 huge, no number of units came out");
}

TEST(Reveal, PassesOnWhyARunFailed) {
  const auto sizes =
      seen_meeting_sizes(3, 1, [](auto) -> tl::expected<std::vector<std::int64_t>, std::string> {
        return tl::unexpected<std::string>("it hung");
      });
  ASSERT_FALSE(sizes);
  EXPECT_EQ(sizes.error(), "it hung");
}

TEST(SummationTree, KnowsANodeOfSeveralParts) {
  const SummationTree tree = sum({term(2), sum({term(0), term(1), term(3)})});
  EXPECT_EQ(print(tree, [](std::int64_t leaf) { return std::to_string(leaf); }), "[{0 1 3} 2]");
  EXPECT_EQ(*tree_of(meeting_sizes(tree, {0, 1, 2, 3}), 4), tree);
}

}  // namespace
}  // namespace shardcheck
