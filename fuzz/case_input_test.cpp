#include "case_input.h"

#include <string>

#include <gtest/gtest.h>

#include <shardcheck/fuzz/mutate/near_cases.h>

namespace shardcheck::fuzz {
namespace {

TEST(CaseInput, EveryGeneratedCaseIsWithinTheBounds) {
  for (const KindInfo& kind : kinds) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
      const Case subject = drawn(kind.kind, seed);
      ASSERT_EQ(why_not_run(subject), std::nullopt) << print(subject);
    }
  }
}

TEST(CaseInput, WhatIsTooMuchIsNamed) {
  EXPECT_EQ(why_not_run(parsed("matmul mesh=x65 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]")),
            "65 ranks, at most 64");
  EXPECT_EQ(why_not_run(parsed("matmul i=1 j=97 k=1 A[i,k] B[k,j] -> C[i,j]")),
            "a size of 97, at most 96");
  // 2 · 60 · 60 + 60 · 60 + 60 · 60 · 60 = 226,800.
  EXPECT_EQ(why_not_run(parsed("matmul i=60 j=60 k=60 A[i,k] B[k,j] -> C[i,j]")),
            "226800 operations, at most 131072");
  EXPECT_NE(why_not_run(parsed("matmul i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] run=trace:0")),
            std::nullopt);
  EXPECT_EQ(why_not_run(parsed("all_reduce mesh=x2 n=513")), "a size of 513, at most 512");
  EXPECT_EQ(why_not_run(parsed("all_reduce mesh=x65 n=1")), "65 ranks, at most 64");
  // 64 · 64 · 33.
  EXPECT_EQ(why_not_run(parsed("all_reduce mesh=x64 n=33")), "135168 operations, at most 131072");
}

TEST(CaseInput, IsReadFromACorpusFileAndWrittenAsALine) {
  const std::string line = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] data=ints:1";
  const auto read = read_case("# why\n" + line + "\n= sent 8 8\n");
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(*read, parsed(line));
  EXPECT_EQ(write_case(*read), print(parsed(line)) + "\n");
  EXPECT_FALSE(read_case("# no case\n").has_value());
}

}  // namespace
}  // namespace shardcheck::fuzz
