#include "calls_inputs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

/// The first four values of each rank, as printed.
std::string values(std::string_view line) {
  const auto subject = parse_calls(line);
  if (!subject) return print(subject.error());
  const CollectiveInputs inputs(*subject);
  std::string text;
  for (std::int64_t rank = 0; rank < rank_count(subject->mesh); ++rank) {
    if (rank > 0) text += '|';
    for (std::int64_t at = 0; at < std::min<std::int64_t>(input_elements(*subject, rank), 4);
         ++at) {
      if (at > 0) text += ',';
      text += print_value(subject->dtypes.in, inputs.at(rank, at, at));
    }
  }
  return text;
}

// The values are part of the case format: a change that alters them takes a new regime name.
TEST(CollectiveInputs, GoldenValues) {
  EXPECT_EQ(values("all_reduce mesh=x2 n=4"), "53,-82,17,88|84,-85,48,75");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=f8e5m2"), "1,-2,1,2|2,-1,2,1|1,-2,-1,-2");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 op=product in=bf16"), "2,-3,2,3|3,-2,3,2|2,-3,-2,-3");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 op=max in=i8 data=ints:7"),
            "22,-13,0,33|-28,43,-43,-12|-18,-35,10,-19");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 op=min in=u8"), "24,59,91,7|58,8,76,62|65,52,13,76");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 op=or in=u8"), "16,4,128,128|32,8,1,1|64,16,2,2");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 op=and in=u8"),
            "239,251,127,127|223,247,254,254|191,239,253,253");
  EXPECT_EQ(values("reduce mesh=x2 n=2 op=matrix in=u32"), "18986768,22608111|18942833,24954703");
  EXPECT_EQ(values("all_reduce mesh=x2 n=4 in=bf16 data=rounding:4"),
            "3.640625,1.8671875,-3.546875,-4.21875|7.78125,-13.4375,-16.875,-14.6875");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=i8 data=rounding:4"),
            "77,-15,-83,57|-61,-87,4,-49|55,-45,-56,-3");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=i8 op=product data=rounding:4"),
            "77,-15,-83,57|-61,-87,5,-49|55,-45,-55,-3");
  EXPECT_EQ(
      values("all_reduce mesh=x3 n=4 in=f32 op=max data=rounding:0"),
      "0x1.b0e226p-2,-0x1.dfd6b6p+3,-0x1.f7249ep+0,0x1.038512p-1|-0x1.19045ap+1,0x1.497666p-2,-"
      "0x1.1056aep+1,-0x1.50e74ap+0|-0x1.fa0c92p-2,-0x1.51b822p+1,0x1.dcd8c2p+2,-0x1.edcc0ep-1");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=i8 op=max data=rounding:4"),
            "77,-15,-83,57|-61,41,-124,-49|-73,-45,72,-3");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=u8 op=min data=rounding:4"),
            "77,241,173,57|195,41,132,207|183,211,72,253");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=bf16 data=probe:0"), "4,64,1,16|16,1,4,64|64,4,16,1");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=bf16 data=wide:1"),
            "0x1.6p-122,-0x1.6p-115,-0x1.c4p-79,0x1.1ep+121|-0x1.7ep-122,-0x1.fap-114,0x1.d8p-78,-"
            "0x1.d2p+121|-0x1.0cp-121,0x1.4ap-116,-0x1.bcp-79,0x1.96p+120");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=bf16 data=cancel:1"),
            "340,-227,-298,165|-340,227,298,-165|-1.9140625,-1.296875,-0.82421875,0.859375");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=i8 data=cancel:1"),
            "42,-35,-53,37|-42,35,53,-37|-2,-1,-2,1");
  EXPECT_EQ(values("all_reduce mesh=x3 n=4 in=bf16 data=special:1"),
            "3,-2,-1,-0|-2,2,-0,-3|0x1.fep+127,-2,0x1p-133,2");
  EXPECT_EQ(values("all_reduce mesh=x2,y2 over=y n=4 op=max in=i8 data=special:1"),
            "3,-2,-1,-128|-2,2,-128,-3|127,1,-1,3|127,1,-128,-1");
  EXPECT_EQ(values("all_gather mesh=x3 n=12"), "53,-82,17,88|84,-85,48,75|69,-96,-75,-48");
}

