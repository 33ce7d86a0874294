// A backend may decline a case. It is excused for what it didn't do, not for what it did.

#include <cfenv>
#include <functional>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {
namespace {

/// Does something, and then ends `unsupported`.
class Declining final : public Backend {
 public:
  explicit Declining(std::function<void(const Request&)> before) : before_(std::move(before)) {}

  std::string_view name() const override { return "declining"; }
  bool serves(Kind /*kind*/) const override { return true; }
  Promises promises() const override { return {}; }
  Observation run(const Request& request) override {
    before_(request);
    Observation observation;
    observation.ending = Ending::unsupported;
    observation.cause = "too large for one afternoon";
    return observation;
  }

 private:
  std::function<void(const Request&)> before_;
};

constexpr std::string_view product_line =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x";
constexpr std::string_view calls_line = "all_reduce mesh=x2 n=2 in=i32";

Verdict declined(std::string_view line, std::function<void(const Request&)> before) {
  Declining backend(std::move(before));
  return check(*parse(line), backend, every_run);
}

TEST(Declined, IsUnsupportedIfTheMemoryIsAsItWas) {
  for (const std::string_view line : {product_line, calls_line}) {
    // What a run that doesn't finish leaves in its outputs is its own affair.
    const Verdict verdict =
        declined(line, [](const Request& request) { request.ranks[0].output[0] = std::byte{1}; });
    EXPECT_EQ(verdict.status, Status::unsupported) << line;
    EXPECT_EQ(verdict.reason, "too large for one afternoon");
    EXPECT_TRUE(verdict.findings.empty());
  }
}

TEST(Declined, HasFailedIfAnInputWasChangedFirst) {
  for (const std::string_view line : {product_line, calls_line}) {
    const Verdict verdict = declined(line, [](const Request& request) {
      const_cast<std::byte&>(request.ranks[1].inputs[0][0]) ^= std::byte{1};
    });
    EXPECT_EQ(verdict.status, Status::fail) << line;
    ASSERT_EQ(signature(verdict), "memory/input_changed") << line;
    EXPECT_EQ(verdict.findings.front().rank, 1);
  }
}

TEST(Declined, HasFailedIfItWroteOutsideOrLeftAnotherRoundingMode) {
  for (const std::string_view line : {product_line, calls_line}) {
    const Verdict outside = declined(line, [](const Request& request) {
      const std::span<std::byte> output = request.ranks[0].output;
      output.data()[output.size()] ^= std::byte{1};
    });
    EXPECT_EQ(signature(outside), "memory/guard_overwritten") << line;
    const Verdict rounding = declined(line, [](const Request&) { std::fesetround(FE_UPWARD); });
    EXPECT_EQ(signature(rounding), "memory/float_mode_changed") << line;
    EXPECT_EQ(rounding.status, Status::fail);
  }
}

}  // namespace
}  // namespace shardcheck
