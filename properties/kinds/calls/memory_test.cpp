#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <shardcheck/properties/judge/poison.h>

#include <shardcheck/properties/by_hand/summing_pair.h>

namespace shardcheck {
namespace {

TEST(CollectiveMemory, NamesTheElementOfAChangedInput) {
  const Verdict verdict = judged_pair([](const Request& request, Observation&) {
    const_cast<std::byte&>(request.ranks[1].inputs[0][8]) ^= std::byte{1};
  });
  ASSERT_EQ(signature(verdict), "memory/input_changed");
  EXPECT_EQ(verdict.findings.front().rank, 1);
  EXPECT_EQ(verdict.findings.front().allowed, "the input as it was");
  EXPECT_EQ(verdict.findings.front().got, "element 2 changed");
}

TEST(CollectiveMemory, SeesAByteOnEitherSideOfEveryBuffer) {
  for (const std::ptrdiff_t distance : {-64, -1, 0, 63}) {
    for (const bool is_input : {true, false}) {
      const Verdict verdict = judged_pair([&](const Request& request, Observation&) {
        const RankMemory& rank = request.ranks[1];
        const std::span<const std::byte> buffer =
            is_input ? rank.inputs[0] : std::span<const std::byte>(rank.output);
        const std::byte* at =
            distance < 0 ? buffer.data() + distance : buffer.data() + buffer.size() + distance;
        const_cast<std::byte&>(*at) ^= std::byte{1};
      });
      ASSERT_EQ(signature(verdict), "memory/guard_overwritten") << distance << is_input;
      EXPECT_EQ(verdict.findings.front().rank, 1);
    }
  }
}

TEST(CollectiveMemory, SeesWhatIsWrittenBeyondTheReportedElements) {
  const Verdict verdict = judged_pair(
      [](const Request& request, Observation&) { put(request.ranks[0].output, 3, 77); });
  ASSERT_EQ(signature(verdict), "memory/written_outside");
  EXPECT_EQ(verdict.findings.front().got, "element 3 of the output written, 2 reported");
}

TEST(CollectiveMemory, TellsAWrongValueThatEqualsThePoisonFromAnElementNeverWritten) {
  // Returns for element 1 of rank 1 what stood there before the first run.
  std::optional<Bits> wrong;
  ByHand unlucky(Kind::calls, [&](const Request& request, Observation& told) {
    const std::span<std::byte> output = request.ranks[1].output;
    if (!wrong) wrong = load(output, Dtype::i8, 1);
    told = SummingPair().run(request);
    store(output, Dtype::i8, 1, *wrong);
    told.ledger.reset();
  });
  const Verdict verdict =
      check(parsed("reduce_scatter mesh=x2 n=4 in=i8 data=given X=1,2,3,4|5,6,7,8"), unlucky);
  EXPECT_EQ(signature(verdict), "value/wrong");
  EXPECT_EQ(verdict.findings.size(), 1U);
}

TEST(CollectiveMemory, NamesWhatWasReportedAndNotWritten) {
  // Reports four elements and writes three.
  ByHand backend(Kind::calls, [](const Request& request, Observation& told) {
    for (const RankMemory& rank : request.ranks) {
      put(rank.output, 0, 6);
      put(rank.output, 1, 8);
      put(rank.output, 2, 10);
      told.owned.push_back({0, 1, 2, 3});
    }
  });
  const Verdict half = check(parsed(whole_line), backend);
  ASSERT_EQ(signature(half), "memory/unwritten");
  EXPECT_EQ(half.findings.front().coordinate, 3);
  EXPECT_EQ(half.findings.front().allowed, "12");
  // Replicas differ, for each holds poison of its own; no value is called wrong beside.
  for (const Finding& finding : half.findings) EXPECT_NE(finding.invariant, Invariant::value);
}

TEST(CollectiveMemory, InPlaceAnInputThatLooksLikePoisonIsNone) {
  Poison poison;
  poison.prepare(Dtype::u8, 0);
  const Bits kept = poison.at(0, 0);
  ByHand idle(Kind::calls,
              [](const Request&, Observation& told) {
                told.owned = {{0}, {0}};
              },
              {.equal_replicas = false});
  const std::string values = fmt::format(" n=1 in=u8 data=given X={}|1", kept);
  const Case in_place = parsed("all_reduce mesh=x2 in_place=yes" + values);
  EXPECT_EQ(signature(check(in_place, idle)), "value/wrong");
  const Case apart = parsed("all_reduce mesh=x2" + values);
  EXPECT_EQ(signature(check(apart, idle)), "memory/unwritten");
}

TEST(CollectiveMemory, GivesThoseWhoBringNothingNothingToRead) {
  const Case subject = parsed("broadcast mesh=x3 n=4 root=1 in=i32 data=given X=|1,2,3,4|");
  ByHand reader(Kind::calls, [](const Request& request, Observation& told) {
    EXPECT_TRUE(request.ranks[0].inputs[0].empty());
    EXPECT_EQ(request.ranks[1].inputs[0].size(), 16U);
    EXPECT_TRUE(request.ranks[2].inputs[0].empty());
    for (const RankMemory& rank : request.ranks) {
      EXPECT_EQ(rank.output.size(), 16U);
      std::ranges::copy(request.ranks[1].inputs[0], rank.output.begin());
      told.owned.push_back({0, 1, 2, 3});
    }
  });
  const Verdict verdict = check(subject, reader);
  EXPECT_EQ(verdict.status, Status::pass) << print(subject, verdict);
}

TEST(CollectiveMemory, InPlaceTheInputLiesInTheOutputAndMayChange) {
  const std::string in_place =
      "reduce_scatter mesh=x2 n=4 in_place=yes in=i32 data=given X=1,2,3,4|5,6,7,8";
  const auto check_place = [](const Request& request, Observation&) {
    for (const RankMemory& rank : request.ranks) {
      EXPECT_EQ(rank.inputs[0].data(), rank.output.data());
      EXPECT_EQ(rank.inputs[0].size(), 16U);
    }
    // A scratch pad that was an input before.
    put(request.ranks[0].output, 3, 77);
  };
  EXPECT_EQ(judged_pair(check_place, in_place).status, Status::pass);
  const auto overrun = [](const Request& request, Observation&) {
    const_cast<std::byte&>(*(request.ranks[0].output.data() + 16)) ^= std::byte{1};
  };
  EXPECT_EQ(signature(judged_pair(overrun, in_place)), "memory/guard_overwritten");
}

TEST(CollectiveMemory, InPlaceAnAllGathersBlockStandsWhereItBelongs) {
  const Case subject = parsed(
      "all_gather mesh=x3 n=4 split.n=sizes:1,0,3 in_place=yes in=i32 data=given X=1||2,3,4");
  const auto gather = [](const Request& request, Observation& told) {
    EXPECT_EQ(request.ranks[2].inputs[0].data(), request.ranks[2].output.data() + 4);
    EXPECT_EQ(request.ranks[2].inputs[0].size(), 12U);
    for (const RankMemory& rank : request.ranks) {
      for (std::int64_t at = 0; at < 4; ++at) put(rank.output, at, static_cast<Bits>(at + 1));
      told.owned.push_back({0, 1, 2, 3});
    }
  };
  ByHand right(Kind::calls, gather);
  const Verdict verdict = check(subject, right);
  EXPECT_EQ(verdict.status, Status::pass) << print(subject, verdict);
  ByHand spilling(Kind::calls, [&](const Request& request, Observation& told) {
    gather(request, told);
    // Reported is nothing, so that what lies before and after the block isn't rank 2's to write.
    told.owned[2] = {};
  });
  const Verdict spilt = check(subject, spilling);
  ASSERT_EQ(signature(spilt), "memory/written_outside");
  EXPECT_EQ(spilt.findings.front().got, "element 0 of the output written, 0 reported");
}

}  // namespace
}  // namespace shardcheck
