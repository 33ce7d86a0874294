#include "comparison.h"

#include <memory>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/expect.h>

#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

constexpr std::string_view replicas =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8";

constexpr std::string_view woven =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local_scatter:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8";

/// Each relation with a case that it applies to.
std::string_view line_of(Relation relation) {
  if (relation == Relation::reduce_then_gather) return replicas;
  return relation == Relation::woven_apart ? woven : worked_example_line;
}

/// Right on one case, and on every other wrong in one element: what would be seen of a backend that
/// minds only cases of one kind.
class RightOnOneCase final : public ByHand {
 public:
  explicit RightOnOneCase(Case right) : ByHand(Kind::product), right_(std::move(right)) {}

 protected:
  Observation answer(const Request& request) override {
    Observation observation = inner_.run(request);
    if (request.subject != right_) put(request.ranks[0].output, 0, 1000);
    return observation;
  }

 private:
  Case right_;
  impl::ShardedBackend inner_;
};

class EachRelation : public testing::TestWithParam<Relation> {};

TEST_P(EachRelation, HoldsForTheCorrectBackend) {
  impl::ShardedBackend backend;
  const Case subject = parsed(line_of(GetParam()));
  const Verdict verdict = check(subject, backend, {.relation = GetParam()});
  EXPECT_EQ(outcome(verdict, Invariant::metamorphic), Outcome::holds) << print(subject, verdict);
  EXPECT_EQ(verdict.relations, std::vector<Relation>{GetParam()});
}

TEST_P(EachRelation, ShowsABackendThatIsWrongOnTheRelatedCaseAlone) {
  const Case subject = parsed(line_of(GetParam()));
  RightOnOneCase backend(subject);
  const Verdict verdict = check(subject, backend, {.relation = GetParam()});
  EXPECT_EQ(signature(verdict), "metamorphic/" + std::string(name(GetParam())) + "_fails");
  EXPECT_EQ(relation_of(signature(verdict)), GetParam());
  EXPECT_EQ(verdict.status, Status::fail);
}

/// Both runs as they were, ready to be doctored.
struct Doctored {
  Case subject;
  Related related;
  Case other;
  Promises promises;
  std::unique_ptr<model::Expectation> expected_first;
  std::unique_ptr<model::Expectation> expected_second;
  RunRecord first;
  RunRecord second;

  Doctored(Relation relation, std::string_view line) : subject(parsed(line)) {
    impl::ShardedBackend backend;
    Arena arena;
    expected_first = *model::expect(subject);
    related = *relate(relation, std::get<ProductCase>(subject), of_first().expectation.plan);
    other = related.subject;
    expected_second = *model::expect(other);
    first = run_once(subject, *expected_first, backend, arena);
    second = run_once(other, *expected_second, backend, arena);
  }

  ProductEvidence of_first() const {
    return ProductEvidence({subject, *expected_first, promises, first});
  }

  std::string found(Relation relation) const {
    ProductComparison comparison(relation, related, of_first());
    comparison.compare(0, {other, *expected_second, promises, second}, Verdict{});
    const Judgement judgement = comparison.conclude();
    return judgement.findings.empty() ? "" : judgement.findings.front().kind;
  }
};

TEST_P(EachRelation, ComparesBits) {
  Doctored doctored(GetParam(), line_of(GetParam()));
  EXPECT_EQ(doctored.found(GetParam()), "");
  doctored.second.bits[0][0] ^= 1U;
  EXPECT_EQ(doctored.found(GetParam()), std::string(name(GetParam())) + "_bits");
}

TEST_P(EachRelation, ComparesOwners) {
  Doctored doctored(GetParam(), line_of(GetParam()));
  doctored.second.observation.owned[0].pop_back();
  EXPECT_EQ(doctored.found(GetParam()), std::string(name(GetParam())) + "_owned");
}

TEST_P(EachRelation, ComparesBytes) {
  Doctored doctored(GetParam(), line_of(GetParam()));
  // The last phase reduces: more than the case for those that may not send more, else nothing at
  // all.
  auto& sent = doctored.second.observation.ledger->sent;
  sent.clear();
  if (doctored.related.bytes.back() == Related::Bytes::no_more) sent = {{1, 0, 1, 1000, 1}};
  EXPECT_EQ(doctored.found(GetParam()), std::string(name(GetParam())) + "_bytes");
}

TEST_P(EachRelation, MakesNothingOfALedgerThatIsKeptBack) {
  Doctored doctored(GetParam(), line_of(GetParam()));
  doctored.second.observation.ledger.reset();
  EXPECT_EQ(doctored.found(GetParam()), "");
}

std::string name_of(const testing::TestParamInfo<Relation>& parameter) {
  return std::string(name(parameter.param));
}

INSTANTIATE_TEST_SUITE_P(Metamorphic, EachRelation,
                         testing::ValuesIn(relations_in_turn(Kind::product)), name_of);

/// 0.1 in f32, and sums that round.
constexpr std::string_view rounding =
    "matmul mesh=x3 i=3 j=3 k=9 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
    "data=rounding:1";

constexpr std::string_view woven_rounding =
    "matmul mesh=x3 i=3 j=3 k=9 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local_scatter:C/x "
    "data=rounding:1";

TEST(Metamorphic, ComparesSumsThatRoundOnlyWhereTheyRoundAlike) {
  for (const Relation relation : relations_in_turn(Kind::product)) {
    if (relation == Relation::reduce_then_gather) continue;
    Doctored doctored(relation, relation == Relation::woven_apart ? woven_rounding : rounding);
    EXPECT_EQ(doctored.found(relation), "") << name(relation);
    for (Bits& bits : doctored.second.bits[0]) bits ^= 1U;
    const bool is_found = !doctored.found(relation).empty();
    EXPECT_EQ(is_found, doctored.related.rounds_alike) << name(relation);
    // Nobody promised an order.
    doctored.promises.declared_order = false;
    EXPECT_EQ(doctored.found(relation), "") << name(relation);
  }
}

TEST(Metamorphic, IsNotObservedUnlessAskedFor) {
  const Verdict verdict = judged({});
  EXPECT_EQ(outcome(verdict, Invariant::metamorphic), Outcome::not_observed);
  EXPECT_TRUE(verdict.relations.empty());
}

TEST(Metamorphic, DrawsOneRelationByTheCase) {
  impl::ShardedBackend backend;
  const Case subject = parsed(worked_example_line);
  const Verdict first = check(subject, backend, {.relating = Relating::drawn});
  const Verdict second = check(subject, backend, {.relating = Relating::drawn});
  EXPECT_EQ(first.relations.size(), 1U);
  EXPECT_EQ(first.relations, second.relations);
  // All but reduce_then_gather and woven_apart, for nothing is all-reduced or woven.
  const Verdict every = check(subject, backend, {.relating = Relating::every});
  EXPECT_EQ(every.relations.size(), relations_in_turn(Kind::product).size() - 2);
}

TEST(Metamorphic, LeavesACaseAloneThatFailsByItself) {
  WorkedExample wrong(
      [](const Request& request, Observation&) { put(request.ranks[0].output, 0, 7); });
  const Verdict verdict = check(parsed(worked_example_line), wrong, {.relating = Relating::every});
  EXPECT_TRUE(signature(verdict).starts_with("value/") ||
              signature(verdict).starts_with("coverage/"))
      << signature(verdict);
  EXPECT_EQ(outcome(verdict, Invariant::metamorphic), Outcome::not_observed);
}

}  // namespace
}  // namespace shardcheck
