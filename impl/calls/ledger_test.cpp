// What the meter counts, against the closed forms of docs/collectives.md, "Bytes".

#include <bit>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include <shardcheck/impl/by_hand/calls_definition.h>

namespace shardcheck::impl {
namespace {

using Bytes = std::vector<std::int64_t>;

/// The bytes that each member sends if blocks have these sizes, in bytes.
Bytes sent_by(const Call& call, const Bytes& blocks, std::int64_t root = 0) {
  const auto members = static_cast<std::int64_t>(blocks.size());
  CallsCase subject = basic_case(
      {call}, members, std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0}), Dtype::u8);
  subject.split = split_by(Split::Rule::sizes);
  subject.split.sizes = blocks;
  subject.root = root;
  std::mt19937_64 random(1);
  fill(subject, random);
  ShardedBackend backend;
  const CallsRun run = run_calls(backend, subject, members * subject.n);
  EXPECT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  return run.sent();
}

/// Blocks 0, 3, 1, 0, 2: one total, 24, three ledgers.
TEST(CollectiveLedger, IsThatOfTheUnevenExample) {
  const Bytes blocks{0, 3, 1, 0, 2};
  EXPECT_EQ(sent_by({Collective::reduce_scatter, Algorithm::ring}, blocks), (Bytes{6, 3, 5, 6, 4}));
  EXPECT_EQ(sent_by({Collective::all_gather, Algorithm::ring}, blocks), (Bytes{3, 5, 6, 4, 6}));
  EXPECT_EQ(sent_by({Collective::all_gather, Algorithm::bruck}, blocks), (Bytes{3, 10, 3, 2, 6}));
  EXPECT_EQ(sent_by({Collective::all_gather, Algorithm::direct}, blocks), (Bytes{0, 12, 4, 0, 8}));
  // Folded ranks are the members 1 2 3 4 with blocks 3 1 0 2. Doubling: 0 + 3·1 + 4·1 and 6 - 0
  // back from member 1, and so on.
  EXPECT_EQ(sent_by({Collective::all_gather, Algorithm::doubling}, blocks),
            (Bytes{0, 3 + 4 + 6, 1 + 4, 0 + 2, 2 + 2}));
  // Halving: member 0 sends all; 1 sends 0+2, then 1; 2 sends 2, then 3; 3 sends 4, then 2; 4 sends
  // 4, then 0. Block 0, which goes back, is empty.
  EXPECT_EQ(sent_by({Collective::reduce_scatter, Algorithm::halving}, blocks),
            (Bytes{6, 3, 5, 6, 4}));
}

TEST(CollectiveLedger, OfBrucksAllToAllCountsTheBitsOfTheDistances) {
  for (const auto& [members, blocks] : std::map<std::size_t, std::int64_t>{
           {1, 0}, {2, 1}, {3, 2}, {4, 4}, {5, 5}, {8, 12}, {16, 32}}) {
    EXPECT_EQ(sent_by({Collective::all_to_all, Algorithm::bruck}, Bytes(members, 1)),
              Bytes(members, blocks));
  }
}

TEST(CollectiveLedger, OfATreeCountsTheSubtrees) {
  // P = 5, root 2: u of the members 0 … 4 is 3 4 0 1 2. The subtree of u=2 holds u=3.
  const Bytes blocks{1, 2, 4, 8, 16};
  EXPECT_EQ(sent_by({Collective::gather, Algorithm::binomial}, blocks, 2),
            (Bytes{1, 2, 0, 8, 16 + 1}));
  EXPECT_EQ(sent_by({Collective::scatter, Algorithm::binomial}, blocks, 2),
            (Bytes{0, 0, 8 + 17 + 2, 0, 1}));
  EXPECT_EQ(sent_by({Collective::gather, Algorithm::direct}, blocks, 2), (Bytes{1, 2, 0, 8, 16}));
  EXPECT_EQ(sent_by({Collective::scatter, Algorithm::direct}, blocks, 2), (Bytes{0, 0, 27, 0, 0}));
  EXPECT_EQ(sent_by({Collective::reduce, Algorithm::binomial}, blocks, 2),
            (Bytes{31, 31, 0, 31, 31}));
  EXPECT_EQ(sent_by({Collective::broadcast, Algorithm::binomial}, blocks, 2),
            (Bytes{0, 0, 93, 0, 31}));
  EXPECT_EQ(sent_by({Collective::broadcast, Algorithm::chain}, blocks, 2),
            (Bytes{31, 0, 31, 31, 31}));
  // 31 balanced over u: 7 6 6 6 6. Scatter: u=0 sends 6, 12 and 6, u=2 sends 6. Ring: 31 - c_{u+1}.
  EXPECT_EQ(sent_by({Collective::broadcast, Algorithm::scatter_all_gather}, blocks, 2),
            (Bytes{25, 24, 24 + 25, 25, 6 + 25}));
}

