// A backend that is right can't be told from its related cases, so that what must not agree is made
// up: the record of the first run is altered before its related cases are made of it.

#include <shardcheck/properties/kinds/judging.h>

#include <functional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/expect.h>

#include <shardcheck/properties/by_hand/summing_pair.h>

namespace shardcheck {
namespace {

using Alteration = std::function<void(RunRecord&)>;

/// The relation between the case and what is made of it, once `alter` has had the first record.
struct Compared {
  bool applies = false;
  Judgement judgement;
};

Compared compared(Relation relation, std::string_view line, const Alteration& alter = {},
                  const std::function<void(Verdict&)>& alter_second = {}) {
  const Case subject = parsed(line);
  const auto expectation = model::expect(subject);
  EXPECT_TRUE(expectation.has_value()) << line;
  impl::ShardedBackend backend;
  Arena arena;
  const Promises promises;
  RunRecord run = run_once(subject, **expectation, backend, arena);
  if (alter) alter(run);
  const auto comparison = calls_judging.relate(relation, {subject, **expectation, promises, run});
  if (!comparison) return {};
  for (std::size_t index = 0; index < comparison->cases().size(); ++index) {
    const Case& other = comparison->cases()[index];
    const auto expected = model::expect(other);
    EXPECT_TRUE(expected.has_value()) << print(other);
    const RunRecord second = run_once(other, **expected, backend, arena);
    Verdict alone = check(other, backend);
    EXPECT_TRUE(alone.findings.empty()) << print(other, alone);
    if (alter_second) alter_second(alone);
    comparison->compare(index, {other, **expected, promises, second}, alone);
  }
  return {true, comparison->conclude()};
}

std::string kind(const Judgement& judgement) {
  return judgement.findings.empty() ? "" : judgement.findings.front().kind;
}

struct Example {
  Relation relation = Relation::slices;
  std::string_view line;
  bool says_bytes = true;
};

class EachCollectiveRelation : public testing::TestWithParam<Example> {};

TEST_P(EachCollectiveRelation, HoldsForTheImplementation) {
  const Compared made = compared(GetParam().relation, GetParam().line);
  ASSERT_TRUE(made.applies);
  EXPECT_EQ(made.judgement.outcome, Outcome::holds) << kind(made.judgement);
}

TEST_P(EachCollectiveRelation, SeesAnotherValue) {
  const Compared made = compared(GetParam().relation, GetParam().line, [](RunRecord& run) {
    for (std::vector<Bits>& bits : run.bits) {
      if (bits.empty()) continue;
      bits.back() ^= 1U;
      return;
    }
  });
  ASSERT_TRUE(made.applies);
  EXPECT_EQ(kind(made.judgement), std::string(name(GetParam().relation)) + "_bits");
}

TEST_P(EachCollectiveRelation, SeesOtherBytesWhereItSaysSomethingOfThem) {
  const Compared made = compared(GetParam().relation, GetParam().line, [](RunRecord& run) {
    run.observation.ledger->sent.front().bytes += 1;
  });
  ASSERT_TRUE(made.applies);
  const std::string wanted = std::string(name(GetParam().relation)) + "_bytes";
  EXPECT_EQ(kind(made.judgement), GetParam().says_bytes ? wanted : "");
}

TEST_P(EachCollectiveRelation, MakesNothingOfALedgerThatIsKeptBack) {
  const Compared made = compared(GetParam().relation, GetParam().line,
                                 [](RunRecord& run) { run.observation.ledger.reset(); });
  EXPECT_EQ(made.judgement.outcome, Outcome::holds);
}

TEST_P(EachCollectiveRelation, NamesARelatedCaseThatFailsByItself) {
  const Compared made = compared(GetParam().relation, GetParam().line, {}, [](Verdict& alone) {
    alone.status = Status::fail;
    alone.findings.push_back({.invariant = Invariant::value, .kind = "wrong"});
  });
  EXPECT_EQ(kind(made.judgement), std::string(name(GetParam().relation)) + "_fails");
}

TEST_P(EachCollectiveRelation, IsNotObservedIfTheRelatedCaseIsNotRun) {
  const Compared made = compared(GetParam().relation, GetParam().line, {},
                                 [](Verdict& alone) { alone.status = Status::unsupported; });
  EXPECT_EQ(made.judgement.outcome, Outcome::not_observed);
}

INSTANTIATE_TEST_SUITE_P(
    Collectives, EachCollectiveRelation,
    testing::Values(Example{Relation::reduce_then_gather, "all_reduce mesh=x3 n=5 in=i32"},
                    Example{Relation::transposed_counts,
                            "all_to_all mesh=x3 n=6 split.n=sets:5,0|1,2,3|4 in=i32"},
                    Example{Relation::reduced_again, "all_reduce mesh=x3 n=5 op=max in=i32"},
                    Example{Relation::zero_extended, "gather mesh=x3 n=5 root=1 in=bf16", false},
                    Example{Relation::slices, "all_reduce mesh=x3 n=5 in=i32 algorithm=doubling"}),
    [](const testing::TestParamInfo<Example>& parameter) {
      return std::string(name(parameter.param.relation));
    });

constexpr std::string_view rounding = " mesh=x5 n=8 in=bf16 data=rounding:3 algorithm=";

/// The first element that rounds is altered; whether the relation sees it.
bool sees_rounding(Relation relation, std::string_view collective, std::string_view algorithm) {
  const std::string line = std::string(collective) + std::string(rounding) + std::string(algorithm);
  const Case subject = parsed(line);
  const auto expectation = model::expect(subject);
  bool has_rounding = false;
  const Compared made = compared(relation, line, [&](RunRecord& run) {
    for (std::size_t position = 0; position < run.bits[0].size(); ++position) {
      const std::int64_t coordinate = run.observation.owned[0][position];
      if ((*expectation)->allowed(0, coordinate).grade == model::Grade::exact) continue;
      run.bits[0][position] ^= 1U;
      has_rounding = true;
      return;
    }
  });
  EXPECT_TRUE(has_rounding) << line;
  EXPECT_TRUE(made.applies) << line;
  return !made.judgement.findings.empty();
}

TEST(CollectiveRelations, ComparesRoundedSumsOnlyUnderOneTree) {
  constexpr auto halves = Relation::reduce_then_gather;
  EXPECT_TRUE(sees_rounding(halves, "all_reduce", "ring"));
  EXPECT_TRUE(sees_rounding(halves, "all_reduce", "direct"));
  EXPECT_FALSE(sees_rounding(halves, "all_reduce", "doubling"));
  EXPECT_FALSE(sees_rounding(halves, "all_reduce", "rabenseifner"));
  constexpr auto slices = Relation::slices;
  EXPECT_TRUE(sees_rounding(slices, "all_reduce", "doubling"));
  EXPECT_TRUE(sees_rounding(slices, "all_reduce", "binomial"));
  EXPECT_TRUE(sees_rounding(slices, "reduce", "chain"));
  EXPECT_FALSE(sees_rounding(slices, "all_reduce", "ring"));
  EXPECT_FALSE(sees_rounding(slices, "all_reduce", "rabenseifner"));
}

TEST(CollectiveRelations, ApplyWhereTheyMeanSomething) {
  const auto applies = [](Relation relation, std::string_view line) {
    return compared(relation, line).applies;
  };
  EXPECT_FALSE(applies(Relation::reduce_then_gather, "reduce mesh=x2 n=4"));
  EXPECT_FALSE(applies(Relation::reduce_then_gather, "all_reduce+all_reduce mesh=x2 n=4"));
  EXPECT_FALSE(applies(Relation::transposed_counts, "permute mesh=x2 n=4"));
  EXPECT_FALSE(applies(Relation::reduced_again, "all_reduce mesh=x2 n=4"));
  EXPECT_FALSE(applies(Relation::reduced_again, "all_reduce mesh=x2 n=4 op=average in=i8"));
  EXPECT_TRUE(applies(Relation::reduced_again, "all_reduce mesh=x2 n=4 op=average"));
  EXPECT_TRUE(applies(Relation::reduced_again, "all_reduce mesh=x2 n=4 op=and in=u8"));
  EXPECT_FALSE(applies(Relation::zero_extended, "scatter mesh=x2 n=4"));
  EXPECT_FALSE(applies(Relation::slices, "all_reduce mesh=x2 n=1"));
  EXPECT_FALSE(applies(Relation::slices, "reduce_scatter mesh=x2 n=4"));
  EXPECT_FALSE(applies(Relation::slices, "broadcast mesh=x2 n=40000"));
}

TEST(CollectiveRelations, ZerosAroundABlockKeepMinusZeroAndNaN) {
  const Compared made =
      compared(Relation::zero_extended, "all_gather mesh=x2 n=4 data=given X=-0,nan|inf,0");
  EXPECT_EQ(made.judgement.outcome, Outcome::holds) << kind(made.judgement);
}

TEST(CollectiveRelations, AreFoundAgainByTheirSignature) {
  EXPECT_EQ(relation_of("metamorphic/reduced_again_bits"), Relation::reduced_again);
  EXPECT_EQ(relation_of("metamorphic/slices_fails"), Relation::slices);
  EXPECT_EQ(relation_of("metamorphic/transpose_bits"), Relation::transpose);
  EXPECT_EQ(relation_of("value/wrong"), std::nullopt);
}

TEST(CollectiveRelations, AreTriedAsAsked) {
  impl::ShardedBackend backend;
  const Case subject = parsed("all_reduce mesh=x3 n=5 op=max in=i32");
  EXPECT_TRUE(check(subject, backend).relations.empty());
  EXPECT_EQ(check(subject, backend, {.relating = Relating::drawn}).relations.size(), 1U);
  EXPECT_EQ(check(subject, backend, {.relating = Relating::every}).relations.size(), 3U);
  const CheckOptions one{.relation = Relation::slices};
  EXPECT_EQ(check(subject, backend, one).relations, std::vector<Relation>{Relation::slices});
}

}  // namespace
}  // namespace shardcheck
