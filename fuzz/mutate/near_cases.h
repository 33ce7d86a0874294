#pragma once

/// For tests of mutators, whatever the kind: cases to start from, and what became of them.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>
#include <shardcheck/properties/generate/drawing.h>

#include <shardcheck/fuzz/case_input.h>

#include "mutate.h"

namespace shardcheck::fuzz {

inline Case parsed(std::string_view line) {
  auto subject = parse(line);
  if (!subject) {
    ADD_FAILURE() << line << "\n" << print(subject.error());
    return {};
  }
  return *std::move(subject);
}

inline Case drawn(Kind kind, std::uint64_t seed) {
  SeededEntropy entropy(seed);
  return generate(entropy, {}, kind);
}

inline void expect_valid(const Case& subject) {
  const std::string line = print(subject);
  const auto again = parse(line);
  ASSERT_TRUE(again.has_value()) << line << "\n" << print(again.error());
  ASSERT_EQ(*again, subject) << line;
  ASSERT_EQ(why_not_run(subject), std::nullopt) << line;
}

/// Whether a part that can be seen of a case is another one.
using Part = std::function<bool(const Case&, const Case&)>;

template <typename Subject, typename Value>
Part part(Value Subject::*member) {
  return [member](const Case& one, const Case& other) {
    return std::get<Subject>(one).*member != std::get<Subject>(other).*member;
  };
}

template <typename Value>
Part in_setting(Value Setting::*member) {
  return [member](const Case& one, const Case& other) {
    return setting(one).*member != setting(other).*member;
  };
}

template <typename Value>
Part in_data(Value Data::*member) {
  return [member](const Case& one, const Case& other) {
    return setting(one).data.*member != setting(other).data.*member;
  };
}

/// How many of 6,000 mutants differ from the case in that part alone.
inline std::map<std::string, int> changed_alone(const Case& subject,
                                                const std::map<std::string, Part>& parts) {
  std::map<std::string, int> alone;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    SeededEntropy entropy(seed);
    const Case mutated = mutate(subject, entropy);
    std::vector<std::string> changed;
    for (const auto& [name, differs] : parts) {
      if (differs(subject, mutated)) changed.push_back(name);
    }
    // Given values take the place of the seed.
    if (changed == std::vector<std::string>{"given", "seed"}) changed.pop_back();
    if (changed.size() == 1) ++alone[changed.front()];
  }
  return alone;
}

}  // namespace shardcheck::fuzz
