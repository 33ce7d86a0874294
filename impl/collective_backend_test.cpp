// Every collective by every algorithm, at every number of members up to 17, against the plain
// definition. The data are random words summed modulo 2^64, so that no term can be left out, taken
// twice or exchanged unseen, in whatever order they are added.

#include "collective_backend.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "collective_definition.h"

namespace shardcheck::impl {
namespace {

constexpr std::array collectives{
    Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather,
    Collective::reduce,     Collective::broadcast,      Collective::gather,
    Collective::scatter,    Collective::all_to_all,     Collective::permute};

/// All members in one group along x; i64.
CollectiveCase basic(std::vector<Call> calls, std::int64_t members, std::int64_t n) {
  CollectiveCase subject;
  subject.mesh.axes = {{"x", members}};
  subject.over = {0};
  subject.calls = std::move(calls);
  subject.n = n;
  subject.dtypes = {Dtype::i64, Dtype::i64, Dtype::i64, Dtype::i64};
  subject.regime = Data::Regime::given;
  for (std::int64_t member = 0; member < members; ++member) {
    subject.destinations.push_back((member + 1) % members);
  }
  return subject;
}

void fill(CollectiveCase& subject, std::mt19937_64& random) {
  const int unused = 64 - 8 * info(subject.dtypes.in).bytes;
  subject.given.assign(static_cast<std::size_t>(rank_count(subject.mesh)), {});
  for (const std::vector<std::int64_t>& group : groups_of(subject)) {
    for (std::size_t member = 0; member < group.size(); ++member) {
      std::vector<Bits>& input = subject.given[static_cast<std::size_t>(group[member])];
      input.resize(
          static_cast<std::size_t>(input_length(subject, static_cast<std::int64_t>(member))));
      for (Bits& bits : input) bits = random() >> unused;
    }
  }
}

Bits sum(const std::vector<Bits>& terms) {
  return std::accumulate(terms.begin(), terms.end(), Bits{0});
}

std::string describe(const CollectiveCase& subject) {
  std::string text;
  for (const Call& call : subject.calls) {
    text += std::string(name(call.collective)) + " by " + std::string(name(call.algorithm)) + ", ";
  }
  text += std::to_string(member_count(subject)) + " of " +
          std::to_string(rank_count(subject.mesh)) + " ranks, n=" + std::to_string(subject.n) +
          ", root " + std::to_string(subject.root) + ", split " +
          std::to_string(static_cast<int>(subject.split.rule));
  return text;
}

bool reports_left_over(const Observation& seen) {
  return !seen.left_over || !seen.left_over->empty();
}

void expect_as_defined(ShardedCollectives& backend, const CollectiveCase& subject,
                       const Fold& fold = sum) {
  SCOPED_TRACE(describe(subject));
  const std::vector<Part> expected = results_by_definition(subject, fold);
  std::int64_t room = 0;
  for (const Part& part : expected) {
    room = std::max(room, static_cast<std::int64_t>(part.elements.size()));
  }
  if (subject.in_place) room = std::max(room, subject.n);
  const CollectiveRun run = run_collective(backend, subject, room);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.results, expected);
  EXPECT_FALSE(run.wrote_elsewhere);
  EXPECT_FALSE(reports_left_over(run.seen));
  ASSERT_TRUE(run.seen.ledger);
  EXPECT_EQ(run.seen.ledger->sent, run.seen.ledger->received);
}

Split split_by(Split::Rule rule) {
  Split split;
  split.rule = rule;
  return split;
}

/// Even, uneven, with empty blocks; contiguous and not.
std::vector<std::pair<std::int64_t, Split>> divisions(std::int64_t members,
                                                      std::mt19937_64& random) {
  std::vector<std::pair<std::int64_t, Split>> all;
  all.push_back({3 * members, {}});
  all.push_back({2 * members + members / 2 + 1, {}});
  all.push_back({members - 1, {}});
  all.push_back({members + 1, split_by(Split::Rule::ceil)});
  Split cyclic = split_by(Split::Rule::cyclic);
  cyclic.block = 2;
  all.push_back({2 * members + 1, cyclic});
  Split sizes = split_by(Split::Rule::sizes);
  Split sets = split_by(Split::Rule::sets);
  sets.sets.resize(static_cast<std::size_t>(members));
  std::int64_t n = 0;
  for (std::int64_t member = 0; member < members; ++member) {
    sizes.sizes.push_back(static_cast<std::int64_t>(random() % 4));
    n += sizes.sizes.back();
  }
  for (std::int64_t position = n; position-- > 0;) {
    sets.sets[random() % sets.sets.size()].push_back(position);
  }
  all.push_back({n, sizes});
  all.push_back({n, sets});
  return all;
}

bool needs_equal_blocks(const Call& call) {
  return call.collective == Collective::all_to_all && call.algorithm == Algorithm::bruck;
}

/// Calls `check` for every algorithm of every collective, with every division, at every root worth
/// trying.
template <typename Check>
void for_each_case(std::int64_t members, std::mt19937_64& random, Check check) {
  for (const Collective collective : collectives) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      if (algorithm != Algorithm::ring && algorithm != Algorithm::direct) continue;
      for (const auto& [n, split] : divisions(members, random)) {
        CollectiveCase subject = basic({{collective, algorithm}}, members, n);
        subject.split = split;
        if (needs_equal_blocks(subject.calls[0]) && n != 3 * members) continue;
        std::vector<std::int64_t> roots{0};
        if (has_root(collective) && members > 1) roots = {0, 1, members / 2, members - 1};
        for (const std::int64_t root : roots) {
          subject.root = root;
          subject.run.seed = random();
          fill(subject, random);
          check(subject);
        }
      }
    }
  }
}

class EveryCollective : public testing::TestWithParam<std::int64_t> {};

TEST_P(EveryCollective, GivesWhatItIsDefinedToOnFibers) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  ShardedCollectives backend;
  for_each_case(GetParam(), random,
                [&](const CollectiveCase& subject) { expect_as_defined(backend, subject); });
}

TEST_P(EveryCollective, GivesWhatItIsDefinedToOnThreads) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  ShardedCollectives backend;
  for_each_case(GetParam(), random, [&](CollectiveCase subject) {
    if (random() % 4 != 0) return;
    subject.run.kind = Run::Kind::threads;
    expect_as_defined(backend, subject);
  });
}

INSTANTIATE_TEST_SUITE_P(Members, EveryCollective, testing::Range<std::int64_t>(1, 18));

}  // namespace
}  // namespace shardcheck::impl
