#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

/// `later` alters every run but the first.
Verdict repeated(Tampering later) {
  int runs = 0;
  WorkedExample backend([&](const Request& request, Observation& observation) {
    if (runs++ > 0) later(request, observation);
  });
  return check(parsed(worked_example_line), backend, {.repeat = true});
}

TEST(Determinism, HoldsIfTheSecondRunAgrees) {
  const Verdict verdict = repeated([](const Request& request, Observation&) {
    EXPECT_EQ(setting(request.subject).run.seed, 1U) << "another schedule";
  });
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(outcome(verdict, Invariant::determinism), Outcome::holds);
}

TEST(Determinism, NamesTheElementThatDiffers) {
  const Verdict verdict =
      repeated([](const Request& request, Observation&) { put(request.ranks[1].output, 1, 51); });
  EXPECT_EQ(verdict.status, Status::nondeterministic);
  ASSERT_EQ(signature(verdict), "determinism/bits_differ");
  EXPECT_EQ(verdict.findings.front().coordinate, 3);
}

TEST(Determinism, HoldsNobodyToBitsWhereTheOrderIsFree) {
  int runs = 0;
  WorkedExample backend([&](const Request& request, Observation&) {
    if (runs++ > 0) put(request.ranks[1].output, 1, 51);
  });
  const Case subject = parsed(
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
      "order=any data=given A=1,2,3,4 B=5,6,7,8");
  EXPECT_EQ(check(subject, backend, {.repeat = true}).status, Status::pass);
}

TEST(Determinism, SeesWhatWasNotWrittenInEitherRun) {
  // Another poison lies there the second time.
  const Verdict verdict = repeated([](const Request& request, Observation&) {
    put(request.ranks[1].output, 1, element(request.ranks[1].output, 2));
  });
  ASSERT_EQ(signature(verdict), "determinism/bits_differ");
}

TEST(Determinism, ComparesLedgersAndEndings) {
  EXPECT_EQ(signature(repeated([](const Request&, Observation& observation) {
              observation.ledger->sent.pop_back();
            })),
            "determinism/ledger_differs");
  EXPECT_EQ(signature(repeated([](const Request&, Observation& observation) {
              observation.ending = Ending::deadlocked;
            })),
            "determinism/ending_differs");
}

}  // namespace
}  // namespace shardcheck
