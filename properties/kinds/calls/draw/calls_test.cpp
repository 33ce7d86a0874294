#include "calls.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <shardcheck/model/case/inputs/calls_inputs.h>
#include <shardcheck/model/case/text.h>

#include <shardcheck/properties/generate/case_number.h>
#include <shardcheck/properties/generate/measure.h>
#include <shardcheck/properties/generate/shrink.h>

namespace shardcheck {
namespace {

using Only = std::vector<std::pair<std::string, std::string>>;

std::string problem_of(const Only& only) {
  const auto scopes = scopes_of({only});
  return scopes ? "" : scopes.error();
}

TEST(GenerateCalls, EveryDrawIsValidAndReadBackAsItWas) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    SeededEntropy entropy(seed);
    const CallsCase subject = generate_calls(entropy);
    const auto again = parse_calls(print(subject));
    ASSERT_TRUE(again.has_value()) << print(subject) << "\n" << print(again.error());
    ASSERT_EQ(*again, subject) << print(subject);
    for (const Call& call : subject.calls) {
      ASSERT_TRUE(keeps_order_enough(call, subject.op, subject.root)) << print(subject);
    }
  }
}

TEST(GenerateCalls, EveryAlgorithmMeetsEveryNumberOfMembers) {
  std::map<std::pair<Collective, Algorithm>, std::set<std::int64_t>> members;
  for (std::uint64_t seed = 0; seed < 40000; ++seed) {
    SeededEntropy entropy(seed);
    const CallsCase subject = generate_calls(entropy);
    for (const Call& call : subject.calls) {
      members[{call.collective, call.algorithm}].insert(member_count(subject));
    }
  }
  for (std::size_t c = 0; c < collective_names.size(); ++c) {
    const auto collective = static_cast<Collective>(c);
    for (const Algorithm algorithm : algorithms_of(collective)) {
      EXPECT_GE((members[{collective, algorithm}].size()), 17U)
          << name(collective) << ' ' << name(algorithm);
    }
  }
}

TEST(GenerateCalls, ARunIsSteeredThroughEveryCell) {
  EXPECT_EQ(cells().size(), 2768U);  // (28 algorithms · 50 − 16 of Bruck's all_to_all) · 2
  std::set<std::string> seen;
  const Scopes scopes = *scopes_of({{{"kind", "collective"}}});
  for (std::int64_t number = 0; number < 5 * static_cast<std::int64_t>(cells().size()); ++number) {
    for (const Cell& cell : cells_of(std::get<CallsCase>(case_number(1, number, scopes)))) {
      seen.insert(print(cell));
    }
  }
  for (const Cell& cell : cells()) EXPECT_TRUE(seen.contains(print(cell))) << print(cell);
  EXPECT_EQ(seen.size(), cells().size());
}

TEST(GenerateCalls, RestrictionsHoldInEveryCase) {
  const std::vector<Only> restricted{
      {{"collective", "reduce"}, {"algorithm", "chain"}},
      {{"op", "matrix"}},
      {{"in", "bf16"}, {"acc", "f64"}},
      {{"kind", "collective"}, {"mesh", "x2,y3"}},
      {{"kind", "collective"}, {"ranks", "7"}},
      {{"n", "13"}, {"split.n", "sets"}},
      {{"in_place", "yes"}},
      {{"kind", "collective"}, {"order", "any"}, {"data", "ints"}, {"run", "threads"}},
  };
  for (const Only& only : restricted) {
    ASSERT_EQ(problem_of(only), "") << only[0].first;
    const Scopes scopes = *scopes_of({only});
    for (std::int64_t number = 0; number < 50; ++number) {
      const Case subject = case_number(3, number, scopes);
      if (!std::holds_alternative<CallsCase>(subject)) continue;
      EXPECT_TRUE(allows(*scopes.calls, std::get<CallsCase>(subject))) << print(subject);
    }
  }
}

TEST(GenerateCalls, KeysOfOneKindRuleOutTheOther) {
  EXPECT_FALSE(scopes_of({{{"op", "max"}}})->products);
  EXPECT_FALSE(scopes_of({{{"k", "3"}}})->calls);
  EXPECT_TRUE(scopes_of({{{"in", "bf16"}}})->products);
  EXPECT_TRUE(scopes_of({{{"in", "bf16"}}})->calls);
  EXPECT_EQ(problem_of({{"k", "3"}, {"op", "max"}, {"in", "f32"}}),
            "no kind of case has all these keys: of products alone k=3; of collectives alone "
            "op=max");
  EXPECT_EQ(problem_of({{"kernel", "fast"}, {"fma", "no"}, {"kind", "collective"}}),
            "no kind of case has all these keys: of products alone kernel=fast fma=no; of "
            "collectives alone kind=collective");
  EXPECT_EQ(problem_of({{"op", "maximum"}}),
            "'maximum' is no value of 'op'; there are: sum, product, min, max, average, and, or, "
            "xor, matrix");
  EXPECT_EQ(problem_of({{"kind", "sum"}}),
            "'sum' is no value of 'kind'; there are: matmul, collective");
  EXPECT_NE(problem_of({{"nn", "3"}}).find("no key 'nn'"), std::string::npos);
  EXPECT_EQ(problem_of({{"collective", "gather"}, {"op", "max"}, {"n", "1"}, {"in_place", "yes"}}),
            "no legal case found that meets all restrictions together");
}

