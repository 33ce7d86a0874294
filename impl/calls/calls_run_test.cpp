// Every collective by every algorithm, at every number of members up to 17, against the plain
// definition, on fibers.

#include <shardcheck/impl/backend.h>

#include <numeric>

#include <gtest/gtest.h>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/by_hand/calls_cases.h>
#include <shardcheck/impl/by_hand/run_case.h>

namespace shardcheck::impl {
namespace {

Bits sum_of_bytes(const std::vector<Bits>& terms) { return sum(terms) & 0xffU; }

class EveryCollective : public testing::TestWithParam<std::int64_t> {};

TEST_P(EveryCollective, GivesWhatItIsDefinedToOnFibers) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  ShardedBackend backend;
  for_each_case(GetParam(), random,
                [&](const CallsCase& subject) { expect_as_defined(backend, subject); });
}

INSTANTIATE_TEST_SUITE_P(Members, EveryCollective, testing::Range<std::int64_t>(1, 18));

TEST(Collectives, KeepToTheirGroups) {
  std::mt19937_64 random(1);
  ShardedBackend backend;
  for (const std::vector<int>& over :
       {std::vector{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
    for (const Collective collective : every_collective) {
      for (const Algorithm algorithm : algorithms_of(collective)) {
        CallsCase subject = basic_case({{collective, algorithm}}, 12, 24, Dtype::i64);
        subject.mesh.axes = {{"x", 2}, {"y", 3}, {"z", 2}};
        subject.over = over;
        const std::int64_t members = member_count(subject);
        subject.destinations.resize(static_cast<std::size_t>(members));
        std::iota(subject.destinations.rbegin(), subject.destinations.rend(), 0);
        subject.root = has_root(collective) ? members - 1 : 0;
        subject.run.seed = random();
        fill(subject, random);
        expect_as_defined(backend, subject);
      }
    }
  }
}

TEST(Collectives, WorkInPlace) {
  std::mt19937_64 random(2);
  ShardedBackend backend;
  for (std::int64_t members = 1; members <= 9; ++members) {
    for (const Collective collective : every_collective) {
      if (!may_be_in_place(collective)) continue;
      for (const Algorithm algorithm : algorithms_of(collective)) {
        for (const auto& [n, split] : divisions(members, random)) {
          for (const Dtype dtype : {Dtype::i64, Dtype::u8}) {
            CallsCase subject = basic_case({{collective, algorithm}}, members, n, dtype);
            subject.split = split;
            subject.in_place = true;
            subject.root = has_root(collective) ? members / 2 : 0;
            fill(subject, random);
            expect_as_defined(backend, subject, dtype == Dtype::i64 ? sum : sum_of_bytes);
          }
        }
      }
    }
  }
}

/// Every row of calls that starts with `calls` and goes on as long as it may.
template <typename Check>
void for_each_row(std::vector<Call> calls, std::mt19937_64& random, Check check) {
  check(calls);
  if (calls.size() == 4) return;
  for (const Collective next : every_collective) {
    if (cannot_follow(calls, next)) continue;
    const auto of = algorithms_of(next);
    calls.push_back({next, of[random() % of.size()]});
    for_each_row(calls, random, check);
    calls.pop_back();
  }
}

TEST(Collectives, GoOnFromWhatTheCallBeforeLeft) {
  std::mt19937_64 random(3);
  ShardedBackend backend;
  for (const Collective first : every_collective) {
    for_each_row({{first, algorithms_of(first)[0]}}, random, [&](const std::vector<Call>& calls) {
      const std::int64_t members = 1 + static_cast<std::int64_t>(random() % 6);
      const auto all = divisions(members, random);
      const auto& [n, split] = all[needs_equal_blocks(calls.back()) ? 0 : random() % all.size()];
      CallsCase subject = basic_case(calls, members, n, Dtype::i64);
      subject.split = split;
      subject.root = static_cast<std::int64_t>(random()) % members;
      subject.root = (subject.root + members) % members;
      subject.run.seed = random();
      fill(subject, random);
      expect_as_defined(backend, subject);
    });
  }
}

TEST(Collectives, SwapByAMatrixOfCounts) {
  std::mt19937_64 random(4);
  ShardedBackend backend;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::int64_t members = 1 + repeat % 9;
    const Algorithm algorithm = algorithms_of(Collective::all_to_all)[random() % 3];
    CallsCase subject = basic_case({{Collective::all_to_all, algorithm}}, members, 0, Dtype::i64);
    const auto one_for_all = static_cast<std::int64_t>(random() % 4);
    for (std::int64_t row = 0; row < members; ++row) {
      subject.counts.emplace_back();
      for (std::int64_t column = 0; column < members; ++column) {
        const auto count = static_cast<std::int64_t>(random() % 4);
        subject.counts.back().push_back(needs_equal_blocks(subject.calls[0]) ? one_for_all : count);
      }
    }
    fill(subject, random);
    expect_as_defined(backend, subject);
  }
}

TEST(Collectives, PermuteToWhoeverIsNamed) {
  ShardedBackend backend;
  std::mt19937_64 random(5);
  for (const std::vector<std::int64_t>& destinations :
       {std::vector<std::int64_t>{0, 1, 2}, {1, 2, 0}, {-1, 0, 1}, {-1, -1, -1}, {2, -1, 0}}) {
    CallsCase subject = basic_case({{Collective::permute, Algorithm::direct}}, 3, 5, Dtype::i64);
    subject.destinations = destinations;
    fill(subject, random);
    expect_as_defined(backend, subject);
  }
}

TEST(Collectives, RefuseWhatAnAlgorithmCannotServe) {
  ShardedBackend backend;
  std::mt19937_64 random(6);
  CallsCase subject = basic_case({{Collective::all_to_all, Algorithm::bruck}}, 3, 4, Dtype::u32);
  fill(subject, random);
  EXPECT_EQ(run_calls(backend, subject, 12).seen.ending, Ending::unsupported);
  for (const Collective collective :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::reduce}) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const std::int64_t root : {0, 1}) {
        if (root > 0 && collective != Collective::reduce) continue;
        subject = basic_case({{collective, algorithm}}, 3, 4, Dtype::u32);
        subject.op = Operator::matrix;
        subject.root = root;
        fill(subject, random);
        const bool keeps_order =
            algorithm == Algorithm::direct ||
            (root == 0 && (algorithm == Algorithm::doubling || algorithm == Algorithm::binomial ||
                           algorithm == Algorithm::chain));
        const Observation seen = run_calls(backend, subject, 4).seen;
        EXPECT_EQ(seen.ending, keeps_order ? Ending::finished : Ending::unsupported)
            << describe(subject) << ": " << seen.cause;
        EXPECT_EQ(seen.owned.empty(), !keeps_order);
      }
    }
  }
}

/// The ranks keep their memory from run to run, whatever the kind of the next case.
TEST(ShardedBackend, ServesBothKindsInTurn) {
  ShardedBackend backend;
  EXPECT_TRUE(backend.serves(Kind::product));
  EXPECT_TRUE(backend.serves(Kind::calls));
  const ProductCase product = *parse_product(
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 data=given A=1,2,3,4 "
      "B=5,6,7,8");
  std::mt19937_64 random(7);
  for (const std::int64_t members : {1, 5, 3}) {
    CallsCase calls =
        basic_case({{Collective::all_reduce, Algorithm::ring}}, members, 7, Dtype::i64);
    fill(calls, random);
    expect_as_defined(backend, calls);
    const CaseRun run = run_case(backend, product);
    ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
    EXPECT_EQ(run.numbers(), (std::vector<std::vector<double>>{{19, 22}, {43, 50}}));
  }
}

}  // namespace
}  // namespace shardcheck::impl
