#include <cfenv>
#include <optional>

#include <fmt/format.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/float_environment.h>

#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

TEST(Memory, NamesTheElementOfAChangedInput) {
  const Verdict verdict = judged([](const Request& request, Observation&) {
    const_cast<std::byte&>(request.ranks[1].inputs[1][4]) ^= std::byte{0x80};
  });
  ASSERT_EQ(verdict.findings.size(), 1U);
  ASSERT_EQ(signature(verdict), "memory/input_changed");
  EXPECT_EQ(verdict.findings.front().rank, 1);
  EXPECT_EQ(verdict.findings.front().allowed, "B as it was");
  EXPECT_EQ(verdict.findings.front().got, "element 1 changed");
}

TEST(Memory, SeesAByteOnEitherSideOfEveryBuffer) {
  for (const std::ptrdiff_t distance : {-64, -1, 0, 63}) {
    for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
      const Verdict verdict = judged([&](const Request& request, Observation&) {
        const RankMemory& memory = request.ranks[0];
        const std::span<const std::byte> buffer = tensor == Tensor::a   ? memory.inputs[0]
                                                  : tensor == Tensor::b ? memory.inputs[1]
                                                                        : memory.output;
        const std::byte* at =
            distance < 0 ? buffer.data() + distance : buffer.data() + buffer.size() + distance;
        const_cast<std::byte&>(*at) ^= std::byte{1};
      });
      ASSERT_EQ(signature(verdict), "memory/guard_overwritten") << distance;
    }
  }
}

TEST(Memory, SaysHowFarOutsideAByteWasWritten) {
  const Verdict verdict = judged([](const Request& request, Observation&) {
    request.ranks[1].output.data()[request.ranks[1].output.size()] ^= std::byte{1};
  });
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_EQ(verdict.findings.front().got, "a byte written 0 bytes past the end of C");
}

TEST(Memory, SeesAnElementBeyondThoseReported) {
  const Verdict verdict =
      judged([](const Request& request, Observation&) { put(request.ranks[0].output, 3, 7); });
  ASSERT_EQ(signature(verdict), "memory/written_outside");
  EXPECT_EQ(verdict.findings.front().got, "element 3 of the output written, 2 reported");
}

TEST(Memory, SeesAChangedRoundingModeAndPutsItRight) {
  const Verdict verdict = judged([](const Request&, Observation&) { std::fesetround(FE_UPWARD); });
  ASSERT_EQ(signature(verdict), "memory/float_mode_changed");
  EXPECT_EQ(verdict.findings.front().got, "results are not rounded to nearest");
  // All else is judged as after any run.
  EXPECT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(outcome(verdict, Invariant::value), Outcome::holds);
  EXPECT_EQ(float_environment_problem(), "");
}

TEST(MemoryDeathTest, JudgesNothingUnderAnotherRoundingMode) {
  EXPECT_DEATH(
      {
        std::fesetround(FE_DOWNWARD);
        judged({});
      },
      "round to nearest");
}

/// Leaves element 1 of rank 1 as it was before the run.
class Forgetful final : public ByHand {
 public:
  Forgetful() : ByHand(Kind::product) {}

 protected:
  Observation answer(const Request& request) override {
    const std::span<std::byte> output = request.ranks[1].output;
    const Bits before = load(output, Dtype::f32, 1);
    Observation observation = WorkedExample().run(request);
    store(output, Dtype::f32, 1, before);
    return observation;
  }
};

TEST(Memory, TellsAnElementThatWasNeverWrittenFromAWrongOne) {
  Forgetful backend;
  const Verdict verdict = check(parsed(worked_example_line), backend);
  ASSERT_EQ(verdict.findings.size(), 1U) << "and no value is called wrong";
  ASSERT_EQ(signature(verdict), "memory/unwritten");
  EXPECT_EQ(verdict.findings.front().coordinate, 3);
  EXPECT_EQ(verdict.status, Status::fail);
}

/// Element 1 of rank 1 is wrong: what stood there before the first run, in later ones the same.
class Unlucky final : public ByHand {
 public:
  Unlucky() : ByHand(Kind::product) {}

 protected:
  Observation answer(const Request& request) override {
    const std::span<std::byte> output = request.ranks[1].output;
    const Dtype out = setting(request.subject).dtypes.out;
    if (!wrong_) wrong_ = load(output, out, 1);
    Observation observation = impl::ShardedBackend().run(request);
    store(output, out, 1, *wrong_);
    return observation;
  }

 private:
  std::optional<Bits> wrong_;
};

TEST(Memory, TellsAWrongValueThatEqualsThePoisonFromAnElementNeverWritten) {
  // In f8e4m3fn every other NaN does.
  for (const std::string_view out : {"f8e4m3fn", "f8e5m2", "f32"}) {
    Unlucky backend;
    const Verdict verdict =
        check(parsed(fmt::format("{} out={}", worked_example_line, out)), backend);
    EXPECT_EQ(signature(verdict), "value/nan") << out;
    EXPECT_EQ(outcome(verdict, Invariant::memory), Outcome::holds) << out;
  }
  Unlucky backend;
  EXPECT_EQ(signature(check(parsed(fmt::format("{} in=i32", worked_example_line)), backend)),
            "value/wrong");
}

/// Leaves an element unwritten in its first run, and does something else in later ones.
class Changing final : public ByHand {
 public:
  explicit Changing(Tampering later) : ByHand(Kind::product), later_(std::move(later)) {}

 protected:
  Observation answer(const Request& request) override {
    return ++runs_ == 1 ? Forgetful().run(request) : WorkedExample(later_).run(request);
  }

 private:
  Tampering later_;
  int runs_ = 0;
};

TEST(Memory, BelievesTheFirstRunOfABackendThatChanges) {
  const std::vector<Tampering> later{
      {}, [](const Request&, Observation& observation) { observation.owned.clear(); }};
  for (const Tampering& each : later) {
    Changing backend(each);
    EXPECT_EQ(signature(check(parsed(worked_example_line), backend)), "memory/unwritten");
  }
}

TEST(Memory, TakesPoisonFromElsewhereForAValue) {
  const Verdict verdict = judged([](const Request& request, Observation&) {
    put(request.ranks[1].output, 1, element(request.ranks[1].output, 2));
  });
  ASSERT_EQ(signature(verdict), "value/nan");
}

}  // namespace
}  // namespace shardcheck
