#include <cstring>
#include <stdexcept>

#include <shardcheck/properties/by_hand/summing_pair.h>

namespace shardcheck {
namespace {

TEST(CheckCollective, PassesSumsWrittenOutByHand) {
  for (const std::string_view line : {halves_line, whole_line}) {
    const Verdict verdict = judged_pair({}, line, {.repeat = true, .relating = Relating::every});
    EXPECT_EQ(verdict.status, Status::pass) << print(parsed(line), verdict);
    EXPECT_FALSE(verdict.is_trivial);
    EXPECT_EQ(verdict.elements_by_grade[static_cast<std::size_t>(model::Grade::exact)],
              line == halves_line ? 4 : 8);
  }
}

TEST(CheckCollective, NeedsABackendOfCallsAloneAndTheOneInterface) {
  SummingPair pair;
  Backend& backend = pair;
  const Case subject = parsed(halves_line);
  EXPECT_EQ(check(subject, backend, every_run).status, Status::pass);
  const Case product = parsed("matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j]");
  EXPECT_EQ(check(product, backend, every_run).status, Status::unsupported);
}

TEST(CheckCollective, IsNotAskedForTokensOrAPlan) {
  int runs = 0;
  const Verdict verdict =
      judged_pair([&](const Request&, Observation&) { ++runs; }, halves_line, {.tokens = true});
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(verdict.plan.empty());
  EXPECT_FALSE(verdict.is_from_tokens);
}

TEST(CheckCollective, SaysWhichInvariantsItSawHold) {
  const Verdict verdict = judged_pair({});
  for (const Invariant invariant : {Invariant::liveness, Invariant::memory, Invariant::ownership,
                                    Invariant::ledger, Invariant::value}) {
    EXPECT_EQ(outcome(verdict, invariant), Outcome::holds) << name(invariant);
  }
  for (const Invariant invariant :
       {Invariant::plan, Invariant::coverage, Invariant::determinism, Invariant::metamorphic}) {
    EXPECT_EQ(outcome(verdict, invariant), Outcome::not_observed) << name(invariant);
  }
}

TEST(CheckCollective, FailsNobodyForKeepingQuiet) {
  const Verdict verdict = judged_pair([](const Request&, Observation& observation) {
    observation.ledger.reset();
    observation.left_over.reset();
  });
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(outcome(verdict, Invariant::ledger), Outcome::not_observed);
}

TEST(CheckCollective, DoesNotRunWhatEveryBackendMustRefuse) {
  bool is_run = false;
  const Verdict verdict =
      judged_pair([&](const Request&, Observation&) { is_run = true; },
                  "reduce_scatter mesh=x2 n=4 op=matrix in=u32 data=given X=1,2,3,4|5,6,7,8");
  EXPECT_EQ(verdict.status, Status::illegal);
  EXPECT_NE(verdict.reason.find("order"), std::string::npos) << verdict.reason;
  EXPECT_FALSE(is_run);
}

TEST(CheckCollective, TurnsEndingsIntoFindings) {
  const Verdict threw =
      judged_pair([](const Request&, Observation&) { throw std::runtime_error("out of buffers"); });
  EXPECT_EQ(signature(threw), "liveness/threw");
  EXPECT_EQ(threw.findings.front().evidence, "out of buffers");
  const Verdict stuck = judged_pair(
      [](const Request&, Observation& observation) { observation.ending = Ending::deadlocked; });
  EXPECT_EQ(signature(stuck), "liveness/deadlock");
  const Verdict left = judged_pair([](const Request&, Observation& observation) {
    observation.left_over->push_back({0, 0, 1, 8, 1});
  });
  EXPECT_EQ(signature(left), "liveness/left_over");
  const Verdict refused = judged_pair([](const Request&, Observation& observation) {
    observation.ending = Ending::unsupported;
    observation.cause = "no i32";
  });
  EXPECT_EQ(refused.status, Status::unsupported);
  EXPECT_EQ(refused.reason, "no i32");
}

TEST(CheckCollective, LooksAtInputsAndGuardsAfterARunThatDidNotFinishToo) {
  const Verdict verdict = judged_pair([](const Request& request, Observation& observation) {
    const_cast<std::byte&>(request.ranks[1].inputs[0][4]) ^= std::byte{1};
    put(request.ranks[0].output, 3, 77);
    observation.ending = Ending::threw;
  });
  ASSERT_EQ(verdict.findings.size(), 2U);
  EXPECT_EQ(verdict.findings[1].kind, "input_changed");
}

TEST(CheckCollective, ComparesASecondRunOnAnotherSchedule) {
  int run = 0;
  const auto alter = [&](const Request& request, Observation& observation) {
    if (++run == 2) {
      EXPECT_NE(setting(request.subject).run.seed, 0U);
      observation.ledger->sent[0].messages = 2;
    }
  };
  const Verdict verdict = judged_pair(alter, halves_line, {.repeat = true});
  EXPECT_EQ(verdict.status, Status::nondeterministic);
  EXPECT_EQ(signature(verdict), "determinism/ledger_differs");
  EXPECT_EQ(run, 2);
}

TEST(CheckCollective, SumsOfFloatsInAnOrderThatIsNotPromisedAreBounded) {
  // 2^24, 1 and 1: another order than the declared one gives 2^24 + 2 for 2^24.
  const Case subject =
      parsed("all_reduce mesh=x3 n=1 algorithm=binomial data=given X=16777216|1|1");
  const auto sums = [](const Request& request, Observation& told) {
    const float sum = 16777218.0F;
    for (const RankMemory& rank : request.ranks) {
      std::memcpy(rank.output.data(), &sum, sizeof sum);
      told.owned.push_back({0});
    }
  };
  ByHand strict(Kind::calls, sums);
  EXPECT_EQ(signature(check(subject, strict)), "value/one_ulp");
  ByHand free(Kind::calls, sums, {.declared_order = false});
  EXPECT_EQ(check(subject, free).status, Status::pass);
}

}  // namespace
}  // namespace shardcheck
