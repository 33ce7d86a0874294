#include "temporaries.h"

#include <gtest/gtest.h>

#include <string>

#include <shardcheck/model/case/text.h>

#include "ledger.h"

namespace shardcheck::model {
namespace {

using Bytes = std::vector<std::int64_t>;

Bytes allowed(const std::string& line) {
  const auto subject = parse_calls(line);
  if (!subject) {
    ADD_FAILURE() << print(subject.error());
    return {};
  }
  const Meaning meaning(*subject);
  return temporary_bytes_max(*subject, meaning, ledger(*subject, meaning));
}

TEST(CollectiveTemporaries, CountWhatEachCallReadsAndMakes) {
  // 4 elements before and 3 or 1 after; then 3 or 1 and 4. On a ring each rank sends the other's
  // block, then its own.
  EXPECT_EQ(allowed("reduce_scatter+all_gather mesh=x2 n=4 split.n=sizes:3,1"),
            (Bytes{3 * 4 * (4 + 3 + 3 + 4) + 4 + 12, 3 * 4 * (4 + 1 + 1 + 4) + 12 + 4}));
}

TEST(CollectiveTemporaries, LetARankPassOnWhatItSends) {
  // Member 2 passes on the block of member 3: 1 element before, none after, 2 sent.
  EXPECT_EQ(allowed("gather mesh=x4 n=4 algorithm=binomial"),
            (Bytes{3 * 4 * (1 + 4), 3 * 4 + 4, 3 * 4 + 8, 3 * 4 + 4}));
  // The others bring nothing to a broadcast; the root sends two elements to each.
  EXPECT_EQ(allowed("broadcast mesh=x3 n=2 root=1 algorithm=direct"),
            (Bytes{3 * 4 * 2, 3 * 4 * 4 + 16, 3 * 4 * 2}));
}

TEST(CollectiveTemporaries, AreCountedAtTheWiderOfInAndAcc) {
  EXPECT_EQ(allowed("all_reduce mesh=x1 n=1 in=bf16 acc=f64"), Bytes{3 * 8 * 2});
  EXPECT_EQ(allowed("all_reduce mesh=x1 n=1 in=i8"), Bytes{3 * 4 * 2});
}

TEST(CollectiveTemporaries, FollowWhatAnAllToAllGivesToWhom) {
  EXPECT_EQ(allowed("all_to_all mesh=x2 counts=1,2|0,3"),
            (Bytes{3 * 4 * (3 + 1) + 8, 3 * 4 * (3 + 5)}));
}

}  // namespace
}  // namespace shardcheck::model
