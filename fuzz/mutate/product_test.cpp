#include "mutate.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan_rules.h>
#include <shardcheck/properties/kinds/product/draw/product.h>

#include <shardcheck/fuzz/case_input.h>

#include "product_fit.h"

namespace shardcheck::fuzz {
namespace {

ProductCase parsed(std::string_view line) {
  auto subject = parse_product(line);
  if (!subject) {
    ADD_FAILURE() << line << "\n" << print(subject.error());
    return {};
  }
  return *std::move(subject);
}

ProductCase drawn(std::uint64_t seed) {
  SeededEntropy entropy(seed);
  return generate_product(entropy);
}

ProductCase mutant_of(const ProductCase& subject, Entropy& entropy) {
  return std::get<ProductCase>(mutate(subject, entropy));
}

ProductCase child_of(const ProductCase& first, const ProductCase& second, Entropy& entropy) {
  return std::get<ProductCase>(cross(first, second, entropy));
}

void expect_valid(const ProductCase& subject) {
  const std::string line = print(subject);
  const auto again = parse_product(line);
  ASSERT_TRUE(again.has_value()) << line << "\n" << print(again.error());
  ASSERT_EQ(*again, subject) << line;
  ASSERT_EQ(why_not_run(subject), std::nullopt) << line;
  ASSERT_TRUE(!subject.plan || model::resolve(subject).has_value()) << line;
}

const std::string rich =
    "matmul mesh=x2,y3 i=4 j=5 k=6 A[i/y,k/x] B[k/x,j] -> C[i/y,j/x] split.k=sizes:4,2 in=bf16 "
    "data=rounding:7";
const std::string given =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8";

TEST(CaseInput, EveryGeneratedCaseIsWithinTheBounds) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    ASSERT_EQ(why_not_run(drawn(seed)), std::nullopt) << print(drawn(seed));
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
}

TEST(CaseInput, IsReadFromACorpusFileAndWrittenAsALine) {
  const auto read = read_case("# why\n" + given + "\n= sent 8 8\n");
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(*read, Case(parsed(given)));
  EXPECT_EQ(write_case(*read), given + "\n");
  EXPECT_FALSE(read_case("# no case\n").has_value());
}

TEST(MutateProduct, GivesAnotherValidCaseForEverySeed) {
  for (const std::string& line : {rich, given}) {
    const ProductCase subject = parsed(line);
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      SeededEntropy entropy(seed);
      const ProductCase mutated = mutant_of(subject, entropy);
      ASSERT_NO_FATAL_FAILURE(expect_valid(mutated)) << seed;
      ASSERT_FALSE(mutated == subject) << seed;
    }
  }
}

TEST(MutateProduct, StaysValidOverLongWalks) {
  for (std::uint64_t walk = 0; walk < 20; ++walk) {
    SeededEntropy entropy(walk);
    ProductCase subject = drawn(walk);
    for (int step = 0; step < 200; ++step) {
      subject = mutant_of(subject, entropy);
      ASSERT_NO_FATAL_FAILURE(expect_valid(subject)) << walk << " " << step;
    }
  }
}

TEST(MutateProduct, TheSameSeedGivesTheSameCase) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededEntropy one(seed);
    SeededEntropy other(seed);
    EXPECT_EQ(mutant_of(parsed(rich), one), mutant_of(parsed(rich), other));
  }
}

/// What can be seen of a case that is told apart from its parent.
using Part = std::function<bool(const ProductCase&, const ProductCase&)>;

template <typename Member>
Part differs_in(Member ProductCase::*member) {
  return [member](const ProductCase& one, const ProductCase& other) {
    return one.*member != other.*member;
  };
}

TEST(MutateProduct, ChangesEachPartOftenAndByItself) {
  const std::map<std::string, Part> parts{{"mesh", differs_in(&ProductCase::mesh)},
                                          {"i", differs_in(&ProductCase::i)},
                                          {"j", differs_in(&ProductCase::j)},
                                          {"k", differs_in(&ProductCase::k)},
                                          {"A", differs_in(&ProductCase::a)},
                                          {"B", differs_in(&ProductCase::b)},
                                          {"C", differs_in(&ProductCase::c)},
                                          {"dtypes", differs_in(&ProductCase::dtypes)},
                                          {"plan", differs_in(&ProductCase::plan)},
                                          {"algorithms", differs_in(&ProductCase::algorithms)},
                                          {"order", differs_in(&ProductCase::order)},
                                          {"kernel", differs_in(&ProductCase::kernel)},
                                          {"fma", differs_in(&ProductCase::fma)},
                                          {"data", differs_in(&ProductCase::data)},
                                          {"run", differs_in(&ProductCase::run)}};
  std::map<std::string, int> alone;
  // No cut that names its parts: those change with the sizes.
  const ProductCase subject =
      parsed("matmul mesh=x2,y3 i=4 j=5 k=6 A[i/y,k/x] B[k/x,j] -> C[i/y,j/x]");
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase mutated = mutant_of(subject, entropy);
    std::vector<std::string> changed;
    for (const auto& [name, differs] : parts) {
      if (differs(subject, mutated)) changed.push_back(name);
    }
    if (changed.size() == 1) ++alone[changed.front()];
  }
  for (const auto& [name, differs] : parts) EXPECT_GE(alone[name], 15) << name;
}

