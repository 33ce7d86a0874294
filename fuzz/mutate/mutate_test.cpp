#include "mutate.h"

#include <array>
#include <string_view>

#include "near_cases.h"

namespace shardcheck::fuzz {
namespace {

constexpr std::array<std::string_view, 4> parents{
    "matmul mesh=x2,y3 i=4 j=5 k=6 A[i/y,k/x] B[k/x,j] -> C[i/y,j/x] split.k=sizes:4,2 in=bf16 "
    "data=rounding:7",
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8",
    "reduce_scatter mesh=x4 n=9 op=max data=ints:3",
    "reduce_scatter+all_gather mesh=x3 n=7 split.n=sizes:3,0,4 in=bf16 data=probe:2"};

TEST(Mutate, GivesAnotherValidCaseForEverySeed) {
  for (const std::string_view line : parents) {
    const Case subject = parsed(line);
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      SeededEntropy entropy(seed);
      const Case mutated = mutate(subject, entropy);
      ASSERT_NO_FATAL_FAILURE(expect_valid(mutated)) << seed;
      ASSERT_FALSE(mutated == subject) << seed;
      ASSERT_EQ(kind_of(mutated), kind_of(subject)) << seed;
    }
  }
}

TEST(Mutate, StaysValidOverLongWalks) {
  for (const KindInfo& kind : kinds) {
    for (std::uint64_t walk = 0; walk < 25; ++walk) {
      SeededEntropy entropy(walk);
      Case subject = drawn(kind.kind, walk);
      for (int step = 0; step < 200; ++step) {
        subject = mutate(subject, entropy);
        ASSERT_NO_FATAL_FAILURE(expect_valid(subject)) << walk << " " << step;
      }
    }
  }
}

TEST(Mutate, TheSameSeedGivesTheSameCase) {
  for (const std::string_view line : parents) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SeededEntropy one(seed);
      SeededEntropy other(seed);
      EXPECT_EQ(mutate(parsed(line), one), mutate(parsed(line), other));
    }
  }
}

TEST(Mutate, LeavesNoRecordedSchedule) {
  for (const std::string_view line : parents) {
    Case subject = parsed(line);
    setting(subject).run.kind = shardcheck::Run::Kind::trace;
    setting(subject).run.trace = {0, 1};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      SeededEntropy entropy(seed);
      EXPECT_NE(setting(mutate(subject, entropy)).run.kind, shardcheck::Run::Kind::trace);
    }
  }
}

TEST(Cross, GivesValidCases) {
  for (const KindInfo& kind : kinds) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      SeededEntropy entropy(seed);
      ASSERT_NO_FATAL_FAILURE(
          expect_valid(cross(drawn(kind.kind, seed), drawn(kind.kind, seed + 1), entropy)))
          << seed;
    }
  }
  const Case given = parsed(parents[1]);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SeededEntropy entropy(seed);
    ASSERT_NO_FATAL_FAILURE(expect_valid(cross(given, drawn(Kind::product, seed), entropy)))
        << seed;
  }
}

}  // namespace
}  // namespace shardcheck::fuzz
