#include "fault.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {

namespace {

/// The worked example: A = [1 2; 3 4], B = [5 6; 7 8], K split over two ranks.
constexpr std::string_view rows =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8";
constexpr std::string_view replicas =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8";
/// Enough terms for a sum in another order, or rounded more often, to differ.
constexpr std::string_view rounding =
    "matmul mesh=x4 i=8 j=8 k=16 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
    "data=rounding:1";

constexpr std::string_view rounded_replicas =
    "matmul mesh=x4 i=8 j=8 k=16 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x "
    "data=rounding:1";
/// Collectives whose ranks end with replicas, and with a block each.
constexpr std::string_view sums = "all_reduce mesh=x2 n=2 in=i32";
constexpr std::string_view blocks = "reduce_scatter mesh=x2 n=4 in=i32";

/// A case that shows a fault, the kind of its first finding, and a part of its evidence.
struct KnownCase {
  std::string_view fault;
  std::string_view line;
  std::string_view kind;
  std::string_view evidence{};
};

/// For each fault one case of each kind that it affects.
const std::vector<KnownCase>& known_cases() {
  static const std::vector<KnownCase> table{
      {"rank_never_sends", rows, "deadlock"},
      {"rank_throws", rows, "threw"},
      {"message_sent_twice", rows, "deadlock"},
      {"element_written_outside", rows, "written_outside"},
      {"input_changed", rows, "input_changed"},
      {"element_left_unwritten", rows, "unwritten"},
      {"float_mode_changed", rows, "float_mode_changed"},
      {"another_plan", replicas, "differs"},
      {"all_reduce_left_out", replicas, "illegal_step"},
      {"last_k_dropped", rows, "k_missing"},
      {"last_k_dropped_in_silence", rows, "k_missing"},
      {"rank_left_out",
       "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x",
       "rank_missing"},
      {"rank_counted_twice",
       "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x",
       "rank_doubled"},
      {"k_blocks_in_another_order",
       "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x",
       "k_mispaired"},
      {"result_shards_swapped", rows, "wrong_elements"},
      {"result_values_swapped", rows, "swapped"},
      {"partials_concatenated", rows, "unreduced"},
      {"rows_off_by_one", rows, "wrong_elements"},
      {"replica_differs", replicas, "replicas_differ"},
      {"receive_added_to_ledger", rows, "received_counted"},
      {"phase_charged_early", rows, "wrong_phase"},
      {"elements_for_bytes", rows, "elements_for_bytes"},
      {"staging_buffer_of_fixed_size", rows, "temporary_bytes"},
      {"one_ulp_added", rows, "one_ulp"},
      {"subnormals_flushed",
       "matmul i=1 j=2 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=1 B=0x1p-140,1", "wrong"},
      {"rounded_at_every_hop", rounding, "wrong"},
      {"order_of_another_algorithm", rounding, "one_ulp"},
      {"stale_message",
       "matmul mesh=x3 i=3 j=2 k=6 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x",
       "wrong"},
      {"second_run_differs", rows, "bits_differ"},
      {"cannon_without_skew_of_b",
       "matmul mesh=x2,y2 i=2 j=2 k=2 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y",
       "k_mispaired"},
      {"cannon_shifted_the_wrong_way",
       "matmul mesh=x3,y3 i=3 j=3 k=3 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y",
       "sent_differs"},
      {"panel_multiplied_twice",
       "matmul mesh=x2,y2 i=2 j=2 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=summa:x/y",
       "k_doubled"},
      {"last_block_left_out",
       "matmul mesh=x3 i=2 j=3 k=6 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=gather_local:A/x",
       "k_missing"},
      {"gathered_before_it_multiplies",
       "matmul mesh=x3 i=4 j=6 k=9 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=gather_local:A/x "
       "data=rounding:1",
       "one_ulp"},
      {"block_off_by_one",
       "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local_scatter:C/x", "wrong"},
      {"damaged_then_declined", rows, "input_changed"},
      {"last_k_dropped_and_told", rows, "k_missing"},
      {"ledger_of_what_was_asked", rounding, "one_ulp"},
      {"steps_of_what_was_asked", rounded_replicas, "one_ulp"},
      {"rank_never_sends", sums, "deadlock"},
      {"rank_throws", sums, "threw"},
      {"message_sent_twice", sums, "left_over"},
      {"element_written_outside", blocks, "written_outside"},
      {"input_changed", sums, "input_changed"},
      {"element_left_unwritten", sums, "unwritten"},
      {"float_mode_changed", sums, "float_mode_changed"},
      {"damaged_then_declined", sums, "input_changed"},
      {"result_shards_swapped", blocks, "wrong_elements"},
      {"result_values_swapped", blocks, "swapped"},
      {"receive_added_to_ledger", sums, "received_counted"},
      {"phase_charged_early", "reduce_scatter+all_gather mesh=x2 n=4 in=i32", "wrong_phase"},
      {"elements_for_bytes", sums, "elements_for_bytes"},
      {"one_ulp_added", "all_reduce mesh=x2 n=2 data=given X=1,2|3,4", "one_ulp"},
      {"subnormals_flushed", "all_gather mesh=x2 n=2 data=given X=0x1p-140|1", "wrong"},
      {"stale_message", "reduce_scatter mesh=x3 n=6 in=i32", "wrong"},
      {"starts_at_its_own_rank", "reduce_scatter mesh=x3 n=3 op=matrix in=u32 algorithm=direct",
       "wrong"},
      {"folded_in_rank_also_kept",
       "all_reduce mesh=x3 n=2 in=i32 algorithm=doubling data=given X=1,2|10,20|100,200", "wrong",
       "rank 0 counted twice in call 0"},
      {"offset_by_ceil",
       "all_gather mesh=x3 n=6 split.n=sizes:3,1,2 in=i32 data=given X=1,2,3|4|5,6", "wrong",
       "coordinate"},
      {"average_divided_by_all_ranks",
       "reduce mesh=x2,y3 over=x n=2 op=average data=given X=6,6|6,6|6,6|6,6|6,6|6,6", "wrong"},
      {"nothing_is_added",
       "reduce_scatter mesh=x2 n=4 in=i32 algorithm=pairwise data=given X=1,2,3,4|5,6,7,8", "wrong",
       "its own value, kept"},
      {"zero_byte_send_skipped", "all_gather mesh=x2 n=1", "deadlock"},
      {"empty_block_throws", "all_gather mesh=x2 n=1", "threw"},
      {"last_calls_data", "reduce_scatter+gather mesh=x2 n=2 in=i32 data=given X=1,2|10,20",
       "wrong"},
      {"in_place_reads_what_it_overwrote",
       "reduce_scatter mesh=x2 n=4 in_place=yes in=i32 data=given X=1,2,3,4|5,6,7,8", "wrong"},
      {"unsigned_compared_as_signed", "reduce mesh=x2 n=1 op=min in=u8 data=given X=200|7", "wrong",
       "its own value, kept"},
      {"neighbour_groups_rank",
       "all_reduce mesh=x2,y2 over=y n=1 in=i32 data=given X=1|10|100|1000", "wrong"},
      {"nans_dropped", "all_reduce mesh=x2 n=2 op=max data=given X=1,nan|2,3", "nan_missing"},
      {"second_run_differs", "all_reduce mesh=x2 n=2 in=i32", "bits_differ"},
      {"root_fixed_at_zero", "reduce mesh=x2 n=2 root=1 in=i32", "too_many"},
      {"replica_differs", "all_reduce mesh=x2 n=2 in=i32", "replicas_differ"},
      {"send_buffer_changed", "all_reduce mesh=x2 n=2 in=i32", "input_changed"},
      {"one_rank_copies_nothing", "all_reduce mesh=x1 n=2 in=i32", "unwritten"},
      {"one_past_the_end", "reduce_scatter mesh=x2 n=4 in=i32", "written_outside"},
      {"staging_buffer_of_fixed_size", "all_reduce mesh=x2 n=4 in=i32", "temporary_bytes"},
      {"own_block_counted_as_received", "all_gather mesh=x2 n=4 in=i32", "received_differs"},
  };
  return table;
}

const Fault& fault_named(std::string_view name) {
  const auto found = std::ranges::find(faults(), name, &Fault::name);
  SHARDCHECK_REQUIRE(found != faults().end(), "tests name faults that there are");
  return *found;
}

Case case_of(std::string_view line) {
  const auto subject = parse(line);
  SHARDCHECK_REQUIRE(subject.has_value(), "known cases are well formed");
  return *subject;
}

/// For GoogleTest, which would print the bytes of the row.
void PrintTo(const KnownCase& known, std::ostream* out) {
  *out << known.fault << ": " << known.line;
}

Verdict judged(const Case& subject, Backend& backend) {
  return check(subject, backend, {.repeat = true});
}

class KnownFault : public testing::TestWithParam<KnownCase> {};

TEST_P(KnownFault, IsNamedByItsInvariantOnAKnownCase) {
  const KnownCase& known = GetParam();
  const Fault& fault = fault_named(known.fault);
  const Case subject = case_of(known.line);
  const Verdict verdict = judged(subject, *fault.make());
  const std::string wanted = std::string(name(fault.caught_by)) + "/" + std::string(known.kind);
  ASSERT_EQ(signature(verdict), wanted) << print(subject, verdict);
  EXPECT_NE(verdict.status, Status::pass);
  const std::string& evidence = verdict.findings.front().evidence;
  EXPECT_NE(evidence.find(known.evidence), std::string::npos) << evidence;
}

TEST_P(KnownFault, IsNotFoundInTheCorrectBackend) {
  const Case subject = case_of(GetParam().line);
  impl::ShardedBackend backend;
  const Verdict verdict = check(subject, backend, {.repeat = true, .relating = Relating::every});
  EXPECT_TRUE(verdict.findings.empty()) << print(subject, verdict);
  EXPECT_NE(verdict.status, Status::illegal);
}

std::string name_of(const testing::TestParamInfo<KnownCase>& parameter) {
  const Kind kind = kind_of(case_of(parameter.param.line));
  return std::string(parameter.param.fault) + "_" + std::string(name(kind));
}

INSTANTIATE_TEST_SUITE_P(Faults, KnownFault, testing::ValuesIn(known_cases()), name_of);

TEST(Faults, HaveAKnownCaseInEachKindThatTheyAffectAndServeNoOther) {
  std::set<std::pair<std::string_view, Kind>> known;
  for (const KnownCase& each : known_cases()) {
    EXPECT_TRUE(known.insert({each.fault, kind_of(case_of(each.line))}).second) << each.fault;
  }
  for (const Fault& fault : faults()) {
    const auto backend = fault.make();
    EXPECT_FALSE(fault.kinds.empty()) << fault.name;
    for (const KindInfo& kind : kinds) {
      EXPECT_EQ(affects(fault, kind.kind), known.contains({fault.name, kind.kind}))
          << fault.name << " in " << kind.name;
      EXPECT_EQ(backend->serves(kind.kind), affects(fault, kind.kind)) << fault.name;
    }
  }
}

TEST(Faults, CoverEveryInvariantOfASingleCase) {
  std::set<std::pair<Invariant, Kind>> covered;
  for (const Fault& fault : faults()) {
    for (const Kind kind : fault.kinds) covered.insert({fault.caught_by, kind});
  }
  for (const InvariantInfo& info : invariants) {
    // Related cases are compared by a judge of their own.
    if (info.invariant == Invariant::metamorphic) continue;
    EXPECT_TRUE(covered.contains({info.invariant, Kind::product})) << info.name;
    // Calls have no plan and no local product.
    const bool is_of_calls =
        info.invariant != Invariant::plan && info.invariant != Invariant::coverage;
    EXPECT_EQ(covered.contains({info.invariant, Kind::calls}), is_of_calls) << info.name;
  }
}

/// Mistakes that aren't a woven step's own are found in one, and named as elsewhere.
TEST(Faults, AreNamedInWovenStepsToo) {
  constexpr std::array<std::string_view, 4> lines{
      "matmul mesh=x3 i=3 j=3 k=6 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=gather_local:A/x",
      "matmul mesh=x3 i=3 j=2 k=6 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local_scatter:C/x",
      "matmul mesh=x2,y2 i=4 j=4 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=summa:x/y",
      "matmul mesh=x2,y2 i=4 j=4 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y"};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> named{{
      {"rank_never_sends", "liveness/deadlock"},
      {"message_sent_twice", "liveness/deadlock"},
      {"element_left_unwritten", "memory/unwritten"},
      {"last_k_dropped", "coverage/k_missing"},
      {"last_k_dropped_in_silence", "coverage/k_missing"},
      {"k_blocks_in_another_order", "coverage/k_mispaired"},
      {"receive_added_to_ledger", "ledger/received_counted"},
      {"elements_for_bytes", "ledger/elements_for_bytes"},
      {"staging_buffer_of_fixed_size", "ledger/temporary_bytes"},
      {"stale_message", "value/wrong"},
  }};
  for (const std::string_view line : lines) {
    for (const auto& [name, wanted] : named) {
      const Case subject = case_of(std::string(line) + " data=rounding:1");
      const Verdict verdict = judged(subject, *fault_named(name).make());
      EXPECT_EQ(signature(verdict), wanted) << name << "\n" << print(subject, verdict);
    }
  }
}

TEST(Faults, AreLookedForInTheirBlockAlone) {
  // Rank 3 holds k = 1 of the lower rows. Without it they are wrong everywhere; the upper rows, for
  // which rank 2 multiplied k = 1, are right and say nothing against it.
  const Case subject = case_of(
      "matmul mesh=x2,y2 i=4 j=2 k=2 A[i/y,k/x] B[k/x,j] -> C[i,j] "
      "plan=local+all_reduce:C/x+gather:C/y");
  const Verdict verdict = judged(subject, *fault_named("rank_left_out").make());
  ASSERT_EQ(signature(verdict), "coverage/k_missing") << print(subject, verdict);
  EXPECT_EQ(verdict.findings.front().evidence,
            "k = 1 is missing, or rank 3 is missing; in rows 2..3");
}

TEST(Faults, AreToldOnceAContributorWithTheirPlace) {
  const Case subject = case_of(
      "matmul mesh=x2,y2 i=4 j=2 k=4 A[i/y,k/x] B[k/x,j] -> C[i,j] "
      "plan=local+all_reduce:C/x+gather:C/y data=probe");
  const auto first_evidence = [&](std::string_view name) {
    return judged(subject, *fault_named(name).make()).findings.front().evidence;
  };
  // Two blocks of rows, in each of them the same k.
  EXPECT_EQ(first_evidence("last_k_dropped_in_silence"), "k = 3 is missing everywhere");
  EXPECT_EQ(first_evidence("rank_counted_twice"), "rank 3 counted twice in rows 2..3");
}

TEST(Faults, HaveDistinctNamesAndSayWhereTheyComeFrom) {
  std::set<std::string_view> names;
  for (const Fault& fault : faults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
    EXPECT_FALSE(fault.meaning.empty());
    EXPECT_FALSE(fault.origin.empty());
  }
}

/// Lists that are told in full hide what zeros hide; only tokens for backends that told lists
/// would show it, as they do for one that tells none.
TEST(Liars, AboutTheirKAreSeenInTheirValues) {
  constexpr std::string_view product =
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x ";
  const auto told = fault_named("last_k_dropped_and_told").make();
  const Case shown = case_of(std::string(product) + "in=i64 data=rounding:1");
  EXPECT_EQ(signature(judged(shown, *told)), "coverage/k_missing");
  const Case hidden = case_of(std::string(product) + "data=given A=1,0,3,0 B=5,6,7,8");
  EXPECT_EQ(signature(judged(hidden, *told)), "");
  const auto silent = fault_named("last_k_dropped_in_silence").make();
  EXPECT_EQ(signature(check(hidden, *silent, {.tokens = true})), "coverage/k_missing");
}

/// The limit that docs/invariants.md states: where no sum rounds, nothing tells one way from
/// another but what the backend says.
TEST(Liars, AboutBytesAndStepsAreBeyondReachWhereSumsAreExact) {
  const Case exact = case_of(
      "matmul mesh=x4 i=8 j=8 k=16 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x "
      "data=ints");
  for (const std::string_view name : {"ledger_of_what_was_asked", "steps_of_what_was_asked"}) {
    const Verdict verdict = judged(exact, *fault_named(name).make());
    EXPECT_EQ(verdict.status, Status::pass) << name << "\n" << print(exact, verdict);
  }
}

}  // namespace
}  // namespace shardcheck
