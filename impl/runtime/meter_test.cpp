#include "meter.h"

#include <array>

#include <gtest/gtest.h>

namespace shardcheck::impl {
namespace {

TEST(Meter, EqualKeysBecomeOneEntryInAscendingOrder) {
  std::array<RankMeter, 2> meters;
  count(meters[0].sent, 1, 0, 1, 8);
  count(meters[0].sent, 0, 0, 1, 4);
  count(meters[0].sent, 1, 0, 1, 2);
  count(meters[1].sent, 0, 1, 0, 3);
  count(meters[1].received, 0, 0, 1, 4);
  count(meters[1].received, 0, 0, 1, 1);
  const Ledger ledger = ledger_of(meters);
  EXPECT_EQ(ledger.sent,
            (std::vector<Transfer>{{0, 0, 1, 4, 1}, {0, 1, 0, 3, 1}, {1, 0, 1, 10, 2}}));
  EXPECT_EQ(ledger.received, (std::vector<Transfer>{{0, 0, 1, 5, 2}}));
}

TEST(Meter, AMessageOfNoBytesIsAnEntry) {
  std::array<RankMeter, 1> meters;
  count(meters[0].sent, 0, 0, 1, 0);
  EXPECT_EQ(ledger_of(meters).sent, (std::vector<Transfer>{{0, 0, 1, 0, 1}}));
}

TEST(Meter, NothingCountedIsAnEmptyLedger) {
  const std::array<RankMeter, 3> meters;
  EXPECT_EQ(ledger_of(meters), Ledger{});
  EXPECT_EQ(temporary_bytes_of(meters), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(Meter, MessagesOfSeveralRanksComeInTheOrderSent) {
  std::array<RankMeter, 2> meters;
  meters[0].messages.push_back({1, {0, 0, 1, Dtype::i8, {10}}});
  meters[0].messages.push_back({2, {0, 0, 1, Dtype::i8, {20}}});
  meters[1].messages.push_back({0, {0, 1, 0, Dtype::i8, {30}}});
  const std::vector<Message> messages = take_messages(meters);
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[0].elements, (std::vector<std::uint64_t>{30}));
  EXPECT_EQ(messages[1].elements, (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(messages[2].elements, (std::vector<std::uint64_t>{20}));
}

TEST(Meter, ElementsAreBitsOfTheirDtype) {
  const std::array<std::int16_t, 3> values{1, -1, 256};
  EXPECT_EQ(elements_of(std::as_bytes(std::span(values)), Dtype::i16),
            (std::vector<std::uint64_t>{1, 0xffff, 256}));
}

TEST(Meter, AClearedMeterHasCountedNothing) {
  std::array<RankMeter, 1> meters;
  count(meters[0].sent, 0, 0, 1, 8);
  meters[0].temporary_bytes = 7;
  clear(meters[0]);
  EXPECT_EQ(ledger_of(meters), Ledger{});
  EXPECT_EQ(temporary_bytes_of(meters), (std::vector<std::int64_t>{0}));
}

}  // namespace
}  // namespace shardcheck::impl
