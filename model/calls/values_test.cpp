#include "values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <shardcheck/model/case/text.h>

#include "expectation.h"

namespace shardcheck::model {
namespace {

using Kind = CollectiveAlteration::Kind;

struct Expected {
  std::unique_ptr<CallsExpectation> expectation;

  explicit Expected(const std::string& line) {
    auto parsed = parse_calls(line);
    EXPECT_TRUE(parsed.has_value()) << line << ": " << parsed.error().expected;
    auto found = expect_calls(*parsed);
    EXPECT_TRUE(found.has_value()) << line << ": " << found.error();
    expectation = *std::move(found);
  }

  const CollectiveValues& values() const { return expectation->values; }
  std::string allowed(std::int64_t rank, std::int64_t coordinate) const {
    return describe(values().allowed(rank, coordinate), expectation->subject.dtypes.out);
  }
  std::string altered(std::int64_t rank, std::int64_t coordinate,
                      const CollectiveAlteration& alteration) const {
    return describe(values().altered(rank, coordinate, alteration),
                    expectation->subject.dtypes.out);
  }
};

const std::string two_groups =
    "all_reduce mesh=x2,y2 over=y n=2 in=i32 data=given X=1,2|10,20|100,200|1000,2000";

TEST(CollectiveValues, AlterationsSayWhatWouldHaveCome) {
  const Expected given(two_groups);
  EXPECT_EQ(given.allowed(0, 1), "22");
  EXPECT_EQ(given.altered(0, 1, {Kind::drop_rank, 0, 1}), "2");
  EXPECT_EQ(given.altered(1, 1, {Kind::drop_rank, 0, 1}), "2");
  EXPECT_EQ(given.altered(0, 1, {Kind::double_rank, 0, 0}), "24");
  EXPECT_EQ(given.altered(0, 1, {Kind::rank_alone, 0, 1}), "20");
  EXPECT_EQ(given.altered(0, 1, {Kind::other_place, 0, 0}), "11");
  EXPECT_EQ(given.altered(0, 1, {Kind::other_group, 0, 3}), "2200");
  EXPECT_EQ(given.altered(2, 1, {Kind::drop_rank, 0, 0}), "2200");  // of another group
}

TEST(CollectiveValues, ADiagnosisNamesEveryAlterationThatFits) {
  const Expected given(two_groups);
  const auto suspects = [&](Bits got) { return given.values().suspects(0, 1, got); };
  using List = std::vector<CollectiveAlteration>;
  EXPECT_EQ(suspects(22), List{});
  EXPECT_EQ(suspects(2), (List{{Kind::drop_rank, 0, 1}, {Kind::rank_alone, 0, 0}}));
  EXPECT_EQ(suspects(42), (List{{Kind::double_rank, 0, 1}}));
  EXPECT_EQ(suspects(11), (List{{Kind::other_place, 0, 0}}));
  EXPECT_EQ(suspects(2200), (List{{Kind::other_group, 0, 2}}));
  EXPECT_EQ(suspects(77), List{});
}

TEST(CollectiveValues, AnAlterationIsOfOneCall) {
  const Expected twice("all_reduce+all_reduce mesh=x3 n=1 in=i32 data=given X=1|10|100");
  EXPECT_EQ(twice.allowed(0, 0), "333");
  EXPECT_EQ(twice.altered(0, 0, {Kind::drop_rank, 0, 1}), "303");
  EXPECT_EQ(twice.altered(0, 0, {Kind::drop_rank, 1, 1}), "222");
}

TEST(CollectiveValues, AMoveHasTheValueOfItsSource) {
  const Expected exchanged("all_to_all mesh=x2 n=2 in=i8 data=given X=1,2|3,4");
  EXPECT_EQ(exchanged.allowed(1, 3), "4");
  EXPECT_EQ(exchanged.altered(1, 3, {Kind::other_place, 0, 2}), "3");
  const auto suspects = exchanged.values().suspects(1, 3, 1);
  ASSERT_EQ(suspects.size(), 1U);
  EXPECT_EQ(describe(suspects[0]), "the value of coordinate 0");
}

TEST(CollectiveValues, IntegerDataIsExactUnderEveryOperator) {
  for (const OperatorInfo& op : operators) {
    for (const char* dtype : {"f32", "bf16", "f16 acc=f16", "f8e5m2", "i8", "u32"}) {
      const std::string line = std::string("all_reduce mesh=x5 n=7 algorithm=direct op=") +
                               std::string(op.name) + " in=" + dtype;
      if (!parse_calls(line)) continue;  // an operator for integers
      const Expected given(line);
      for (std::int64_t coordinate = 0; coordinate < 7; ++coordinate) {
        EXPECT_EQ(given.values().allowed(0, coordinate).grade, Grade::exact) << line;
      }
    }
  }
}

TEST(CollectiveValues, RoundedSumsAreDeclaredAndFreeOnesAreNot) {
  const std::string line = "all_reduce mesh=x5 n=7 data=rounding:1";
  EXPECT_EQ(Expected(line).values().allowed(2, 3).grade, Grade::declared);
  const Grade free = Expected(line + " order=any").values().allowed(2, 3).grade;
  EXPECT_TRUE(free == Grade::any_order || free == Grade::envelope);
  EXPECT_EQ(Expected(line + " order=any op=max").values().allowed(2, 3).grade, Grade::exact);
}

/// The algorithms' trees are some of the orders.
TEST(CollectiveValues, AFreeOrderAllowsWhatEveryAlgorithmGives) {
  for (const char* op : {"sum", "product", "average"}) {
    for (const char* dtype : {"f32", "bf16", "f8e4m3fn", "f16 acc=f16", "f64", "f8e5m2 acc=bf16"}) {
      for (const char* size : {"2", "3", "6", "40"}) {
        const std::string line = std::string(" mesh=x") + size + " n=11 op=" + op + " in=" + dtype +
                                 " data=rounding:7 algorithm=";
        const Expected free("all_reduce" + line + "ring order=any");
        for (const Algorithm algorithm : algorithms_of(Collective::all_reduce)) {
          const Expected declared("all_reduce" + line + std::string(name(algorithm)));
          for (std::int64_t coordinate = 0; coordinate < 11; ++coordinate) {
            const Allowed one = declared.values().allowed(0, coordinate);
            EXPECT_TRUE(allows(free.values().allowed(0, coordinate),
                               free.expectation->subject.dtypes.out, one.low))
                << line << name(algorithm) << ": " << declared.allowed(0, coordinate) << " among "
                << free.allowed(0, coordinate);
          }
        }
      }
    }
  }
}

TEST(CollectiveValues, AFreeOrderIsNoLicence) {
  const Expected free("all_reduce mesh=x3 n=40 data=rounding:2 order=any");
  for (std::int64_t coordinate = 0; coordinate < 40; ++coordinate) {
    const Allowed allowed = free.values().allowed(0, coordinate);
    const Allowed missing = free.values().altered(0, coordinate, {Kind::drop_rank, 0, 1});
    EXPECT_FALSE(allows(allowed, Dtype::f32, missing.low));
  }
}

}  // namespace
}  // namespace shardcheck::model
