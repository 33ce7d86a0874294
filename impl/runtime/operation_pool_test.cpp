#include "operation_pool.h"

#include <gtest/gtest.h>

#include "channel.h"

namespace shardcheck::impl {
namespace {

Operation& take(OperationPool& pool, std::int64_t rank, bool is_send = true) {
  Operation& operation = pool.take();
  operation.name = {is_send, rank, 1 - rank, 0, 0};
  return operation;
}

void end(OperationPool& pool, Operation& operation) {
  operation.delivery = Delivery::consumed;
  operation.is_awaited = true;
  pool.release_if_over(operation);
}

TEST(OperationPool, ATicketLeadsToItsOperationUntilThatWasAwaited) {
  OperationPool pool;
  Operation& operation = take(pool, 0);
  const Pending ticket = pending(operation);
  EXPECT_EQ(pool.find(ticket, 0), &operation);
  EXPECT_EQ(pool.find(ticket, 1), nullptr);
  operation.is_awaited = true;
  EXPECT_EQ(pool.find(ticket, 0), nullptr);
}

TEST(OperationPool, AnOldTicketDoesNotLeadToTheSlotsNextOperation) {
  OperationPool pool;
  Operation& first = take(pool, 0);
  const Pending old = pending(first);
  end(pool, first);
  Operation& second = take(pool, 0);
  EXPECT_EQ(&second, &first);
  EXPECT_EQ(pool.find(old, 0), nullptr);
  EXPECT_EQ(pool.find(pending(second), 0), &second);
}

TEST(OperationPool, NoTicketLeadsNowhere) {
  OperationPool pool;
  EXPECT_EQ(pool.find({}, 0), nullptr);
  EXPECT_EQ(pool.find({0}, 0), nullptr);
  EXPECT_EQ(pool.find({std::int64_t{1} << 40}, 0), nullptr);
}

TEST(OperationPool, AnOperationIsOverWhenBothConsumedAndAwaited) {
  OperationPool pool;
  Operation& operation = take(pool, 0);
  operation.is_awaited = true;
  pool.release_if_over(operation);
  EXPECT_TRUE(operation.is_used);
  operation.delivery = Delivery::consumed;
  pool.release_if_over(operation);
  EXPECT_FALSE(operation.is_used);
}

TEST(OperationPool, ClearingForgetsEveryOperation) {
  OperationPool pool;
  const Pending ticket = pending(take(pool, 0));
  take(pool, 0);
  pool.clear();
  int count = 0;
  pool.for_each([&](const Operation&) { ++count; });
  EXPECT_EQ(count, 0);
  EXPECT_EQ(pool.find(ticket, 0), nullptr);
}

TEST(Channel, MessagesAndReceivesMeetInTheOrderStarted) {
  OperationPool pool;
  Channel channel;
  Operation& first_send = take(pool, 0);
  Operation& second_send = take(pool, 0);
  EXPECT_EQ(match_or_queue(channel, first_send), nullptr);
  EXPECT_EQ(match_or_queue(channel, second_send), nullptr);
  EXPECT_EQ(match_or_queue(channel, take(pool, 1, false)), &first_send);
  EXPECT_EQ(match_or_queue(channel, take(pool, 1, false)), &second_send);
  Operation& third_receive = take(pool, 1, false);
  EXPECT_EQ(match_or_queue(channel, third_receive), nullptr);
  EXPECT_EQ(match_or_queue(channel, take(pool, 0)), &third_receive);
}

TEST(Channel, NumbersStartAnewInEachPhase) {
  Numbering numbering;
  EXPECT_EQ(next_number(numbering, 0), 0);
  EXPECT_EQ(next_number(numbering, 0), 1);
  EXPECT_EQ(next_number(numbering, 2), 0);
}

}  // namespace
}  // namespace shardcheck::impl
