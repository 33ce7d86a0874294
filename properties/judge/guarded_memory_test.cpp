#include "guarded_memory.h"

#include <array>

#include <gtest/gtest.h>

#include "poison.h"

namespace shardcheck {
namespace {

TEST(GuardedMemory, StartsEveryBufferAtAMultipleOf64Bytes) {
  GuardedMemory memory;
  const std::array<std::size_t, 4> bytes{3, 0, 130, 1};
  memory.lay_out(bytes, {.buffers = 2, .inputs = 1});
  ASSERT_EQ(memory.rank_count(), 2U);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    for (std::size_t number = 0; number < 2; ++number) {
      const std::span<std::byte> buffer = memory.buffer(rank, number);
      EXPECT_EQ(buffer.size(), bytes[2 * rank + number]);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
    }
  }
}

TEST(GuardedMemory, FindsAChangedByteOfAnInputAndNoneOfAnOutput) {
  GuardedMemory memory;
  const std::array<std::size_t, 4> bytes{4, 4, 4, 4};
  memory.lay_out(bytes, {.buffers = 2, .inputs = 1});
  memory.keep_inputs();
  memory.buffer(1, 1)[0] ^= std::byte{1};
  EXPECT_EQ(memory.first_changed_byte(1, 0), std::nullopt);
  memory.buffer(1, 0)[3] ^= std::byte{1};
  EXPECT_EQ(memory.first_changed_byte(1, 0), 3U);
  EXPECT_EQ(memory.first_changed_byte(0, 0), std::nullopt);
}

TEST(GuardedMemory, ChargesAGuardToTheNearerBufferOfTheRightRank) {
  GuardedMemory memory;
  const std::array<std::size_t, 4> bytes{64, 64, 64, 64};
  memory.lay_out(bytes, {.buffers = 2, .inputs = 0});
  std::byte* end = memory.buffer(0, 1).data() + 64;
  *end ^= std::byte{1};
  ASSERT_TRUE(memory.damaged_guard(0).has_value());
  EXPECT_EQ(memory.damaged_guard(0)->buffer, 1U);
  EXPECT_EQ(memory.damaged_guard(0)->distance, 0);
  EXPECT_FALSE(memory.damaged_guard(1).has_value());
  *end ^= std::byte{1};
  *(memory.buffer(1, 0).data() - 1) ^= std::byte{1};
  ASSERT_TRUE(memory.damaged_guard(1).has_value());
  EXPECT_EQ(memory.damaged_guard(1)->buffer, 0U);
  EXPECT_EQ(memory.damaged_guard(1)->distance, -1);
  EXPECT_FALSE(memory.damaged_guard(0).has_value());
  *(memory.buffer(0, 1).data() - 1) ^= std::byte{1};
  ASSERT_TRUE(memory.damaged_guard(0).has_value());
  EXPECT_EQ(memory.damaged_guard(0)->buffer, 1U);
  EXPECT_EQ(memory.damaged_guard(0)->distance, -1);
}

TEST(Poison, LooksAtTheElementsItIsAskedAbout) {
  Poison poison;
  poison.prepare(Dtype::i32, 0);
  std::array<std::byte, 24> output{};
  poison.write(1, output, 0);
  EXPECT_EQ(poison.first_overwritten(1, output, 0, 6), std::nullopt);
  EXPECT_TRUE(poison.stands(1, output, 4));
  output[4 * 4] ^= std::byte{1};
  EXPECT_FALSE(poison.stands(1, output, 4));
  EXPECT_EQ(poison.first_overwritten(1, output, 0, 6), 4);
  EXPECT_EQ(poison.first_overwritten(1, output, 0, 4), std::nullopt);
  EXPECT_EQ(poison.first_overwritten(1, output, 5, 6), std::nullopt);
  // Another rank's poison is another.
  EXPECT_EQ(poison.first_overwritten(0, output, 0, 6), 0);
}

}  // namespace
}  // namespace shardcheck
