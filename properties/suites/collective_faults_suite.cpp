#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/faults/collective_fault.h>
#include <shardcheck/properties/generate/collective_generate.h>
#include <shardcheck/properties/generate/collective_shrink.h>
#include <shardcheck/properties/generate/find_failure.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {

/// For GoogleTest, which would print the bytes of the table's entry.
void PrintTo(const CollectiveFault& fault, std::ostream* out) { *out << fault.name; }

namespace {

constexpr std::uint64_t seeds_max = 5000;
constexpr std::int64_t candidates_max = 20000;
constexpr std::int64_t ranks_max = 4;

std::string signature_of(const CallsCase& subject, const CollectiveFault& fault) {
  const CheckOptions options{.repeat = fault.caught_by == Invariant::determinism};
  return signature(check(subject, *fault.make(), options));
}

/// The first random case in which the invariant that the fault names is the one that names it.
std::optional<CallsCase> find_failing_case(const CollectiveFault& fault) {
  const std::string prefix = std::string(name(fault.caught_by)) + "/";
  for (std::uint64_t seed = 0; seed < seeds_max; ++seed) {
    SeededEntropy entropy(seed);
    CallsCase subject = generate_collective(entropy);
    if (signature_of(subject, fault).starts_with(prefix)) return subject;
  }
  return std::nullopt;
}

class PlantedCollectiveFault : public testing::TestWithParam<CollectiveFault> {};

TEST_P(PlantedCollectiveFault, IsFoundByItsInvariantAndShrinksToASmallCase) {
  const CollectiveFault& fault = GetParam();
  const std::optional<CallsCase> subject = find_failing_case(fault);
  ASSERT_TRUE(subject.has_value()) << fault.name << " is never seen by " << name(fault.caught_by);
  const std::string wanted = signature_of(*subject, fault);
  const MinimisedCollective result = minimise(
      *subject,
      [&](const CallsCase& candidate) { return signature_of(candidate, fault) == wanted; },
      candidates_max);
  EXPECT_FALSE(result.budget_spent) << fault.name;
  const CallsCase& smallest = result.subject;
  SCOPED_TRACE(print(smallest) + "\nfrom " + print(*subject));
  EXPECT_LE(rank_count(smallest.mesh), ranks_max);
  EXPECT_LE(smallest.n, ranks_max);
  RecordProperty("smallest", print(smallest));
}

std::string name_of(const testing::TestParamInfo<CollectiveFault>& parameter) {
  return std::string(parameter.param.name);
}

INSTANTIATE_TEST_SUITE_P(Faults, PlantedCollectiveFault, testing::ValuesIn(collective_faults()),
                         name_of);

TEST(CollectiveSearch, EndsAtASmallCaseThatFailsTheSameWay) {
  const auto fault =
      std::ranges::find(collective_faults(), "root_fixed_at_zero", &CollectiveFault::name);
  ASSERT_NE(fault, collective_faults().end());
  const auto backend = fault->make();
  const CollectiveSearchResult result = find_failure(*backend, {.cases = 2000, .seed = 1});
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->verdict.findings.front().invariant, Invariant::ownership);
  EXPECT_EQ(rank_count(result.failure->smallest.mesh), 2);
  EXPECT_NE(print(*result.failure).find("found as: "), std::string::npos);
}

TEST(CollectiveSearch, FindsNothingInTheImplementationAndDrawsWhatIsAskedFor) {
  impl::ShardedBackend backend;
  const CollectiveSearchResult result =
      find_failure(backend, {.cases = 500, .restrictions = {{{"op", "sum"}, {"mesh", "x3"}}}});
  EXPECT_FALSE(result.failure.has_value()) << print(*result.failure);
  EXPECT_EQ(result.tried, 500);
  EXPECT_GT(result.passed, 400);
}

}  // namespace
}  // namespace shardcheck
