#include <optional>

#include <fmt/format.h>

#include <shardcheck/properties/judge/poison.h>

#include "summing_pair.h"

namespace shardcheck {
namespace {

TEST(RankMemory, NamesTheElementOfAChangedInput) {
  const Verdict verdict = judged_pair([](const Request& request, Observation&) {
    const_cast<std::byte&>(request.ranks[1].inputs[0][8]) ^= std::byte{1};
  });
  ASSERT_EQ(signature(verdict), "memory/input_changed");
  EXPECT_EQ(verdict.findings.front().rank, 1);
  EXPECT_EQ(verdict.findings.front().allowed, "the input as it was");
  EXPECT_EQ(verdict.findings.front().got, "element 2 changed");
}

TEST(RankMemory, SeesAByteOnEitherSideOfEveryBuffer) {
  for (const std::ptrdiff_t distance : {-64, -1, 0, 63}) {
    for (const bool is_input : {true, false}) {
      const Verdict verdict = judged_pair([&](const Request& request, Observation&) {
        const RankMemory& rank = request.ranks[1];
        const std::span<const std::byte> buffer =
            is_input ? rank.input : std::span<const std::byte>(rank.output);
        const std::byte* at =
            distance < 0 ? buffer.data() + distance : buffer.data() + buffer.size() + distance;
        const_cast<std::byte&>(*at) ^= std::byte{1};
      });
      ASSERT_EQ(signature(verdict), "memory/guard_overwritten") << distance << is_input;
      EXPECT_EQ(verdict.findings.front().rank, 1);
    }
  }
}

TEST(RankMemory, SeesWhatIsWrittenBeyondTheReportedElements) {
  const Verdict verdict = judged_pair(
      [](const Request& request, Observation&) { put(request.ranks[0].output, 3, 77); });
  ASSERT_EQ(signature(verdict), "memory/written_outside");
  EXPECT_EQ(verdict.findings.front().got, "element 3 of the output written, 2 reported");
}

TEST(RankMemory, TellsAWrongValueThatEqualsThePoisonFromAnElementNeverWritten) {
  // Returns for element 1 of rank 1 what stood there before the first run.
  class Unlucky final : public Backend {
   public:
    std::string_view name() const override { return "unlucky"; }
    Promises promises() const override { return {}; }
    Observation run(const Request& request) override {
      const std::span<std::byte> output = request.ranks[1].output;
      if (!wrong_) wrong_ = load(output, Dtype::i8, 1);
      Observation observation = SummingPair().run(request);
      store(output, Dtype::i8, 1, *wrong_);
      observation.ledger.reset();
      return observation;
    }

   private:
    std::optional<Bits> wrong_;
  };
  Unlucky backend;
  const Verdict verdict = check(
      parsed_collective("reduce_scatter mesh=x2 n=4 in=i8 data=given X=1,2,3,4|5,6,7,8"), backend);
  EXPECT_EQ(signature(verdict), "value/wrong");
  EXPECT_EQ(verdict.findings.size(), 1U);
}

TEST(RankMemory, NamesWhatWasReportedAndNotWritten) {
  // Reports four elements and writes three.
  class Half final : public Backend {
   public:
    std::string_view name() const override { return "half"; }
    Promises promises() const override { return {}; }
    Observation run(const Request& request) override {
      Observation observation;
      for (const RankMemory& rank : request.ranks) {
        put(rank.output, 0, 6);
        put(rank.output, 1, 8);
        put(rank.output, 2, 10);
        observation.owned.push_back({0, 1, 2, 3});
      }
      return observation;
    }
  };
  Half backend;
  const Verdict half = check(parsed_collective(whole_line), backend);
  ASSERT_EQ(signature(half), "memory/unwritten");
  EXPECT_EQ(half.findings.front().coordinate, 3);
  EXPECT_EQ(half.findings.front().allowed, "12");
  // Replicas differ, for each holds poison of its own; no value is called wrong beside.
  for (const Finding& finding : half.findings) EXPECT_NE(finding.invariant, Invariant::value);
}

TEST(RankMemory, InPlaceAnInputThatLooksLikePoisonIsNone) {
  Poison poison;
  poison.prepare(Dtype::u8, 0);
  const Bits kept = poison.at(0, 0);
  class Idle final : public Backend {
   public:
    std::string_view name() const override { return "idle"; }
    Promises promises() const override { return {.equal_replicas = false}; }
    Observation run(const Request&) override {
      Observation observation;
      observation.owned = {{0}, {0}};
      return observation;
    }
  };
  Idle backend;
  const std::string values = fmt::format(" n=1 in=u8 data=given X={}|1", kept);
  const CallsCase in_place = parsed_collective("all_reduce mesh=x2 in_place=yes" + values);
  EXPECT_EQ(signature(check(in_place, backend)), "value/wrong");
  const CallsCase apart = parsed_collective("all_reduce mesh=x2" + values);
  EXPECT_EQ(signature(check(apart, backend)), "memory/unwritten");
}

TEST(RankMemory, GivesThoseWhoBringNothingNothingToRead) {
  const CallsCase subject =
      parsed_collective("broadcast mesh=x3 n=4 root=1 in=i32 data=given X=|1,2,3,4|");
  class Reader final : public Backend {
   public:
    std::string_view name() const override { return "reader"; }
    Promises promises() const override { return {}; }
    Observation run(const Request& request) override {
      EXPECT_TRUE(request.ranks[0].inputs[0].empty());
      EXPECT_EQ(request.ranks[1].inputs[0].size(), 16U);
      EXPECT_TRUE(request.ranks[2].inputs[0].empty());
      Observation observation;
      for (const RankMemory& rank : request.ranks) {
        EXPECT_EQ(rank.output.size(), 16U);
        std::copy(request.ranks[1].inputs[0].begin(), request.ranks[1].inputs[0].end(),
                  rank.output.begin());
        observation.owned.push_back({0, 1, 2, 3});
      }
      return observation;
    }
  };
  Reader backend;
  const Verdict verdict = check(subject, backend);
  EXPECT_EQ(verdict.status, Status::pass) << print(subject, verdict);
}

TEST(RankMemory, InPlaceTheInputLiesInTheOutputAndMayChange) {
  const std::string in_place =
      "reduce_scatter mesh=x2 n=4 in_place=yes in=i32 data=given X=1,2,3,4|5,6,7,8";
  const auto check_place = [](const Request& request, Observation&) {
    for (const RankMemory& rank : request.ranks) {
      EXPECT_EQ(rank.input.data(), rank.output.data());
      EXPECT_EQ(rank.input.size(), 16U);
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

TEST(RankMemory, InPlaceAnAllGathersBlockStandsWhereItBelongs) {
  const CallsCase subject = parsed_collective(
      "all_gather mesh=x3 n=4 split.n=sizes:1,0,3 in_place=yes in=i32 data=given X=1||2,3,4");
  class Gatherer final : public Backend {
   public:
    explicit Gatherer(bool spills) : spills_(spills) {}
    std::string_view name() const override { return "gatherer"; }
    Promises promises() const override { return {}; }
    Observation run(const Request& request) override {
      EXPECT_EQ(request.ranks[2].inputs[0].data(), request.ranks[2].output.data() + 4);
      EXPECT_EQ(request.ranks[2].inputs[0].size(), 12U);
      Observation observation;
      for (const RankMemory& rank : request.ranks) {
        for (std::int64_t at = 0; at < 4; ++at) {
          put(rank.output, at, static_cast<Bits>(at + 1));
        }
        observation.owned.push_back({0, 1, 2, 3});
      }
      // Reported is nothing, so that what lies before and after the block isn't rank 2's to write.
      if (spills_) observation.owned[2] = {};
      return observation;
    }

   private:
    bool spills_;
  };
  Gatherer right(false);
  const Verdict verdict = check(subject, right);
  EXPECT_EQ(verdict.status, Status::pass) << print(subject, verdict);
  Gatherer spilling(true);
  const Verdict spilt = check(subject, spilling);
  ASSERT_EQ(signature(spilt), "memory/written_outside");
  EXPECT_EQ(spilt.findings.front().got, "element 0 of the output written, 0 reported");
}

}  // namespace
}  // namespace shardcheck
