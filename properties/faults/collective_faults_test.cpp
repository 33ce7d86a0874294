#include "collective_fault.h"

#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {

/// For GoogleTest, which would print the bytes of the table's entry.
void PrintTo(const CollectiveFault& fault, std::ostream* out) { *out << fault.name; }

namespace {

/// For each fault a case that shows it, the kind of its first finding, and a part of the evidence.
struct KnownCase {
  std::string_view line;
  std::string_view kind;
  std::string_view evidence{};
};

const std::map<std::string_view, KnownCase>& known_cases() {
  static const std::map<std::string_view, KnownCase> table{
      {"starts_at_its_own_rank",
       {"reduce_scatter mesh=x3 n=3 op=matrix in=u32 algorithm=direct", "wrong"}},
      {"folded_in_rank_also_kept",
       {"all_reduce mesh=x3 n=2 in=i32 algorithm=doubling data=given X=1,2|10,20|100,200", "wrong",
        "rank 0 counted twice in call 0"}},
      {"offset_by_ceil",
       {"all_gather mesh=x3 n=6 split.n=sizes:3,1,2 in=i32 data=given X=1,2,3|4|5,6", "wrong",
        "coordinate"}},
      {"average_divided_by_all_ranks",
       {"reduce mesh=x2,y3 over=x n=2 op=average data=given X=6,6|6,6|6,6|6,6|6,6|6,6", "wrong"}},
      {"nothing_is_added",
       {"reduce_scatter mesh=x2 n=4 in=i32 algorithm=pairwise data=given X=1,2,3,4|5,6,7,8",
        "wrong", "its own value, kept"}},
      {"zero_byte_send_skipped", {"all_gather mesh=x2 n=1", "deadlock"}},
      {"empty_block_throws", {"all_gather mesh=x2 n=1", "threw"}},
      {"last_calls_data",
       {"reduce_scatter+gather mesh=x2 n=2 in=i32 data=given X=1,2|10,20", "wrong"}},
      {"in_place_reads_what_it_overwrote",
       {"reduce_scatter mesh=x2 n=4 in_place=yes in=i32 data=given X=1,2,3,4|5,6,7,8", "wrong"}},
      {"unsigned_compared_as_signed",
       {"reduce mesh=x2 n=1 op=min in=u8 data=given X=200|7", "wrong", "its own value, kept"}},
      {"neighbour_groups_rank",
       {"all_reduce mesh=x2,y2 over=y n=1 in=i32 data=given X=1|10|100|1000", "wrong"}},
      {"nans_dropped", {"all_reduce mesh=x2 n=2 op=max data=given X=1,nan|2,3", "nan_missing"}},
      {"second_run_differs", {"all_reduce mesh=x2 n=2 in=i32", "bits_differ"}},
      {"root_fixed_at_zero", {"reduce mesh=x2 n=2 root=1 in=i32", "too_many"}},
      {"replica_differs", {"all_reduce mesh=x2 n=2 in=i32", "replicas_differ"}},
      {"send_buffer_changed", {"all_reduce mesh=x2 n=2 in=i32", "input_changed"}},
      {"one_rank_copies_nothing", {"all_reduce mesh=x1 n=2 in=i32", "unwritten"}},
      {"one_past_the_end", {"reduce_scatter mesh=x2 n=4 in=i32", "written_outside"}},
      {"staging_buffer_of_fixed_size", {"all_reduce mesh=x2 n=4 in=i32", "temporary_bytes"}},
      {"own_block_counted_as_received", {"all_gather mesh=x2 n=4 in=i32", "received_differs"}},
  };
  return table;
}

class KnownCollectiveFault : public testing::TestWithParam<CollectiveFault> {};

TEST_P(KnownCollectiveFault, IsNamedByItsInvariantOnAKnownCase) {
  const CollectiveFault& fault = GetParam();
  const auto known = known_cases().find(fault.name);
  ASSERT_NE(known, known_cases().end()) << "no known case for " << fault.name;
  const auto subject = parse_calls(known->second.line);
  ASSERT_TRUE(subject.has_value()) << print(subject.error());
  const Verdict verdict = check(*subject, *fault.make(), {.repeat = true});
  const std::string wanted =
      std::string(name(fault.caught_by)) + "/" + std::string(known->second.kind);
  ASSERT_EQ(signature(verdict), wanted) << print(*subject, verdict);
  EXPECT_NE(verdict.status, Status::pass);
  const std::string& evidence = verdict.findings.front().evidence;
  EXPECT_NE(evidence.find(known->second.evidence), std::string::npos) << evidence;
}

TEST_P(KnownCollectiveFault, IsNotFoundInTheCorrectBackend) {
  const auto subject = parse_calls(known_cases().at(GetParam().name).line);
  ASSERT_TRUE(subject.has_value()) << print(subject.error());
  impl::ShardedBackend backend;
  const Verdict verdict = check(*subject, backend, {.repeat = true, .relating = Relating::every});
  EXPECT_TRUE(verdict.findings.empty()) << print(*subject, verdict);
  EXPECT_NE(verdict.status, Status::illegal);
}

std::string name_of(const testing::TestParamInfo<CollectiveFault>& parameter) {
  return std::string(parameter.param.name);
}

INSTANTIATE_TEST_SUITE_P(Faults, KnownCollectiveFault, testing::ValuesIn(collective_faults()),
                         name_of);

TEST(CollectiveFaults, CoverEveryInvariantOfASingleCase) {
  std::set<Invariant> covered;
  for (const CollectiveFault& fault : collective_faults()) covered.insert(fault.caught_by);
  EXPECT_EQ(covered,
            (std::set<Invariant>{Invariant::liveness, Invariant::memory, Invariant::ownership,
                                 Invariant::ledger, Invariant::value, Invariant::determinism}));
}

TEST(CollectiveFaults, HaveDistinctNamesAndSayWhereTheyComeFrom) {
  std::set<std::string_view> names;
  for (const CollectiveFault& fault : collective_faults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
    EXPECT_FALSE(fault.meaning.empty());
    EXPECT_FALSE(fault.origin.empty());
  }
  EXPECT_EQ(names.size(), known_cases().size());
}

}  // namespace
}  // namespace shardcheck