/// Σ over the members of |x|, at one position.
double magnitude(const CallsCase& subject, std::int64_t position) {
  const CollectiveInputs inputs(subject);
  double sum = 0;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    sum += std::abs(std::stod(print_value(subject.dtypes.in, inputs.at(rank, position, position))));
  }
  return sum;
}

TEST(CollectiveInputs, SumsOfIntsStayWithinTheNarrowestSignificand) {
  for (const auto& [dtype, bound] : {std::pair{"f8e5m2", 8.0}, std::pair{"f8e4m3fn", 16.0},
                                     std::pair{"bf16", 256.0}, std::pair{"f16", 2048.0}}) {
    for (const int ranks : {1, 2, 5, 8, 9, 17, 100}) {
      const auto subject =
          parse_calls("all_reduce mesh=x" + std::to_string(ranks) + " n=20 in=" + dtype);
      for (std::int64_t position = 0; position < 20; ++position) {
        EXPECT_LE(magnitude(*subject, position), bound) << print(*subject);
        EXPECT_GE(magnitude(*subject, position), 1.0) << print(*subject);
      }
    }
  }
}

/// How many of five members are the extreme somewhere, and not beside an equal one.
std::size_t members_that_are_the_extreme(const std::string& line) {
  const auto subject = parse_calls(line);
  if (!subject) return 0;
  const CollectiveInputs inputs(*subject);
  std::set<std::int64_t> extremes;
  for (std::int64_t position = 0; position < 5; ++position) {
    std::vector<std::pair<double, std::int64_t>> ordered;
    for (std::int64_t rank = 0; rank < 5; ++rank) {
      const double number =
          std::stod(print_value(subject->dtypes.in, inputs.at(rank, position, position)));
      ordered.emplace_back(subject->op == Operator::max ? -number : number, rank);
    }
    std::sort(ordered.begin(), ordered.end());
    if (ordered[0].first < ordered[1].first) extremes.insert(ordered[0].second);
  }
  return extremes.size();
}

TEST(CollectiveInputs, EveryMemberIsTheExtremeSomewhere) {
  for (const std::string op : {"min", "max"}) {
    for (const std::string dtype : {"i8", "u8", "u32", "f8e4m3fn", "f8e5m2", "f32"}) {
      for (const std::string data : {"ints:0", "rounding:0"}) {
        const std::string line = "all_reduce mesh=x5 n=5 op=" + op + " in=" + dtype;
        EXPECT_EQ(members_that_are_the_extreme(line + " data=" + data), 5U) << line << ' ' << data;
      }
    }
  }
}

// A comparison that takes them for signed then chooses another member.
TEST(CollectiveInputs, UnsignedValuesOfOneMemberAloneLieInAnotherHalfOfTheRange) {
  for (const std::string op : {"min", "max"}) {
    for (const std::string dtype : {"u8", "u32"}) {
      const auto subject =
          parse_calls("all_reduce mesh=x3 n=9 data=rounding:7 op=" + op + " in=" + dtype);
      ASSERT_TRUE(subject.has_value());
      const CollectiveInputs inputs(*subject);
      const int top = 8 * info(subject->dtypes.in).bytes - 1;
      for (std::int64_t position = 0; position < 9; ++position) {
        for (std::int64_t rank = 0; rank < 3; ++rank) {
          const bool is_top_set = (inputs.at(rank, position, position) >> top & 1) != 0;
          EXPECT_EQ(is_top_set, (rank == position % 3) == (op == "max"))
              << print(*subject) << ": rank " << rank << ", position " << position;
        }
      }
    }
  }
}

TEST(CollectiveInputs, GivenValuesGoByTheirPlaceInTheInput) {
  const auto subject = parse_calls("all_gather mesh=x2 n=3 data=given X=7,8|9");
  const CollectiveInputs inputs(*subject);
  EXPECT_EQ(print_value(Dtype::f32, inputs.at(0, 1, 1)), "8");
  EXPECT_EQ(print_value(Dtype::f32, inputs.at(1, 0, 2)), "9");
}

}  // namespace
}  // namespace shardcheck