TEST(MutateProduct, ReachesValuesThatNoRegimeHas) {
  std::set<std::string> seen;
  const ProductCase subject = parsed(given);
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase mutated = mutant_of(subject, entropy);
    if (mutated.data.regime != Data::Regime::given) continue;
    for (const Bits bits : mutated.data.given[0]) seen.insert(print_value(mutated.dtypes.in, bits));
  }
  for (const char* value : {"nan", "inf", "-inf", "-0"}) EXPECT_TRUE(seen.contains(value)) << value;
}

TEST(MutateProduct, ReachesEveryWovenStep) {
  std::map<Step::Kind, int> seen;
  const ProductCase subject = parsed(given);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase mutated = mutant_of(subject, entropy);
    if (!mutated.plan) continue;
    for (const Step& step : *mutated.plan) ++seen[step.kind];
  }
  for (const StepInfo& step : step_kinds) {
    if (step.is_woven) EXPECT_GE(seen[step.kind], 15) << step.name;
  }
}

TEST(MutateProduct, LeavesNoRecordedSchedule) {
  ProductCase subject = parsed(rich);
  subject.run.kind = shardcheck::Run::Kind::trace;
  subject.run.trace = {0, 1};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededEntropy entropy(seed);
    EXPECT_NE(mutant_of(subject, entropy).run.kind, shardcheck::Run::Kind::trace);
  }
}

TEST(CrossProduct, GivesValidCases) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SeededEntropy entropy(seed);
    ASSERT_NO_FATAL_FAILURE(expect_valid(child_of(drawn(seed), drawn(seed + 1), entropy))) << seed;
    ASSERT_NO_FATAL_FAILURE(expect_valid(child_of(parsed(given), drawn(seed), entropy))) << seed;
  }
}

TEST(CrossProduct, TakesLayoutsOfOneParentAndDataOfTheOther) {
  const ProductCase first = parsed(rich);
  const ProductCase second = parsed(
      "matmul mesh=x3 i=7 j=2 k=9 A[i,k/x] B[k,j] -> C[i,j/x] in=i8 "
      "split.k=cyclic:2 data=probe:3");
  bool met_one = false;
  bool met_other = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase child = child_of(first, second, entropy);
    met_one = met_one || (child.mesh == first.mesh && child.a == first.a && child.k == first.k &&
                          child.data == second.data && child.dtypes == second.dtypes);
    met_other = met_other || (child.mesh == second.mesh && child.c == second.c &&
                              child.data == first.data && child.dtypes == first.dtypes);
  }
  EXPECT_TRUE(met_one);
  EXPECT_TRUE(met_other);
}

TEST(CrossProduct, MixesTheTensorsOfParentsThatAreAlike) {
  const ProductCase first = parsed("matmul mesh=x2 i=4 j=4 k=4 A[i,k/x] B[k/x,j] -> C[i/x,j]");
  const ProductCase second = parsed("matmul mesh=x2 i=4 j=4 k=4 A[i/x,k] B[k,j] -> C[i/x,j]");
  bool met = false;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase child = child_of(first, second, entropy);
    met = met || (child.a == first.a && child.b == second.b);
  }
  EXPECT_TRUE(met);
}

TEST(FitProduct, CutsThatWereAlikeStayAlike) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededEntropy entropy(seed);
    ProductCase subject = parsed(
        "matmul mesh=x3 i=4 j=4 k=7 A[i,k/x] B[k/x,j] -> C[i,j] split.k=sets:"
        "0,3|5,1|2,4,6");
    subject.k = 9;
    fit_cuts(subject, entropy);
    ASSERT_EQ(subject.a.columns, subject.b.rows);
    ASSERT_EQ(subject.a.columns.split.rule, Split::Rule::sets);
    ASSERT_NO_FATAL_FAILURE(expect_valid(subject));
  }
}

TEST(FitProduct, GivenValuesAreRepeatedOrLeftOut) {
  ProductCase subject = parsed(given);
  subject.k = 3;
  fit_values(subject);
  EXPECT_EQ(subject.data.given[0].size(), 6U);
  EXPECT_EQ(subject.data.given[0][4], subject.data.given[0][0]);
  subject.i = 0;
  fit_values(subject);
  EXPECT_TRUE(subject.data.given[0].empty());
}

TEST(FitProduct, APlanThatIsNoLongerLegalIsLeftToTheSearch) {
  SeededEntropy entropy(0);
  ProductCase subject = parsed(given);
  subject.c = Layout{};
  const auto valid = fitted(subject, entropy);
  ASSERT_TRUE(valid.has_value());
  EXPECT_FALSE(std::get<ProductCase>(*valid).plan.has_value());
}

}  // namespace
}  // namespace shardcheck::fuzz
