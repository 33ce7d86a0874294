#include <set>

#include <shardcheck/model/plan/rules.h>

#include "near_cases.h"
#include "product_fit.h"

namespace shardcheck::fuzz {
namespace {

ProductCase product(std::string_view line) { return std::get<ProductCase>(parsed(line)); }

ProductCase mutant_of(const ProductCase& subject, Entropy& entropy) {
  return std::get<ProductCase>(mutate(subject, entropy));
}

ProductCase child_of(const ProductCase& first, const ProductCase& second, Entropy& entropy) {
  return std::get<ProductCase>(cross(first, second, entropy));
}

const std::string rich =
    "matmul mesh=x2,y3 i=4 j=5 k=6 A[i/y,k/x] B[k/x,j] -> C[i/y,j/x] split.k=sizes:4,2 in=bf16 "
    "data=rounding:7";
const std::string given =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8";

TEST(MutateProduct, LeavesLegalPlans) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase mutated = mutant_of(product(given), entropy);
    ASSERT_TRUE(!mutated.plan || model::resolve(mutated).has_value()) << print(mutated);
  }
}

TEST(MutateProduct, ChangesEachPartOftenAndByItself) {
  const std::map<std::string, Part> parts{
      {"mesh", in_setting(&Setting::mesh)},   {"i", part(&ProductCase::i)},
      {"j", part(&ProductCase::j)},           {"k", part(&ProductCase::k)},
      {"A", part(&ProductCase::a)},           {"B", part(&ProductCase::b)},
      {"C", part(&ProductCase::c)},           {"dtypes", in_setting(&Setting::dtypes)},
      {"plan", part(&ProductCase::plan)},     {"algorithms", part(&ProductCase::algorithms)},
      {"order", in_setting(&Setting::order)}, {"kernel", part(&ProductCase::kernel)},
      {"fma", part(&ProductCase::fma)},       {"data", in_setting(&Setting::data)},
      {"run", in_setting(&Setting::run)}};
  // No cut that names its parts: those change with the sizes.
  auto alone = changed_alone(
      parsed("matmul mesh=x2,y3 i=4 j=5 k=6 A[i/y,k/x] B[k/x,j] -> C[i/y,j/x]"), parts);
  for (const auto& [name, differs] : parts) EXPECT_GE(alone[name], 15) << name;
}

TEST(MutateProduct, ReachesValuesThatNoRegimeHas) {
  std::set<std::string> seen;
  const ProductCase subject = product(given);
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
  const ProductCase subject = product(given);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase mutated = mutant_of(subject, entropy);
    if (!mutated.plan) continue;
    for (const Step& step : *mutated.plan) ++seen[step.kind];
  }
  for (const StepInfo& step : step_kinds) {
    if (!step.is_woven) continue;
    EXPECT_GE(seen[step.kind], 15) << step.name;
  }
}

TEST(CrossProduct, TakesLayoutsOfOneParentAndDataOfTheOther) {
  const ProductCase first = product(rich);
  const ProductCase second = product(
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
  const ProductCase first = product("matmul mesh=x2 i=4 j=4 k=4 A[i,k/x] B[k/x,j] -> C[i/x,j]");
  const ProductCase second = product("matmul mesh=x2 i=4 j=4 k=4 A[i/x,k] B[k,j] -> C[i/x,j]");
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
    ProductCase subject = product(
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
  ProductCase subject = product(given);
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
  ProductCase subject = product(given);
  subject.c = Layout{};
  const auto valid = fitted(subject, entropy);
  ASSERT_TRUE(valid.has_value());
  EXPECT_FALSE(std::get<ProductCase>(*valid).plan.has_value());
}

}  // namespace
}  // namespace shardcheck::fuzz
