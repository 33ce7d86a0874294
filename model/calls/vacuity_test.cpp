#include "vacuity.h"

#include <gtest/gtest.h>

#include <string>

#include <shardcheck/model/case/text.h>

#include "expectation.h"

namespace shardcheck::model {
namespace {

Vacuity vacuity_of(const std::string& line) {
  const auto subject = parse_calls(line);
  EXPECT_TRUE(subject.has_value()) << line << ": " << subject.error().expected;
  return (*expect_calls(*subject))->vacuity;
}

TEST(CollectiveVacuity, ASumOfZerosShowsNobody) {
  const Vacuity blind = vacuity_of("all_reduce mesh=x2 n=2 in=i8 data=given X=0,0|1,2");
  EXPECT_EQ(blind.asked, 4);
  EXPECT_EQ(blind.blind, 2);
  EXPECT_EQ(blind.first_blind, "would pass even if rank 0 were missing in call 0");
  EXPECT_FALSE(blind.gates);
}

TEST(CollectiveVacuity, AMaximumShowsThoseThatAreOne) {
  EXPECT_EQ(vacuity_of("all_reduce mesh=x2 n=2 op=max in=i8 data=given X=1,2|2,1").blind, 0);
  EXPECT_EQ(vacuity_of("all_reduce mesh=x2 n=2 op=max in=i8 data=given X=1,1|2,2").blind, 1);
  // Twice the same is the same: it isn't asked.
  EXPECT_EQ(vacuity_of("all_reduce mesh=x2 n=2 op=max in=i8 data=given X=1,2|2,1").asked, 2);
}

// A member is a maximum where its number is the position modulo P: an evenly spread sample of many
// positions would meet the same few members again and again.
TEST(CollectiveVacuity, ALargeVectorIsSampledWhereTheMemberShows) {
  EXPECT_EQ(vacuity_of("all_reduce mesh=x4 n=4096 op=max in=i32").blind, 0);
  EXPECT_EQ(vacuity_of("all_reduce mesh=x4 n=4096 op=max in=i32").asked, 4);
}

TEST(CollectiveVacuity, OnlyTheFirstReductionOfAnIdempotentOperatorIsAsked) {
  const Vacuity twice = vacuity_of("all_reduce+all_reduce mesh=x2 n=2 op=min in=i8");
  EXPECT_EQ(twice.asked, 2);
  EXPECT_EQ(twice.blind, 0);
  EXPECT_EQ(vacuity_of("all_reduce+all_reduce mesh=x2 n=2 in=i8").asked, 8);
}

TEST(CollectiveVacuity, EqualPiecesCanBeSwapped) {
  const Vacuity swapped = vacuity_of("all_gather mesh=x2 n=4 in=i8 data=given X=1,2|1,2");
  EXPECT_EQ(swapped.asked, 3);
  EXPECT_EQ(swapped.blind, 1);
  EXPECT_EQ(swapped.first_blind,
            "would pass even if what rank 0 gets from rank 0 and what rank 0 gets from rank 1 were "
            "swapped");
  EXPECT_EQ(vacuity_of("all_gather mesh=x2 n=4 in=i8 data=given X=1,2|2,1").blind, 0);
}

TEST(CollectiveVacuity, EqualElementsCanBeShifted) {
  const Vacuity shifted = vacuity_of("broadcast mesh=x3 n=3 in=i8 data=given X=5,5,5||");
  EXPECT_EQ(shifted.asked, 1);
  EXPECT_EQ(shifted.first_blind,
            "would pass even if what rank 0 gets from rank 0 were shifted by one");
  EXPECT_EQ(vacuity_of("broadcast mesh=x3 n=3 in=i8 data=given X=5,5,6||").blind, 0);
}

TEST(CollectiveVacuity, NothingReturnedIsTrivial) {
  EXPECT_TRUE(vacuity_of("all_reduce mesh=x3 n=0").is_trivial);
  EXPECT_TRUE(vacuity_of("permute mesh=x2 n=3 to=-,-").is_trivial);
  EXPECT_FALSE(vacuity_of("permute mesh=x2 n=3 to=-,0").is_trivial);
}

TEST(CollectiveVacuity, MinAndMaxShowEverybody) {
  for (const std::string op : {"min", "max"}) {
    for (const std::string in : {"u8", "i8", "u32", "i32", "f8e4m3fn", "f8e5m2", "bf16", "f32"}) {
      const Vacuity vacuity =
          vacuity_of("all_reduce mesh=x5 n=5 data=rounding:1 op=" + op + " in=" + in);
      EXPECT_EQ(vacuity.asked, 5) << op << ' ' << in;
      EXPECT_EQ(vacuity.blind, 0) << op << ' ' << in << ": " << vacuity.first_blind;
    }
  }
}

// The regimes are made to show every member of every collective where there is room for it.
TEST(CollectiveVacuity, TheRegimesShowEverybody) {
  for (const char* data : {"ints:1", "rounding:2", "probe:3"}) {
    for (const char* members : {"1", "2", "3", "8", "17"}) {
      for (const std::string_view collective : collective_names) {
        const std::string line =
            std::string(collective) + " mesh=x" + members + " n=40 in=i32 data=" + data;
        const Vacuity vacuity = vacuity_of(line);
        EXPECT_TRUE(vacuity.gates);
        EXPECT_GT(vacuity.asked, 0) << line;
        EXPECT_EQ(vacuity.blind, 0) << line << ": " << vacuity.first_blind;
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck::model
