#include "near_cases.h"

namespace shardcheck::fuzz {
namespace {

TEST(MutateCalls, ChangesEachPartByItself) {
  const std::map<std::string, Part> parts{
      {"mesh", in_setting(&Setting::mesh)},   {"n", part(&CallsCase::n)},
      {"calls", part(&CallsCase::calls)},     {"split", part(&CallsCase::split)},
      {"op", part(&CallsCase::op)},           {"dtypes", in_setting(&Setting::dtypes)},
      {"order", in_setting(&Setting::order)}, {"seed", in_data(&Data::seed)},
      {"given", in_data(&Data::given)},       {"run", in_setting(&Setting::run)},
      {"place", part(&CallsCase::in_place)}};
  auto alone = changed_alone(parsed("reduce_scatter mesh=x4 n=9 op=max data=ints:3"), parts);
  for (const auto& [name, differs] : parts) EXPECT_GE(alone[name], 5) << name;
}

TEST(CrossCalls, TakesTheShapeOfOneParentAndTheArithmeticOfTheOther) {
  const Case parent = parsed("reduce_scatter mesh=x4 n=9 op=max data=ints:3");
  const Case other = parsed("all_reduce mesh=x3 n=5 in=bf16 data=probe:5");
  const auto& first = std::get<CallsCase>(parent);
  const auto& second = std::get<CallsCase>(other);
  bool met = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SeededEntropy entropy(seed);
    const auto child = std::get<CallsCase>(cross(parent, other, entropy));
    met = met || (child.mesh == first.mesh && child.n == first.n && child.calls == first.calls &&
                  child.dtypes == second.dtypes && child.op == second.op && child.data.seed == 5);
  }
  EXPECT_TRUE(met);
}

}  // namespace
}  // namespace shardcheck::fuzz
