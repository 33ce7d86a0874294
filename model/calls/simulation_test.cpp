#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <shardcheck/model/case/inputs/calls_inputs.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/exact/format.h>

#include <shardcheck/model/simulated/simulated_group.h>
#include "expectation.h"

// Every algorithm, message by message in generic arithmetic, against the trees, the closed forms
// and the ownership.

namespace shardcheck::model {
namespace {

constexpr std::int64_t members_max = 17;

bool starts_from_blocks(Collective collective) {
  return collective == Collective::all_gather || collective == Collective::gather;
}

bool starts_at_root(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::scatter;
}

/// What each member of a group starts with.
std::vector<Elements> start(const CallsCase& subject, const std::vector<std::int64_t>& ranks) {
  const CollectiveInputs inputs(subject);
  const Collective first = subject.calls.front().collective;
  const auto members = static_cast<std::int64_t>(ranks.size());
  std::vector<Elements> result(ranks.size());
  for (std::size_t m = 0; m < ranks.size(); ++m) {
    if (starts_from_blocks(first)) {
      std::int64_t place = 0;
      const IndexList block = counted_out(subject.split, subject.n, members)[m];
      for (const std::int64_t p : block) {
        result[m][p] = inputs.at(ranks[m], place++, p);
      }
      continue;
    }
    if (starts_at_root(first) && static_cast<std::int64_t>(m) != subject.root) continue;
    std::int64_t count = subject.n;
    if (!subject.counts.empty()) {
      for (const std::int64_t sent : subject.counts[m]) count += sent;
    }
    for (std::int64_t p = 0; p < count; ++p) result[m][p] = inputs.at(ranks[m], p, p);
  }
  return result;
}

/// Requires: one group, all ranks in order.
void expect_as_simulated(const CallsCase& subject) {
  const auto expected = expect_calls(subject);
  ASSERT_TRUE(expected.has_value()) << expected.error();
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) ranks.push_back(rank);
  SimulatedGroup group(subject, start(subject, ranks));
  std::vector<Transfer> sent;
  for (std::size_t call = 0; call < subject.calls.size(); ++call) {
    group.run(subject.calls[call]);
    for (const auto& [pair, bytes] : group.sent()) {
      sent.push_back({static_cast<std::int64_t>(call), pair.first, pair.second, bytes, 0});
    }
  }
  EXPECT_EQ((*expected)->sent, sent);
  for (const std::int64_t rank : ranks) {
    const Elements& held = group.held()[static_cast<std::size_t>(rank)];
    const IndexList& owned = (*expected)->owned_list(rank);
    EXPECT_EQ(owned.size(), held.size()) << "rank " << rank;
    for (const auto& [coordinate, bits] : held) {
      EXPECT_NE(std::find(owned.begin(), owned.end(), coordinate), owned.end());
      const Allowed allowed = (*expected)->allowed(rank, coordinate);
      EXPECT_TRUE(allowed.only_nan || allowed.low == allowed.high);
      EXPECT_TRUE(allows(allowed, subject.dtypes.out, bits))
          << "rank " << rank << ", coordinate " << coordinate << ": "
          << describe(allowed, subject.dtypes.out) << ", simulated 0x" << std::hex << bits;
    }
  }
}

void expect_as_simulated(const std::string& line) {
  SCOPED_TRACE(line);
  const auto parsed = parse_calls(line);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().expected << ", not " << parsed.error().found;
  expect_as_simulated(*parsed);
}

/// Ways of cutting among P: even, uneven, with empty blocks, dealt out.
std::vector<std::string> cuts(std::int64_t members) {
  std::string sizes;
  std::int64_t n = 0;
  for (std::int64_t m = 0; m < members; ++m) {
    const std::int64_t size = (m * 5 + 2) % 4;
    sizes += (m == 0 ? "" : ",") + std::to_string(size);
    n += size;
  }
  return {" n=" + std::to_string(2 * members), " n=" + std::to_string(members + members / 2 + 1),
          " n=" + std::to_string(members / 2),
          " n=" + std::to_string(n) + " split.n=sizes:" + sizes,
          " n=" + std::to_string(3 * members - 1) + " split.n=cyclic:2"};
}

std::string head(Collective collective, std::int64_t members) {
  return std::string(name(collective)) + " mesh=x" + std::to_string(members);
}

/// The cuts that make sense for the collective: one that doesn't divide n has sizes alone.
std::vector<std::string> sizes_for(Collective collective, std::int64_t members) {
  if (divides(collective)) return cuts(members);
  return {" n=" + std::to_string(2 * members), " n=" + std::to_string(members + members / 2 + 1),
          " n=" + std::to_string(members / 2)};
}

class EveryAlgorithm : public testing::TestWithParam<std::pair<Collective, Algorithm>> {};
class EveryRootedAlgorithm : public EveryAlgorithm {};
class EveryReducingAlgorithm : public EveryAlgorithm {};

TEST_P(EveryAlgorithm, IsAsSimulatedForEveryNumberOfMembersAndCut) {
  const auto [collective, algorithm] = GetParam();
  for (std::int64_t members = 1; members <= members_max; ++members) {
    for (const std::string& size : sizes_for(collective, members)) {
      if (algorithm == Algorithm::bruck && collective == Collective::all_to_all &&
          size != cuts(members)[0]) {
        continue;
      }
      expect_as_simulated(head(collective, members) + size +
                          " in=bf16 data=rounding:1 algorithm=" + std::string(name(algorithm)));
    }
  }
}

TEST_P(EveryRootedAlgorithm, IsAsSimulatedForEveryRoot) {
  const auto [collective, algorithm] = GetParam();
  for (const std::int64_t members : {2, 3, 5, 8, 11}) {
    for (std::int64_t root = 0; root < members; ++root) {
      for (const std::string& size : sizes_for(collective, members)) {
        expect_as_simulated(head(collective, members) + size +
                            " in=f16 acc=f16 data=rounding:2 root=" + std::to_string(root) +
                            " algorithm=" + std::string(name(algorithm)));
      }
    }
  }
}

TEST_P(EveryReducingAlgorithm, IsAsSimulatedForEveryOperatorAndDtype) {
  const auto [collective, algorithm] = GetParam();
  const std::vector<std::string> floats{"f32", "f64",      "bf16",   "bf16 acc=bf16",
                                        "f16", "f8e4m3fn", "f8e5m2", "f8e5m2 acc=f16"};
  const std::vector<std::string> integers{"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"};
  for (const OperatorInfo& op : operators) {
    if (op.op == Operator::matrix) continue;
    const bool is_bitwise =
        op.op == Operator::bit_and || op.op == Operator::bit_or || op.op == Operator::bit_xor;
    std::vector<std::string> dtypes = integers;
    if (!is_bitwise) dtypes.insert(dtypes.end(), floats.begin(), floats.end());
    for (const std::string& dtype : dtypes) {
      for (const std::int64_t members : {2, 6, 7}) {
        for (const char* data : {" data=ints:3", " data=rounding:4"}) {
          expect_as_simulated(head(collective, members) + " n=9 op=" + std::string(op.name) +
                              " in=" + dtype + data + " algorithm=" + std::string(name(algorithm)));
        }
      }
    }
  }
}

// In a plan wire and out are dtypes of their own: a partial that is sent loses what one that stays
// keeps, and what is finished has another width.
TEST_P(EveryReducingAlgorithm, IsAsSimulatedWithAWireOfItsOwn) {
  const auto [collective, algorithm] = GetParam();
  for (std::int64_t members = 1; members <= members_max; ++members) {
    for (std::int64_t root = 0; root < (has_root(collective) ? members : 1); ++root) {
      const std::string line = head(collective, members) +
                               " n=13 data=rounding:6 algorithm=" + std::string(name(algorithm));
      SCOPED_TRACE(line);
      CallsCase subject = *parse_calls(line);
      subject.dtypes = {Dtype::f32, Dtype::f64, Dtype::bf16, Dtype::f32};
      subject.root = root;
      expect_as_simulated(subject);
    }
  }
}

TEST_P(EveryReducingAlgorithm, KeepsTheOrderOfMatricesOrIsRefused) {
  const auto [collective, algorithm] = GetParam();
  const bool serves = algorithm == Algorithm::direct || algorithm == Algorithm::binomial ||
                      algorithm == Algorithm::chain || algorithm == Algorithm::doubling;
  for (std::int64_t members = 1; members <= members_max; ++members) {
    const std::string line = head(collective, members) +
                             " n=5 op=matrix in=u32 algorithm=" + std::string(name(algorithm));
    if (serves) {
      expect_as_simulated(line);
    } else {
      const auto subject = parse_calls(line);
      EXPECT_FALSE(expect_calls(*subject).has_value()) << line;
    }
  }
}

template <class Wanted>
std::vector<std::pair<Collective, Algorithm>> algorithms_where(const Wanted& wanted) {
  std::vector<std::pair<Collective, Algorithm>> result;
  for (std::size_t index = 0; index < collective_names.size(); ++index) {
    const auto collective = static_cast<Collective>(index);
    if (!wanted(collective)) continue;
    for (const Algorithm algorithm : algorithms_of(collective)) {
      result.emplace_back(collective, algorithm);
    }
  }
  return result;
}

std::string named(const testing::TestParamInfo<std::pair<Collective, Algorithm>>& of) {
  return std::string(name(of.param.first)) + "_by_" + std::string(name(of.param.second));
}

INSTANTIATE_TEST_SUITE_P(CollectiveSimulation, EveryAlgorithm,
                         testing::ValuesIn(algorithms_where([](Collective) { return true; })),
                         named);
INSTANTIATE_TEST_SUITE_P(CollectiveSimulation, EveryRootedAlgorithm,
                         testing::ValuesIn(algorithms_where(has_root)), named);
INSTANTIATE_TEST_SUITE_P(CollectiveSimulation, EveryReducingAlgorithm,
                         testing::ValuesIn(algorithms_where(reduces)), named);

TEST(CollectiveSimulation, AllToAllWithCounts) {
  for (const char* algorithm : {"direct", "pairwise"}) {
    expect_as_simulated("all_to_all mesh=x3 counts=1,0,2|0,0,3|4,1,1 in=i16 algorithm=" +
                        std::string(algorithm));
  }
  expect_as_simulated("all_to_all mesh=x3 counts=2,2,2|2,2,2|2,2,2 in=i16 algorithm=bruck");
}

TEST(CollectiveSimulation, PermuteWithHolesAndSelf) {
  expect_as_simulated("permute mesh=x4 n=3 to=-,0,2,1");
}

TEST(CollectiveSimulation, CallsInARowStartFromWhatWasLeft) {
  for (const char* calls :
       {"reduce_scatter+all_gather", "reduce+broadcast+all_reduce", "all_reduce+all_reduce",
        "scatter+gather+scatter+all_gather", "reduce_scatter+gather+broadcast+all_to_all",
        "all_gather+reduce_scatter", "broadcast+permute"}) {
    for (const char* members : {"1", "3", "4"}) {
      expect_as_simulated(std::string(calls) + " mesh=x" + members +
                          " n=7 in=bf16 data=rounding:5");
    }
  }
}

}  // namespace
}  // namespace shardcheck::model
