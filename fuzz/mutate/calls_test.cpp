#include "mutate.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/kinds/calls/draw/calls.h>

#include <shardcheck/fuzz/case_input.h>

namespace shardcheck::fuzz {
namespace {

CallsCase parsed(std::string_view line) {
  auto subject = parse_calls(line);
  if (!subject) {
    ADD_FAILURE() << line << "\n" << print(subject.error());
    return {};
  }
  return *std::move(subject);
}

CallsCase drawn(std::uint64_t seed) {
  SeededEntropy entropy(seed);
  return generate_calls(entropy);
}

CallsCase mutant_of(const CallsCase& subject, Entropy& entropy) {
  return std::get<CallsCase>(mutate(subject, entropy));
}

CallsCase child_of(const CallsCase& first, const CallsCase& second, Entropy& entropy) {
  return std::get<CallsCase>(cross(first, second, entropy));
}

void expect_valid(const CallsCase& subject) {
  const std::string line = print(subject);
  const auto again = parse_calls(line);
  ASSERT_TRUE(again.has_value()) << line << "\n" << print(again.error());
  ASSERT_EQ(*again, subject) << line;
  ASSERT_EQ(why_not_run(subject), std::nullopt) << line;
}

TEST(MutateCalls, EveryGeneratedCaseIsWithinTheBounds) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    ASSERT_EQ(why_not_run(drawn(seed)), std::nullopt) << print(drawn(seed));
  }
}

TEST(MutateCalls, WhatIsTooMuchIsNamed) {
  EXPECT_EQ(why_not_run(parsed("all_reduce mesh=x2 n=513")), "a size of 513, at most 512");
  EXPECT_EQ(why_not_run(parsed("all_reduce mesh=x65 n=1")), "65 ranks, at most 64");
  // 64 · 64 · 33.
  EXPECT_EQ(why_not_run(parsed("all_reduce mesh=x64 n=33")), "135168 operations, at most 131072");
}

TEST(MutateCalls, StaysValidOverLongWalks) {
  for (std::uint64_t walk = 0; walk < 30; ++walk) {
    SeededEntropy entropy(walk);
    CallsCase subject = drawn(walk);
    for (int step = 0; step < 200; ++step) {
      CallsCase next = mutant_of(subject, entropy);
      ASSERT_NO_FATAL_FAILURE(expect_valid(next)) << walk << " " << step;
      ASSERT_FALSE(next == subject) << print(next);
      subject = std::move(next);
    }
  }
}

TEST(MutateCalls, TheSameSeedGivesTheSameCase) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededEntropy one(seed);
    SeededEntropy other(seed);
    EXPECT_EQ(mutant_of(drawn(seed), one), mutant_of(drawn(seed), other));
  }
}

using Part = std::function<bool(const CallsCase&, const CallsCase&)>;

template <typename Member>
Part differs_in(Member CallsCase::*member) {
  return [member](const CallsCase& one, const CallsCase& other) {
    return one.*member != other.*member;
  };
}

template <typename Member>
Part in_data(Member Data::*member) {
  return [member](const CallsCase& one, const CallsCase& other) {
    return one.data.*member != other.data.*member;
  };
}

TEST(MutateCalls, ChangesEachPartByItself) {
  const std::map<std::string, Part> parts{
      {"mesh", differs_in(&CallsCase::mesh)},     {"n", differs_in(&CallsCase::n)},
      {"calls", differs_in(&CallsCase::calls)},   {"split", differs_in(&CallsCase::split)},
      {"op", differs_in(&CallsCase::op)},         {"dtypes", differs_in(&CallsCase::dtypes)},
      {"order", differs_in(&CallsCase::order)},   {"seed", in_data(&Data::seed)},
      {"given", in_data(&Data::given)},           {"run", differs_in(&CallsCase::run)},
      {"place", differs_in(&CallsCase::in_place)}};
  std::map<std::string, int> alone;
  const CallsCase subject = parsed("reduce_scatter mesh=x4 n=9 op=max data=ints:3");
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    SeededEntropy entropy(seed);
    const CallsCase mutated = mutant_of(subject, entropy);
    std::vector<std::string> changed;
    for (const auto& [name, differs] : parts) {
      if (differs(subject, mutated)) changed.push_back(name);
    }
    // Given values take the place of the seed.
    if (changed.size() == 2 && changed[0] == "given" && changed[1] == "seed") changed.pop_back();
    if (changed.size() == 1) ++alone[changed.front()];
  }
  for (const auto& [name, differs] : parts) EXPECT_GE(alone[name], 5) << name;
}

TEST(CrossCalls, TakesTheShapeOfOneParentAndTheArithmeticOfTheOther) {
  const CallsCase first = parsed("reduce_scatter mesh=x4 n=9 op=max data=ints:3");
  const CallsCase second = parsed("all_reduce mesh=x3 n=5 in=bf16 data=probe:5");
  bool met = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SeededEntropy entropy(seed);
    const CallsCase child = child_of(first, second, entropy);
    ASSERT_NO_FATAL_FAILURE(expect_valid(child));
    met = met || (child.mesh == first.mesh && child.n == first.n && child.calls == first.calls &&
                  child.dtypes == second.dtypes && child.op == second.op && child.data.seed == 5);
  }
  EXPECT_TRUE(met);
}

TEST(CrossCalls, GivesValidCases) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SeededEntropy entropy(seed);
    ASSERT_NO_FATAL_FAILURE(expect_valid(child_of(drawn(seed), drawn(seed + 1), entropy))) << seed;
  }
}

}  // namespace
}  // namespace shardcheck::fuzz
