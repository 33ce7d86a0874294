// Ownership, ledger and value of collectives, each broken by hand.

#include <algorithm>

#include <shardcheck/model/expect.h>

#include <shardcheck/properties/by_hand/summing_pair.h>

namespace shardcheck {
namespace {

std::string ownership_after(std::vector<std::vector<std::int64_t>> owned) {
  const Verdict verdict = judged_pair([&](const Request& request, Observation& told) {
    for (std::size_t rank = 0; rank < owned.size(); ++rank) {
      for (std::size_t at = 2; at < std::min<std::size_t>(owned[rank].size(), 4); ++at) {
        put(request.ranks[rank].output, static_cast<std::int64_t>(at), 1);
      }
    }
    told.owned = owned;
  });
  const auto found = std::ranges::find(verdict.findings, Invariant::ownership, &Finding::invariant);
  return found == verdict.findings.end() ? "holds" : found->kind;
}

TEST(CollectiveOwnership, AsksForTheCoordinatesInOrder) {
  EXPECT_EQ(ownership_after({{0, 1}, {2, 3}}), "holds");
  EXPECT_EQ(ownership_after({{1, 0}, {2, 3}}), "wrong_order");
  EXPECT_EQ(ownership_after({{2, 3}, {0, 1}}), "wrong_elements");
  EXPECT_EQ(ownership_after({{0, 4}, {2, 3}}), "out_of_range");
  EXPECT_EQ(ownership_after({{0, -1}, {2, 3}}), "out_of_range");
  EXPECT_EQ(ownership_after({{0, 0}, {2, 3}}), "duplicate");
  EXPECT_EQ(ownership_after({{0}, {2, 3}}), "too_few");
  EXPECT_EQ(ownership_after({{0, 1, 2}, {2, 3}}), "too_many");
  EXPECT_EQ(ownership_after({{0, 1}}), "wrong_rank_count");
}

TEST(CollectiveOwnership, KnowsWhatWasNeverReduced) {
  const Verdict verdict = judged_pair([](const Request& request, Observation& told) {
    for (std::size_t rank = 0; rank < 2; ++rank) {
      std::ranges::copy(request.ranks[rank].inputs[0], request.ranks[rank].output.begin());
      told.owned[rank] = {0, 1, 2, 3};
    }
  });
  EXPECT_EQ(signature(verdict), "ownership/unreduced");
}

TEST(CollectiveOwnership, NamesWhoseElementsTheyAre) {
  const Verdict verdict = judged_pair(
      [](const Request&, Observation& told) { std::swap(told.owned[0], told.owned[1]); });
  ASSERT_EQ(signature(verdict), "ownership/wrong_elements");
  EXPECT_EQ(verdict.findings.front().allowed, "owns element 0, element 1");
  EXPECT_EQ(verdict.findings.front().evidence, "this is rank 1's shard");
}

/// The verdict on a backend that returns these values, each rank's at its own coordinates.
Verdict returned(std::string_view line, const std::vector<std::vector<Bits>>& values) {
  const Case subject = parsed(line);
  const auto expectation = model::expect(subject);
  EXPECT_TRUE(expectation.has_value()) << line;
  ByHand backend(Kind::calls, [&](const Request& request, Observation& told) {
    for (std::size_t rank = 0; rank < values.size(); ++rank) {
      told.owned.push_back((*expectation)->owned(static_cast<std::int64_t>(rank)));
      for (std::size_t at = 0; at < values[rank].size(); ++at) {
        put(request.ranks[rank].output, static_cast<std::int64_t>(at), values[rank][at]);
      }
    }
  });
  return check(subject, backend);
}

/// Each member sends its first half to member 0 and its second one to member 1.
constexpr std::string_view exchange_line =
    "all_to_all mesh=x2 n=4 in=i32 data=given X=1,2,3,4|5,6,7,8";
constexpr std::string_view blocks_line =
    "reduce_scatter mesh=x3 n=6 in=i32 data=given X=1,2,3,4,5,6|0,0,0,0,0,0|0,0,0,0,0,0";

TEST(CollectiveOwnership, KnowsSwappedResultsByTheirValues) {
  EXPECT_EQ(returned(exchange_line, {{1, 2, 5, 6}, {3, 4, 7, 8}}).status, Status::pass);
  const Verdict exchanged = returned(exchange_line, {{3, 4, 7, 8}, {1, 2, 5, 6}});
  ASSERT_EQ(signature(exchanged), "ownership/swapped");
  EXPECT_EQ(exchanged.findings.front().got, "the values of rank 1's shard");
  EXPECT_EQ(exchanged.findings.size(), 2U) << "no value is called wrong beside";
  EXPECT_EQ(outcome(exchanged, Invariant::value), Outcome::broken);
  // One on, round a ring.
  const Verdict turned = returned(blocks_line, {{3, 4}, {5, 6}, {1, 2}});
  ASSERT_EQ(signature(turned), "ownership/swapped");
  EXPECT_EQ(turned.findings.size(), 3U);
}

TEST(CollectiveOwnership, TakesNothingElseForASwap) {
  // A block that another member has as well, one that nobody gave away, and a row of such.
  EXPECT_EQ(signature(returned(blocks_line, {{3, 4}, {3, 4}, {5, 6}})), "value/wrong");
  EXPECT_EQ(signature(returned(blocks_line, {{3, 4}, {5, 6}, {7, 7}})), "value/wrong");
  EXPECT_EQ(signature(returned(blocks_line, {{3, 4}, {7, 7}, {5, 6}})), "value/wrong");
  EXPECT_EQ(signature(returned("scatter mesh=x4 n=8 in=i32 data=given X=1,2,3,4,5,6,7,8|||",
                               {{3, 4}, {5, 6}, {7, 8}, {9, 9}})),
            "value/wrong");
  // A block besides, of a rank that swapped it with a third: whoever else has it has no part in
  // that.
  const Verdict beside = returned(blocks_line, {{5, 6}, {5, 6}, {3, 4}});
  ASSERT_EQ(signature(beside), "ownership/swapped");
  EXPECT_EQ(beside.findings.size(), 4U) << "two that swapped, and two values of rank 0";
  EXPECT_EQ(beside.findings.front().rank, 1);
  // Half of it alone.
  EXPECT_EQ(signature(returned(blocks_line, {{3, 2}, {1, 4}, {5, 6}})), "value/wrong");
  // One value each may be an accident.
  EXPECT_EQ(
      signature(returned("reduce_scatter mesh=x2 n=2 in=i32 data=given X=1,2|0,0", {{2}, {1}})),
      "value/wrong");
  // Blocks that are equal can't be swapped.
  constexpr std::string_view equal_line = "all_to_all mesh=x2 n=2 in=i32 data=given X=1,1|2,2";
  EXPECT_EQ(returned(equal_line, {{1, 2}, {1, 2}}).status, Status::pass);
}

TEST(CollectiveOwnership, LeavesTheResultOfAnotherGroupToItsValue) {
  // Ranks 0 and 2 are a group, 1 and 3 another; each has the other's sums.
  const Verdict verdict = returned("all_reduce mesh=x2,y2 over=x n=1 in=i32 data=given X=1|10|2|20",
                                   {{30}, {3}, {30}, {3}});
  ASSERT_EQ(signature(verdict), "value/wrong");
  EXPECT_EQ(verdict.findings.size(), 4U);
  EXPECT_NE(verdict.findings.front().evidence.find("group"), std::string::npos)
      << verdict.findings.front().evidence;
}

TEST(CollectiveOwnership, ReplicasAgreeBitForBit) {
  const auto alter = [](const Request& request, Observation&) {
    put(request.ranks[1].output, 2, 11);
  };
  const Verdict verdict = judged_pair(alter, whole_line);
  ASSERT_EQ(signature(verdict), "ownership/replicas_differ");
  EXPECT_EQ(verdict.findings.front().coordinate, 2);
  SummingPair unpromising(alter, {.equal_replicas = false});
  EXPECT_EQ(signature(check(parsed(whole_line), unpromising)), "value/wrong");
}

TEST(CollectiveLedger, IsHeldToTheClosedFormPerPhaseAndPair) {
  const Verdict sent =
      judged_pair([](const Request&, Observation& told) { told.ledger->sent[1].bytes = 12; });
  ASSERT_EQ(signature(sent), "ledger/sent_differs");
  EXPECT_EQ(sent.findings.front().allowed, "8 bytes to rank 0 in phase 0");
  const Verdict received =
      judged_pair([](const Request&, Observation& told) { told.ledger->received.pop_back(); });
  EXPECT_EQ(signature(received), "ledger/received_differs");
  const Verdict doubled = judged_pair([](const Request&, Observation& told) {
    for (Transfer& transfer : told.ledger->sent) transfer.bytes *= 2;
  });
  EXPECT_EQ(signature(doubled), "ledger/received_counted");
}

/// What the first finding on a value points to, once rank 0's first element is `value`.
std::string evidence_for(Bits value, std::string_view line = halves_line) {
  const Verdict verdict = judged_pair(
      [&](const Request& request, Observation&) { put(request.ranks[0].output, 0, value); }, line);
  const auto found = std::ranges::find(verdict.findings, Invariant::value, &Finding::invariant);
  return found == verdict.findings.end() ? "" : found->evidence;
}

TEST(CollectiveValue, SuspectsWhatGivesExactlyTheWrongValue) {
  EXPECT_NE(evidence_for(5).find("rank 0 is missing"), std::string::npos) << evidence_for(5);
  EXPECT_NE(evidence_for(1).find("its own value, kept"), std::string::npos) << evidence_for(1);
  EXPECT_NE(evidence_for(11).find("rank 1 counted twice"), std::string::npos) << evidence_for(11);
  EXPECT_NE(evidence_for(8).find("coordinate 1"), std::string::npos) << evidence_for(8);
  EXPECT_EQ(evidence_for(1000), "994 too high, exact in every order");
}

TEST(CollectiveValue, KnowsAStaleValue) {
  const Case subject = parsed("all_reduce+all_reduce mesh=x2 n=1 in=i32 data=given X=20|3");
  ByHand once(Kind::calls, [](const Request& request, Observation& told) {
    for (const RankMemory& rank : request.ranks) {
      put(rank.output, 0, 23);
      told.owned.push_back({0});
    }
  });
  const Verdict verdict = check(subject, once);
  ASSERT_EQ(signature(verdict), "value/wrong");
  EXPECT_NE(verdict.findings.front().evidence.find("what call 0 left there, stale"),
            std::string::npos)
      << verdict.findings.front().evidence;
}

TEST(CollectiveReport, NamesElementsOfOtherMembersVectors) {
  const Case moved = parsed("permute mesh=x3 n=2 in=i32");
  Finding finding{.invariant = Invariant::value, .kind = "wrong", .rank = 1, .coordinate = 3};
  finding.allowed = "1";
  finding.got = "2";
  EXPECT_EQ(print(moved, finding), "value/wrong rank 1, element 1 of member 1: allowed 1, got 2");
  const Case counted = parsed("all_to_all mesh=x2 counts=1,2|0,3 in=i32");
  EXPECT_EQ(print(counted, finding), "value/wrong rank 1, element 0 of member 1: allowed 1, got 2");
}

}  // namespace
}  // namespace shardcheck