TEST(GenerateCalls, BothKindsComeFromOneSeed) {
  const Scopes scopes = *scopes_of({});
  std::int64_t collectives = 0;
  for (std::int64_t number = 0; number < 1000; ++number) {
    collectives += std::holds_alternative<CallsCase>(case_number(1, number, scopes));
  }
  EXPECT_GT(collectives, 250);
  EXPECT_LT(collectives, 350);
}

TEST(ShrinkCalls, CandidatesAreValidAndSmaller) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SeededEntropy entropy(seed);
    const CallsCase subject = generate_calls(entropy);
    for (const Case& candidate : smaller(subject)) {
      ASSERT_TRUE(is_smaller(measure(candidate), measure(subject))) << print(candidate);
      ASSERT_EQ(*parse(print(candidate)), candidate) << print(candidate);
    }
  }
}

Case minimised_by(const CallsCase& subject, const std::function<bool(const CallsCase&)>& fails) {
  const auto still_fails = [&](const Case& one) { return fails(std::get<CallsCase>(one)); };
  return minimise(subject, still_fails, 20000).subject;
}

/// The smallest case of which the predicate holds, from the first drawn case of which it does.
std::string smallest(const std::function<bool(const CallsCase&)>& fails) {
  for (std::uint64_t seed = 0;; ++seed) {
    SeededEntropy entropy(seed);
    const CallsCase subject = generate_calls(entropy);
    if (subject.n >= 8 && fails(subject)) return print(minimised_by(subject, fails));
  }
}

TEST(ShrinkCalls, EndsAtTheSmallestThatFails) {
  const auto is_one = [](const CallsCase& subject, Collective collective) {
    return subject.calls.back().collective == collective;
  };
  EXPECT_EQ(
      smallest([&](const CallsCase& subject) { return is_one(subject, Collective::all_reduce); }),
      "all_reduce n=0 data=given X=");
  EXPECT_EQ(smallest([&](const CallsCase& subject) {
              return is_one(subject, Collective::reduce_scatter) &&
                     subject.split.rule == Split::Rule::sizes && subject.split.sizes.size() >= 2 &&
                     subject.split.sizes[0] < subject.split.sizes[1];
            }),
            "reduce_scatter mesh=x2 n=1 split.n=sizes:0,1 data=given X=0|0");
  EXPECT_EQ(smallest([&](const CallsCase& subject) {
              return is_one(subject, Collective::broadcast) && subject.root != 0;
            }),
            "broadcast mesh=x2 n=0 root=1 data=given X=|");
  EXPECT_EQ(smallest([&](const CallsCase& subject) {
              return is_one(subject, Collective::all_reduce) &&
                     subject.over.size() < subject.mesh.axes.size() && subject.n >= 1 &&
                     member_count(subject) >= 3 && subject.op == Operator::max;
            }),
            "all_reduce mesh=x1,y3 over=y n=1 op=max data=given X=0|0|0");
}

std::string minimised(std::string_view line, const std::function<bool(const CallsCase&)>& fails) {
  const auto subject = parse_calls(line);
  return subject && fails(*subject) ? print(minimised_by(*subject, fails)) : "";
}

// A tail that is masked wrong, a part by ceil that is cut off.
TEST(ShrinkCalls, KeepsARemainder) {
  EXPECT_EQ(minimised("all_reduce mesh=x3 n=61 data=rounding:2",
                      [](const CallsCase& subject) { return subject.n > 8 && subject.n % 8 == 5; }),
            "all_reduce n=13 data=given X=0,0,0,0,0,0,0,0,0,0,0,0,0");
  EXPECT_EQ(minimised("all_gather mesh=x5 n=126",
                      [](const CallsCase& subject) {
                        return member_count(subject) == 5 && subject.n % 5 == 1;
                      }),
            "all_gather mesh=x5 n=1 data=given X=0||||");
  EXPECT_EQ(minimised("all_gather mesh=x6 n=31",
                      [](const CallsCase& subject) {
                        const std::int64_t members = member_count(subject);
                        return members >= 3 && subject.n > members && subject.n % members == 1;
                      }),
            "all_gather mesh=x3 n=4 data=given X=0,0|0|0");
}

TEST(ShrinkCalls, TakesOutWhatStandsBeforeTheOneValue) {
  EXPECT_EQ(minimised("reduce_scatter n=5 op=max data=given X=0,0,0,nan,0",
                      [](const CallsCase& subject) {
                        return std::ranges::any_of(subject.data.given, [](const auto& values) {
                          return std::ranges::any_of(values,
                                                     [](Bits bits) { return bits == 0x7fc00000U; });
                        });
                      }),
            "reduce_scatter n=1 data=given X=nan");
}

// What an all-gather moves is the block that stands at the member's place.
TEST(ShrinkCalls, WritesOutTheValuesThatItHad) {
  const auto subject = parse_calls("all_gather mesh=x2 n=2 in=f8e4m3fn data=ints:5");
  ASSERT_TRUE(subject.has_value());
  const auto candidates = smaller(*subject);
  EXPECT_TRUE(std::ranges::any_of(candidates, [&](const Case& one) {
    const CallsCase& candidate = std::get<CallsCase>(one);
    return candidate.data.regime == Data::Regime::given && candidate.n == 2 &&
           candidate.data.given[1][0] == CollectiveInputs(*subject).at(1, 0, 1);
  }));
}

}  // namespace
}  // namespace shardcheck
