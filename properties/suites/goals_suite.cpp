#include <cstdint>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/goals.h>
#include <shardcheck/properties/judge/report.h>
#include <shardcheck/properties/kinds/product/draw/product.h>

namespace shardcheck {
namespace {

/// What somebody sees who runs the command without options.
TEST(DefaultRun, MeetsEveryGoalAndIsRarelyVacuous) {
  impl::ShardedBackend backend;
  Tally tally;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase subject = generate_product(entropy);
    const CheckOptions further{.repeat = seed % 20 == 0,
                               .relating = seed % 20 == 10 ? Relating::drawn : Relating::none};
    const Verdict verdict = check(subject, backend, further);
    count(tally, subject, verdict);
    ASSERT_TRUE(verdict.status == Status::pass || verdict.status == Status::vacuous)
        << print(subject, verdict);
  }
  for (const GoalResult& goal : assess(tally, {})) {
    EXPECT_NE(goal.state, GoalResult::State::unmet)
        << goal.name << ": " << goal.reached << " of " << goal.required;
  }
  EXPECT_LT(tally.counts["status"]["vacuous"], 50);  // 0.5 %
}

}  // namespace
}  // namespace shardcheck
