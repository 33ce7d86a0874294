#include "check.h"

#include <stdexcept>

#include <shardcheck/impl/backend.h>

#include "by_hand/worked_example.h"

namespace shardcheck {
namespace {

TEST(Check, PassesTheWorkedExample) {
  const Verdict verdict = judged({});
  EXPECT_EQ(verdict.status, Status::pass) << print(parsed(worked_example_line), verdict);
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_FALSE(verdict.is_trivial);
  EXPECT_EQ(verdict.plan.size(), 2U);
  // Four elements, all small integers.
  EXPECT_EQ(verdict.elements_by_grade[static_cast<std::size_t>(model::Grade::exact)], 4);
  EXPECT_EQ(verdict.elements_rounded, 0);
}

TEST(Check, CountsWhatSpecialValuesHideAndPassesAllTheSame) {
  // NaN times 2 and −3 times NaN: NaN whatever is left out.
  impl::ShardedBackend backend;
  const Verdict verdict =
      check(parsed("matmul i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] data=special:114"), backend);
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(verdict.alterations_asked, 5);
  EXPECT_EQ(verdict.alterations_blind, 5);
}

TEST(Check, SaysWhichInvariantsItSawHold) {
  const Verdict verdict = judged({});
  for (const Invariant invariant :
       {Invariant::liveness, Invariant::memory, Invariant::plan, Invariant::coverage,
        Invariant::ownership, Invariant::ledger, Invariant::value}) {
    EXPECT_EQ(outcome(verdict, invariant), Outcome::holds) << name(invariant);
  }
  // Nobody asked for a second run.
  EXPECT_EQ(outcome(verdict, Invariant::determinism), Outcome::not_observed);
}

TEST(Check, FailsNobodyForKeepingQuiet) {
  const Verdict verdict = judged([](const Request&, Observation& observation) {
    observation.steps.reset();
    observation.products.reset();
    observation.ledger.reset();
    observation.left_over.reset();
  });
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(outcome(verdict, Invariant::plan), Outcome::not_observed);
  EXPECT_EQ(outcome(verdict, Invariant::coverage), Outcome::not_observed);
  EXPECT_EQ(outcome(verdict, Invariant::ledger), Outcome::not_observed);
}

TEST(Check, RefusesACaseWhosePlanIsIllegal) {
  const Verdict verdict =
      judged({}, "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+gather:C/x");
  EXPECT_EQ(verdict.status, Status::illegal);
  EXPECT_FALSE(verdict.reason.empty());
}

TEST(Check, AsksNobodyForAKindThatIsNotServed) {
  for (const KindInfo& served : kinds) {
    int runs = 0;
    ByHand backend(served.kind, [&](const Request&, Observation&) { ++runs; });
    for (const std::string_view line :
         {worked_example_line, std::string_view("all_reduce mesh=x2 n=4 in=i32")}) {
      const Case subject = parsed(line);
      const Verdict verdict = check(subject, backend);
      if (kind_of(subject) == served.kind) {
        EXPECT_NE(verdict.status, Status::unsupported) << line;
        EXPECT_EQ(runs, 1);
        continue;
      }
      EXPECT_EQ(verdict.status, Status::unsupported) << line;
      EXPECT_EQ(verdict.reason,
                "the backend serves no cases of kind=" + std::string(name(kind_of(subject))));
      EXPECT_TRUE(verdict.findings.empty());
      for (const Outcome each : verdict.outcomes) EXPECT_EQ(each, Outcome::not_observed);
    }
    EXPECT_EQ(runs, 1) << "of " << served.name << " alone";
  }
}

TEST(Check, RunsEachKindOnABackendThatServesBoth) {
  impl::ShardedBackend both;
  for (const std::string_view line :
       {worked_example_line, std::string_view("all_reduce mesh=x2 n=4 in=i32")}) {
    const Case subject = parsed(line);
    const Verdict verdict = check(subject, both, every_run);
    EXPECT_EQ(verdict.status, Status::pass) << print(subject, verdict);
    EXPECT_FALSE(verdict.relations.empty()) << line;
    for (const Relation relation : verdict.relations) {
      EXPECT_TRUE(is_of(relation, kind_of(subject))) << name(relation) << " of " << line;
    }
  }
}

TEST(Check, MakesNothingOfARelationOfAnotherKind) {
  impl::ShardedBackend both;
  const Verdict product = check(parsed(worked_example_line), both, {.relation = Relation::slices});
  EXPECT_EQ(product.status, Status::pass);
  EXPECT_EQ(outcome(product, Invariant::metamorphic), Outcome::not_observed);
  const Verdict calls =
      check(parsed("all_reduce mesh=x2 n=4 in=i32"), both, {.relation = Relation::transpose});
  EXPECT_EQ(calls.status, Status::pass);
  EXPECT_EQ(outcome(calls, Invariant::metamorphic), Outcome::not_observed);
}

TEST(Check, CallsDataThatCannotShowAFaultVacuous) {
  // 40 terms of like size in one sum, of which four bits are kept: most could be left out unseen.
  const Case subject =
      parsed("matmul mesh=x1 i=1 j=1 k=40 A[i,k] B[k,j] -> C[i,j] out=f8e4m3fn data=rounding:1");
  impl::ShardedBackend backend;
  const Verdict verdict = check(subject, backend);
  EXPECT_EQ(verdict.status, Status::vacuous);
  EXPECT_FALSE(verdict.reason.empty());
  EXPECT_TRUE(verdict.findings.empty());
}

TEST(Check, NeverCallsGivenValuesVacuous) {
  // They promise nothing, though any k might be missing here.
  const Verdict verdict = judged(
      {},
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
      "data=given A=0,0,0,0 B=0,0,0,0");
  EXPECT_EQ(verdict.status, Status::pass);
}

TEST(Check, PassesACaseThatContractsNothingAndSaysSo) {
  const Case subject = parsed("matmul mesh=x2 i=2 j=2 k=0 A[i,k/x] B[k/x,j] -> C[i/x,j]");
  impl::ShardedBackend backend;
  const Verdict verdict = check(subject, backend);
  EXPECT_EQ(verdict.status, Status::pass) << print(subject, verdict);
  EXPECT_TRUE(verdict.is_trivial);
}

TEST(Check, TurnsAnExceptionIntoAFinding) {
  const Verdict verdict =
      judged([](const Request&, Observation&) { throw std::runtime_error("out of buffers"); });
  EXPECT_EQ(signature(verdict), "liveness/threw");
  EXPECT_EQ(verdict.findings.front().evidence, "out of buffers");
  EXPECT_EQ(verdict.status, Status::fail);
}

TEST(Check, KeepsStatusesOfRunsThatSaidNothing) {
  const Verdict late = judged(
      [](const Request&, Observation& observation) { observation.ending = Ending::timed_out; });
  EXPECT_EQ(late.status, Status::timeout);
  EXPECT_EQ(signature(late), "liveness/timeout");
  const Verdict unsupported = judged([](const Request&, Observation& observation) {
    observation.ending = Ending::unsupported;
    observation.cause = "no f32";
  });
  EXPECT_EQ(unsupported.status, Status::unsupported);
  EXPECT_EQ(unsupported.reason, "no f32");
  EXPECT_TRUE(unsupported.findings.empty());
}

TEST(Check, ListsFindingsByInvariantWhateverElseIsWrong) {
  const Verdict verdict = judged([](const Request& request, Observation& observation) {
    observation.ledger->sent.clear();
    put(request.ranks[0].output, 0, 1000);
    const_cast<std::byte&>(request.ranks[1].inputs[0].front()) ^= std::byte{1};
  });
  ASSERT_EQ(verdict.findings.size(), 4U);
  EXPECT_EQ(signature(verdict), "memory/input_changed");
  EXPECT_EQ(verdict.findings[1].invariant, Invariant::ledger);
  EXPECT_EQ(verdict.findings[3].invariant, Invariant::value);
}

TEST(Check, BoundsWhatItLists) {
  const Verdict verdict = judged([](const Request&, Observation& observation) {
    observation.left_over->assign(1000, Transfer{1, 0, 1, 4, 1});
  });
  EXPECT_EQ(verdict.findings.size(), 10U);
  EXPECT_EQ(verdict.finding_count, 1000);
}

TEST(Check, SurvivesAnObservationThatMakesNoSense) {
  const Verdict verdict = judged([](const Request&, Observation& observation) {
    observation.owned.assign(5, std::vector<std::int64_t>(1000, -7));
    observation.products->push_back(product(-3, {-1, 99}, {}));
    observation.products->push_back(product(1, {-1, 99}, {7}));
    observation.ledger->sent = {{-1, -2, 99, -8, 0}};
    observation.ledger->received.clear();
    observation.steps = Plan(70);
  });
  EXPECT_EQ(verdict.status, Status::fail);
  EXPECT_EQ(outcome(verdict, Invariant::ownership), Outcome::broken);
}

}  // namespace
}  // namespace shardcheck
