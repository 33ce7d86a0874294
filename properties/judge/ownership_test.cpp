#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

Verdict with_owned(std::vector<std::vector<std::int64_t>> owned) {
  return judged([&](const Request& request, Observation& observation) {
    for (std::size_t rank = 0; rank < 2 && rank < owned.size(); ++rank) {
      const std::size_t written = std::min<std::size_t>(owned[rank].size(), 4);
      for (std::size_t index = 2; index < written; ++index)
        put(request.ranks[rank].output, index, 1);
    }
    observation.owned = owned;
  });
}

TEST(Ownership, IsASetOfCoordinatesInAnyOrder) {
  const Verdict verdict = judged([](const Request& request, Observation& observation) {
    const float first = element(request.ranks[0].output, 0);
    put(request.ranks[0].output, 0, element(request.ranks[0].output, 1));
    put(request.ranks[0].output, 1, first);
    observation.owned[0] = {1, 0};
  });
  EXPECT_EQ(verdict.status, Status::pass);
}

TEST(Ownership, CountsWhatIsTooMuch) {
  const Verdict verdict = with_owned({{0, 1, 2, 3}, {2, 3}});
  ASSERT_EQ(signature(verdict), "ownership/too_many");
  EXPECT_EQ(verdict.findings.front().got, "returned 4 elements, owns 2");
  EXPECT_EQ(verdict.findings.front().allowed, "owns C[0,0], C[0,1]");
}

TEST(Ownership, KnowsAPartialThatWasNeverReduced) {
  const Verdict verdict = judged([](const Request& request, Observation& observation) {
    const std::vector<float> partial{5, 6, 15, 18};
    for (std::size_t index = 0; index < 4; ++index)
      put(request.ranks[0].output, index, partial[index]);
    observation.owned[0] = {0, 1, 2, 3};
  });
  ASSERT_EQ(signature(verdict), "ownership/unreduced");
}

TEST(Ownership, NamesWhatIsMissingTwiceOrOutside) {
  EXPECT_EQ(signature(with_owned({{0, 1}, {2, 3}, {}})), "ownership/wrong_rank_count");
  EXPECT_EQ(signature(with_owned({{0, 0}, {2, 3}})), "ownership/duplicate");
  EXPECT_EQ(signature(with_owned({{0, 4}, {2, 3}})), "ownership/out_of_range");
  EXPECT_EQ(signature(with_owned({{-1, 1}, {2, 3}})), "ownership/out_of_range");
  EXPECT_EQ(signature(with_owned({{0, 2}, {2, 3}})), "ownership/wrong_elements");
}

TEST(Ownership, SeesThatTooLittleWasReportedThoughMoreWasWritten) {
  const Verdict verdict = with_owned({{0}, {2, 3}});
  ASSERT_EQ(signature(verdict), "memory/written_outside");
  EXPECT_EQ(outcome(verdict, Invariant::ownership), Outcome::broken);
}

TEST(Ownership, NamesTheRankWhoseShardWasReturned) {
  const Verdict verdict = with_owned({{2, 3}, {1, 0}});
  ASSERT_EQ(signature(verdict), "ownership/wrong_elements");
  EXPECT_EQ(verdict.findings[0].evidence, "this is rank 1's shard");
  EXPECT_EQ(verdict.findings[1].evidence, "this is rank 0's shard");
}

TEST(Ownership, ListsWhatIsDueInAscendingOrderWhateverTheLayouts) {
  ByHand backend(Kind::product, [](const Request&, Observation& told) { told.owned = {{0}, {}}; });
  const Verdict verdict =
      check(parsed("matmul mesh=x2 i=3 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] split.i=sets:2,0|1"),
            backend);
  ASSERT_EQ(signature(verdict), "ownership/too_few");
  EXPECT_EQ(verdict.findings.front().allowed, "owns C[0,0], C[2,0]");
}

TEST(Ownership, KnowsSwappedShardsByTheirValues) {
  const Verdict verdict = judged([](const Request& request, Observation&) {
    put(request.ranks[0].output, 0, 43);
    put(request.ranks[0].output, 1, 50);
    put(request.ranks[1].output, 0, 19);
    put(request.ranks[1].output, 1, 22);
  });
  ASSERT_EQ(signature(verdict), "ownership/swapped");
  EXPECT_EQ(verdict.findings.front().got, "the values of rank 1's shard");
}

TEST(Ownership, KnowsSwappedShardsOfOneElement) {
  // A column of C: (1 2)·(5 7) = 19 and (3 4)·(5 7) = 43.
  ByHand backend(Kind::product, [](const Request& request, Observation& told) {
    put(request.ranks[0].output, 0, 43);
    put(request.ranks[1].output, 0, 19);
    told.owned = {{0}, {1}};
  });
  const Case subject =
      parsed("matmul mesh=x2 i=2 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] data=given A=1,2,3,4 B=5,7");
  EXPECT_EQ(signature(check(subject, backend)), "ownership/swapped");
}

TEST(Ownership, DoesNotTakeOneBorrowedShardForASwap) {
  // Rank 0 returns [43 50] while rank 1 returns its own, which is [43 50] too.
  const Verdict verdict = judged([](const Request& request, Observation&) {
    put(request.ranks[0].output, 0, 43);
    put(request.ranks[0].output, 1, 50);
  });
  ASSERT_EQ(signature(verdict), "value/wrong");
}

}  // namespace
}  // namespace shardcheck
