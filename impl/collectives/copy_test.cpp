#include "copy.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace shardcheck::impl {
namespace {

TEST(Copy, TakesEveryByteAndNoOtherWhateverTheAddress) {
  std::vector<std::byte> source(1000);
  for (std::size_t at = 0; at < source.size(); ++at) source[at] = static_cast<std::byte>(at % 251);
  for (const Stores stores : {Stores::cached, Stores::streamed}) {
    for (std::size_t from = 0; from < 3; ++from) {
      for (std::size_t to = 0; to < 67; ++to) {
        for (const std::size_t length : {0U, 1U, 15U, 63U, 64U, 65U, 127U, 128U, 200U, 777U}) {
          std::vector<std::byte> destination(1000, std::byte{255});
          copy_bytes(source.data() + from, destination.data() + to,
                     static_cast<std::int64_t>(length), stores);
          std::vector<std::byte> expected(1000, std::byte{255});
          std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), length,
                      expected.begin() + static_cast<std::ptrdiff_t>(to));
          ASSERT_EQ(destination, expected) << from << " " << to << " " << length;
        }
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck::impl
