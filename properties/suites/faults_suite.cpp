#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/faults/fault.h>
#include <shardcheck/properties/generate/generate.h>
#include <shardcheck/properties/generate/shrink.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {
namespace {

constexpr std::uint64_t seeds_max = 3000;
constexpr std::int64_t candidates_max = 20000;

class PlantedFault : public testing::TestWithParam<Fault> {};

std::string signature_of(const Case& subject, const Fault& fault) {
  return signature(check(subject, *fault.make()));
}

/// The first random case in which the invariant that the fault names is the one that names it.
std::optional<Case> find_failure(const Fault& fault) {
  const std::string prefix = std::string(name(fault.caught_by)) + "/";
  for (std::uint64_t seed = 0; seed < seeds_max; ++seed) {
    SeededEntropy entropy(seed);
    Case subject = generate(entropy);
    if (signature_of(subject, fault).starts_with(prefix)) return subject;
  }
  return std::nullopt;
}

TEST_P(PlantedFault, IsFoundByItsInvariantAndShrinksToASmallCase) {
  const Fault& fault = GetParam();
  const std::optional<Case> subject = find_failure(fault);
  ASSERT_TRUE(subject.has_value()) << fault.name << " is never seen by " << name(fault.caught_by);
  const std::string wanted = signature_of(*subject, fault);
  const Minimised result = minimise(
      *subject, [&](const Case& candidate) { return signature_of(candidate, fault) == wanted; },
      candidates_max);
  const Case& smallest = result.subject;
  SCOPED_TRACE(print(smallest) + "\nfrom " + print(*subject) + "\nas " + wanted);
  EXPECT_FALSE(result.budget_spent);
  EXPECT_LE(rank_count(smallest.mesh), 2);
  EXPECT_LE(smallest.i, 2);
  EXPECT_LE(smallest.j, 2);
  EXPECT_LE(smallest.k, 2);
  RecordProperty("minimal", print(smallest));
}

std::string name_of(const testing::TestParamInfo<Fault>& parameter) {
  return std::string(parameter.param.name);
}

INSTANTIATE_TEST_SUITE_P(Faults, PlantedFault, testing::ValuesIn(faults()), name_of);

}  // namespace
}  // namespace shardcheck