TEST(CollectiveLedger, OfAnAllReduceIsThatOfBalancedBlocks) {
  // 7 bytes, P = 5, balanced over 5: 2 2 1 1 1, over p2 = 4: 2 2 2 1.
  const Bytes blocks{7, 0, 0, 0, 0};
  EXPECT_EQ(sent_by({Collective::all_reduce, Algorithm::ring}, blocks),
            (Bytes{5 + 5, 5 + 6, 6 + 6, 6 + 6, 6 + 5}));
  EXPECT_EQ(sent_by({Collective::all_reduce, Algorithm::direct}, blocks),
            (Bytes{5 + 8, 5 + 8, 6 + 4, 6 + 4, 6 + 4}));
  EXPECT_EQ(sent_by({Collective::all_reduce, Algorithm::doubling}, blocks),
            (Bytes{7, 14 + 7, 14, 14, 14}));
  // (7 - c_v) + c_v + the pair of v; member 1 hands 7 back.
  EXPECT_EQ(sent_by({Collective::all_reduce, Algorithm::rabenseifner}, blocks),
            (Bytes{7, 7 + 4 + 7, 7 + 4, 7 + 3, 7 + 3}));
  EXPECT_EQ(sent_by({Collective::all_reduce, Algorithm::binomial}, blocks),
            (Bytes{21, 7, 7 + 7, 7, 7}));
}

/// Bytes that all members together send, by the totals of the page.
std::int64_t total_of(const Call& call, const Bytes& blocks, std::int64_t root) {
  const auto members = static_cast<std::int64_t>(blocks.size());
  const std::int64_t all = std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
  const auto folded = static_cast<std::int64_t>(std::bit_floor(blocks.size()));
  const std::int64_t folded_in = members - folded;
  const auto steps = static_cast<std::int64_t>(std::bit_width(blocks.size())) - 1;
  switch (call.collective) {
    case Collective::all_reduce:
      if (call.algorithm == Algorithm::doubling) return all * (folded * steps + 2 * folded_in);
      return 2 * (members - 1) * all;
    case Collective::reduce_scatter: {
      if (call.algorithm != Algorithm::halving) return (members - 1) * all;
      std::int64_t handed_back = 0;
      for (std::int64_t v = 0; v < folded_in; ++v) {
        handed_back += blocks[static_cast<std::size_t>(2 * v)];
      }
      return (folded - 1) * all + folded_in * all + handed_back;
    }
    case Collective::all_gather:
    case Collective::reduce:
    case Collective::broadcast: return (members - 1) * all;
    case Collective::gather:
    case Collective::scatter: return all - blocks[static_cast<std::size_t>(root)];
    case Collective::all_to_all: return (members - 1) * all;
    case Collective::permute: return members > 1 ? members * all : 0;
  }
  return 0;
}

TEST(CollectiveLedger, AddsUpToThePagesTotals) {
  std::mt19937_64 random(2);
  for (std::size_t members = 1; members <= 17; ++members) {
    Bytes blocks(members);
    for (std::int64_t& block : blocks) block = static_cast<std::int64_t>(random() % 5);
    for (const Collective collective : every_collective) {
      for (const Algorithm algorithm : algorithms_of(collective)) {
        const bool is_by_subtree =
            algorithm == Algorithm::scatter_all_gather ||
            (algorithm == Algorithm::binomial &&
             (collective == Collective::gather || collective == Collective::scatter));
        const bool is_by_distance =
            collective == Collective::all_to_all && algorithm == Algorithm::bruck;
        if (is_by_subtree || is_by_distance) continue;
        const Call call{collective, algorithm};
        const auto root = has_root(collective) ? static_cast<std::int64_t>(random() % members) : 0;
        const Bytes sent = sent_by(call, blocks, root);
        EXPECT_EQ(std::accumulate(sent.begin(), sent.end(), std::int64_t{0}),
                  total_of(call, blocks, root))
            << name(collective) << " by " << name(algorithm) << " of " << members;
      }
    }
  }
}

TEST(CollectiveLedger, ChargesEachCallAsAPhase) {
  CallsCase subject = basic_case({{Collective::reduce_scatter, Algorithm::ring},
                                  {Collective::gather, Algorithm::binomial},
                                  {Collective::broadcast, Algorithm::chain}},
                                 3, 6, Dtype::u8);
  std::mt19937_64 random(3);
  fill(subject, random);
  ShardedBackend backend;
  const CallsRun run = run_calls(backend, subject, subject.n);
  ASSERT_TRUE(run.seen.ledger);
  std::map<std::int64_t, std::int64_t> by_phase;
  for (const Transfer& transfer : run.seen.ledger->sent) {
    by_phase[transfer.phase] += transfer.bytes;
  }
  EXPECT_EQ(by_phase, (std::map<std::int64_t, std::int64_t>{{0, 12}, {1, 4}, {2, 12}}));
}

}  // namespace
}  // namespace shardcheck::impl
