#include "fault.h"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {

/// For GoogleTest, which would print the bytes of the table's entry.
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

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

/// For each fault a case that shows it, and the kind of its first finding.
struct KnownCase {
  std::string_view line;
  std::string_view kind;
};

const std::map<std::string_view, KnownCase>& known_cases() {
  static const std::map<std::string_view, KnownCase> table{
      {"rank_never_sends", {rows, "deadlock"}},
      {"rank_throws", {rows, "threw"}},
      {"message_sent_twice", {rows, "deadlock"}},
      {"element_written_outside", {rows, "written_outside"}},
      {"input_changed", {rows, "input_changed"}},
      {"element_left_unwritten", {rows, "unwritten"}},
      {"float_mode_changed", {rows, "float_mode_changed"}},
      {"another_plan", {replicas, "differs"}},
      {"all_reduce_left_out", {replicas, "illegal_step"}},
      {"last_k_dropped", {rows, "k_missing"}},
      {"last_k_dropped_in_silence", {rows, "k_missing"}},
      {"rank_left_out",
       {"matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x",
        "rank_missing"}},
      {"rank_counted_twice",
       {"matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x",
        "rank_doubled"}},
      {"k_blocks_in_another_order",
       {"matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x",
        "k_mispaired"}},
      {"result_shards_swapped", {rows, "wrong_elements"}},
      {"result_values_swapped", {rows, "swapped"}},
      {"partials_concatenated", {rows, "unreduced"}},
      {"rows_off_by_one", {rows, "wrong_elements"}},
      {"replica_differs", {replicas, "replicas_differ"}},
      {"receive_added_to_ledger", {rows, "received_counted"}},
      {"phase_charged_early", {rows, "wrong_phase"}},
      {"elements_for_bytes", {rows, "elements_for_bytes"}},
      {"staging_buffer_of_fixed_size", {rows, "temporary_bytes"}},
      {"one_ulp_added", {rows, "one_ulp"}},
      {"subnormals_flushed",
       {"matmul i=1 j=2 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=1 B=0x1p-140,1", "wrong"}},
      {"rounded_at_every_hop", {rounding, "wrong"}},
      {"order_of_another_algorithm", {rounding, "one_ulp"}},
      {"stale_message",
       {"matmul mesh=x3 i=3 j=2 k=6 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x",
        "wrong"}},
      {"second_run_differs", {rows, "bits_differ"}},
      {"cannon_without_skew_of_b",
       {"matmul mesh=x2,y2 i=2 j=2 k=2 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y",
        "k_mispaired"}},
      {"cannon_shifted_the_wrong_way",
       {"matmul mesh=x3,y3 i=3 j=3 k=3 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y",
        "sent_differs"}},
      {"panel_multiplied_twice",
       {"matmul mesh=x2,y2 i=2 j=2 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=summa:x/y",
        "k_doubled"}},
      {"last_block_left_out",
       {"matmul mesh=x3 i=2 j=3 k=6 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=gather_local:A/x",
        "k_missing"}},
      {"gathered_before_it_multiplies",
       {"matmul mesh=x3 i=4 j=6 k=9 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=gather_local:A/x "
        "data=rounding:1",
        "one_ulp"}},
      {"block_off_by_one",
       {"matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local_scatter:C/x",
        "wrong"}},
  };
  return table;
}

Verdict judged(const ProductCase& subject, Backend& backend) {
  return check(subject, backend, {.repeat = true});
}

class KnownFault : public testing::TestWithParam<Fault> {};

TEST_P(KnownFault, IsNamedByItsInvariantOnAKnownCase) {
  const Fault& fault = GetParam();
  const auto known = known_cases().find(fault.name);
  ASSERT_NE(known, known_cases().end()) << "no known case for " << fault.name;
  const auto subject = parse_product(known->second.line);
  ASSERT_TRUE(subject.has_value()) << print(subject.error());
  const Verdict verdict = judged(*subject, *fault.make());
  const std::string wanted =
      std::string(name(fault.caught_by)) + "/" + std::string(known->second.kind);
  EXPECT_EQ(signature(verdict), wanted) << print(*subject, verdict);
  EXPECT_NE(verdict.status, Status::pass);
}

TEST_P(KnownFault, IsNotFoundInTheCorrectBackend) {
  const auto subject = parse_product(known_cases().at(GetParam().name).line);
  ASSERT_TRUE(subject.has_value()) << print(subject.error());
  impl::ShardedBackend backend;
  const Verdict verdict = judged(*subject, backend);
  EXPECT_TRUE(verdict.findings.empty()) << print(*subject, verdict);
}

std::string name_of(const testing::TestParamInfo<Fault>& parameter) {
  return std::string(parameter.param.name);
}

INSTANTIATE_TEST_SUITE_P(Faults, KnownFault, testing::ValuesIn(faults()), name_of);

TEST(Faults, CoverEveryInvariantOfASingleCase) {
  std::set<Invariant> covered;
  for (const Fault& fault : faults()) covered.insert(fault.caught_by);
  for (const InvariantInfo& info : invariants) {
    // Related cases are compared by a judge of their own.
    if (info.invariant == Invariant::metamorphic) continue;
    EXPECT_TRUE(covered.contains(info.invariant)) << info.name << " has no fault";
  }
}

/// Mistakes that aren't a schedule's own are found in one, and named as elsewhere.
TEST(Faults, AreNamedInSchedulesToo) {
  constexpr std::array<std::string_view, 4> schedules{
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
  for (const std::string_view line : schedules) {
    for (const auto& [name, wanted] : named) {
      const auto fault = std::ranges::find(faults(), name, &Fault::name);
      ASSERT_NE(fault, faults().end()) << name;
      const auto subject = parse_product(std::string(line) + " data=rounding:1");
      ASSERT_TRUE(subject.has_value()) << line;
      const Verdict verdict = judged(*subject, *fault->make());
      EXPECT_EQ(signature(verdict), wanted) << name << "\n" << print(*subject, verdict);
    }
  }
}

TEST(Faults, AreLookedForInTheirBlockAlone) {
  // Rank 3 holds k = 1 of the lower rows. Without it they are wrong everywhere; the upper rows, for
  // which rank 2 multiplied k = 1, are right and say nothing against it.
  const auto subject = parse_product(
      "matmul mesh=x2,y2 i=4 j=2 k=2 A[i/y,k/x] B[k/x,j] -> C[i,j] "
      "plan=local+all_reduce:C/x+gather:C/y");
  ASSERT_TRUE(subject.has_value()) << print(subject.error());
  const auto fault = std::ranges::find(faults(), "rank_left_out", &Fault::name);
  ASSERT_NE(fault, faults().end());
  const Verdict verdict = judged(*subject, *fault->make());
  ASSERT_EQ(signature(verdict), "coverage/k_missing") << print(*subject, verdict);
  EXPECT_EQ(verdict.findings.front().evidence,
            "k = 1 is missing, or rank 3 is missing; in rows 2..3");
}

TEST(Faults, AreToldOnceAContributorWithTheirPlace) {
  const auto subject = parse_product(
      "matmul mesh=x2,y2 i=4 j=2 k=4 A[i/y,k/x] B[k/x,j] -> C[i,j] "
      "plan=local+all_reduce:C/x+gather:C/y data=probe");
  ASSERT_TRUE(subject.has_value()) << print(subject.error());
  const auto first_evidence = [&](std::string_view name) {
    const auto fault = std::ranges::find(faults(), name, &Fault::name);
    return judged(*subject, *fault->make()).findings.front().evidence;
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
  EXPECT_EQ(names.size(), known_cases().size());
}

}  // namespace
}  // namespace shardcheck
