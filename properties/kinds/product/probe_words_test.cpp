#include "probe_words.h"

#include <bit>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

ProductCase probe(std::string_view rest) {
  const auto subject = parse_product("matmul i=2 j=2 " + std::string(rest));
  if (!subject) ADD_FAILURE() << print(subject.error());
  return *subject;
}

std::string words(const ProductCase& subject, double result) {
  return probe_words(subject, 0, std::bit_cast<std::uint32_t>(static_cast<float>(result)));
}

// data=probe:0 in f32 with up to 12 k's: each has two bits of its own. In C[0,0] (outer = 0) the
// place of k = u + 6·q is u + 6·((q + u) mod 2): k = 0 is digit 0, k = 1 digit 7, k = 2 digit 2,
// k = 3 digit 9.
TEST(ProbeWords, NameEachKThatIsNotThereOnce) {
  const ProductCase subject = probe("k=4 A[i,k] B[k,j] -> C[i,j] data=probe");
  const double right = 1 + 0x1p14 + 0x1p4 + 0x1p18;
  EXPECT_EQ(words(subject, right), "");
  EXPECT_EQ(words(subject, right - 0x1p4), "k = 2 missing");
  EXPECT_EQ(words(subject, right + 0x1p14), "k = 1 counted 2 times");
  EXPECT_EQ(words(subject, right + 2 * 0x1p18 - 1), "k = 0 missing, k = 3 counted 3 times");
  EXPECT_EQ(words(subject, 0), "k = 0 missing, k = 1 missing, k = 2 missing, k = 3 missing");
}

TEST(ProbeWords, SayNothingOfWhatIsNoSumOfDigits) {
  const ProductCase subject = probe("k=4 A[i,k] B[k,j] -> C[i,j] data=probe");
  EXPECT_EQ(words(subject, -1), "");
  EXPECT_EQ(words(subject, 0.5), "");
  EXPECT_EQ(words(subject, 0x1p100), "");
  EXPECT_EQ(probe_words(subject, 0, 0x7fc00000), "");
  EXPECT_EQ(words(probe("k=4 A[i,k] B[k,j] -> C[i,j] data=ints"), 0), "");
}

TEST(ProbeWords, NameTheKsThatShareADigit) {
  // 13 k's and 12 digits: the last shares one.
  const ProductCase subject = probe("k=13 A[i,k] B[k,j] -> C[i,j] data=probe");
  const std::string all_missing = words(subject, 0);
  EXPECT_EQ(all_missing,
            "k = 0, 12 counted 0 times in all, k = 1 missing, k = 2 missing, k = 3 missing and 8 "
            "more");
}

}  // namespace
}  // namespace shardcheck
