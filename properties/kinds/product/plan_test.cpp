#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

TEST(Plan, MustBeTheOneThatTheCaseNames) {
  const Verdict verdict = judged([](const Request& request, Observation& observation) {
    observation.steps =
        *parse_plan(setting(request.subject).mesh, "gather:A/x+gather:B/x+local+slice:C/x");
  });
  ASSERT_EQ(signature(verdict), "plan/differs");
  // Its ledger isn't the model's to judge.
  EXPECT_EQ(outcome(verdict, Invariant::ledger), Outcome::not_observed);
}

TEST(Plan, MustBeLegal) {
  for (const std::string_view steps : {"local", "local+reduce_scatter:C/x+reduce_scatter:C/x",
                                       "reduce_scatter:C/x+local", "local+local"}) {
    const Verdict verdict = judged([&](const Request& request, Observation& observation) {
      observation.steps = *parse_plan(setting(request.subject).mesh, steps);
    });
    ASSERT_EQ(signature(verdict), "plan/illegal_step") << steps;
  }
}

TEST(Plan, MayNotCostMoreThanTheCheapestIfTheCaseLeavesItOpen) {
  // With K = 2 and one row of C, reducing moves one f32 a rank; gathering A and B moves more.
  const std::string_view line =
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] data=given A=1,2,3,4 B=5,6,7,8";
  const Verdict verdict = judged(
      [](const Request& request, Observation& observation) {
        observation.steps =
            *parse_plan(setting(request.subject).mesh, "gather:A/x+gather:B/x+local+slice:C/x");
        observation.ledger.reset();
        observation.products.reset();
      },
      line);
  ASSERT_EQ(signature(verdict), "plan/costlier");
  EXPECT_EQ(verdict.findings.front().evidence, "32 bytes in all instead of 16");
}

}  // namespace
}  // namespace shardcheck
