#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/properties/kinds/product/draw/product.h>

#include "generate.h"
#include "scope.h"

namespace shardcheck {
namespace {

using Only = std::vector<std::pair<std::string, std::string>>;

std::string problem_of(const Only& only) {
  const auto valid = validate({only});
  return valid ? "" : valid.error();
}

TEST(Restrictions, EachKeyHoldsInEveryCase) {
  const std::vector<Only> restricted{
      {{"in", "bf16"}},
      {{"in", "f8e4m3fn"}, {"acc", "f32"}, {"wire", "bf16"}, {"out", "f16"}},
      {{"mesh", "x4"}},
      {{"mesh", "x2,y3"}},
      {{"ranks", "7"}},
      {{"i", "0"}},
      {{"j", "1"}, {"k", "9"}},
      {{"split.k", "sets"}},
      {{"split.i", "ceil"}, {"split.j", "cyclic"}},
      {{"algorithm.all_reduce", "direct"}, {"algorithm.all_gather", "ring"}},
      {{"plan", "auto"}},
      {{"plan", "local+all_reduce"}, {"mesh", "x3"}},
      {{"order", "any"}, {"kernel", "ordered"}, {"fma", "yes"}},
      {{"data", "probe"}},
      {{"run", "threads"}},
      {{"run", "pct"}},
  };
  for (const Only& only : restricted) {
    ASSERT_EQ(problem_of(only), "") << only[0].first;
    const auto scopes = scopes_of({only});
    ASSERT_TRUE(scopes.has_value() && scopes->products.has_value());
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      SeededEntropy entropy(seed);
      EXPECT_TRUE(allows(*scopes->products, generate_product(entropy, *scopes->products)))
          << only[0].first;
    }
  }
}

TEST(Restrictions, ToAScheduleAreMet) {
  for (const std::string plan :
       {"gather_local:A/x", "gather_local:B/y", "local_scatter:C/x", "summa:x/y", "cannon:y/x",
        "gather:A/z+cannon:x/y", "local_scatter:C/x+all_reduce:C/y"}) {
    for (const std::string rule : {"balanced", "sizes", "sets"}) {
      EXPECT_EQ(problem_of({{"plan", plan}, {"split.k", rule}, {"mesh", "x2,y2,z2"}}), "")
          << plan << " " << rule;
    }
  }
  EXPECT_NE(problem_of({{"plan", "summa:x/x"}}), "");
}

TEST(Restrictions, AreReallyAsked) {
  SeededEntropy entropy(3);
  const auto asked = scopes_of({{{"k", "9"}, {"mesh", "x5"}, {"out", "f64"}}});
  ASSERT_TRUE(asked.has_value());
  const ProductCase subject = generate_product(entropy, *asked->products);
  EXPECT_EQ(subject.k, 9);
  EXPECT_EQ(rank_count(subject.mesh), 5);
  EXPECT_EQ(subject.dtypes.out, Dtype::f64);
  const auto other = scopes_of({{{"k", "8"}}});
  ASSERT_TRUE(other.has_value());
  EXPECT_FALSE(allows(*other->products, subject));
}

TEST(Restrictions, EachKeyRefusesWhatDiffers) {
  const auto plain = parse_product("matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j]");
  ASSERT_TRUE(plain.has_value());
  const Only differing{{"in", "f64"},
                       {"acc", "f64"},
                       {"wire", "bf16"},
                       {"out", "f16"},
                       {"mesh", "x3"},
                       {"ranks", "3"},
                       {"i", "3"},
                       {"j", "3"},
                       {"k", "3"},
                       {"split.i", "ceil"},
                       {"split.k", "sets"},
                       {"algorithm.all_reduce", "direct"},
                       {"plan", "local"},
                       {"algorithm.reduce_scatter", "direct"},
                       {"order", "any"},
                       {"algorithm.all_gather", "direct"},
                       {"kernel", "ordered"},
                       {"fma", "yes"},
                       {"data", "rounding"},
                       {"run", "pct"}};
  for (const auto& entry : differing) {
    const auto scopes = scopes_of({{entry}});
    ASSERT_TRUE(scopes.has_value() && scopes->products.has_value()) << entry.first;
    EXPECT_FALSE(allows(*scopes->products, *plain)) << entry.first;
  }
}

TEST(Restrictions, AnUnknownKeyIsAnsweredWithTheNearest) {
  const std::string problem = problem_of({{"order", "any"}, {"kernle", "fast"}});
  EXPECT_NE(problem.find("'kernle'"), std::string::npos) << problem;
  EXPECT_NE(problem.find("did you mean 'kernel'"), std::string::npos) << problem;
  EXPECT_NE(problem.find("algorithm.all_gather"), std::string::npos) << problem;
  EXPECT_EQ(problem.find('\n'), std::string::npos);
  EXPECT_NE(problem_of({{"dtype", "bf16"}}).find("did you mean 'in'"), std::string::npos);
}

TEST(Restrictions, ABadValueIsAnsweredWithThoseThereAre) {
  EXPECT_NE(problem_of({{"in", "f33"}}).find("i8, u8, i16"), std::string::npos);
  EXPECT_NE(problem_of({{"ranks", "0"}}).find("1 to 1024"), std::string::npos);
  EXPECT_NE(problem_of({{"k", "three"}}).find("0 to 4096"), std::string::npos);
  EXPECT_NE(problem_of({{"k", "3x"}}).find("0 to 4096"), std::string::npos);
  EXPECT_NE(problem_of({{"mesh", "4"}}).find("x2,y3"), std::string::npos);
  EXPECT_NE(problem_of({{"plan", "walk"}}).find("auto"), std::string::npos);
  EXPECT_NE(problem_of({{"data", "given"}}).find("ints, rounding, probe, wide, cancel, special"),
            std::string::npos);
}

TEST(Restrictions, WhatCannotBeMetTogetherIsSaidAtOnce) {
  EXPECT_NE(problem_of({{"in", "f64"}, {"acc", "f32"}}), "");
  EXPECT_NE(problem_of({{"mesh", "x2"}, {"ranks", "3"}}), "");
  // Nothing that cuts k over x is left unreduced by a product alone and then summed.
  EXPECT_NE(problem_of({{"plan", "all_reduce"}, {"mesh", "x2"}}), "");
}

}  // namespace
}  // namespace shardcheck
