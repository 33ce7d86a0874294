#include "calls_cases.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace shardcheck::impl {
namespace {

bool reports_left_over(const Observation& seen) {
  return !seen.left_over || !seen.left_over->empty();
}

}  // namespace

Bits sum(const std::vector<Bits>& terms) {
  return std::accumulate(terms.begin(), terms.end(), Bits{0});
}

std::string describe(const CallsCase& subject) {
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

void expect_as_defined(ShardedBackend& backend, const CallsCase& subject, const Fold& fold) {
  SCOPED_TRACE(describe(subject));
  const std::vector<Part> expected = results_by_definition(subject, fold);
  std::int64_t room = 0;
  for (const Part& part : expected) {
    room = std::max(room, static_cast<std::int64_t>(part.elements.size()));
  }
  if (subject.in_place) room = std::max(room, subject.n);
  const CallsRun run = run_calls(backend, subject, room);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.results, expected);
  EXPECT_FALSE(run.wrote_elsewhere);
  EXPECT_FALSE(reports_left_over(run.seen));
  ASSERT_TRUE(run.seen.ledger);
  EXPECT_EQ(run.seen.ledger->sent, run.seen.ledger->received);
}

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

void for_each_case(std::int64_t members, std::mt19937_64& random,
                   const std::function<void(CallsCase)>& check) {
  for (const Collective collective : every_collective) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const auto& [n, split] : divisions(members, random)) {
        CallsCase subject = basic_case({{collective, algorithm}}, members, n, Dtype::i64);
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

}  // namespace shardcheck::impl
