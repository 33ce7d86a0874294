#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/case_number.h>
#include <shardcheck/properties/generate/find_failure.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {
namespace {

// Of long sums of which few bits are kept many terms could be left out unseen.
TEST(FindFailure, CountsProductsThatSayNothing) {
  impl::ShardedBackend backend;
  const SearchResult result = find_failure(
      backend,
      {.cases = 100,
       .restrictions = {
           {{"i", "1"}, {"j", "1"}, {"k", "40"}, {"out", "f8e4m3fn"}, {"data", "rounding"}}}});
  EXPECT_FALSE(result.failure.has_value()) << print(*result.failure);
  EXPECT_GT(result.vacuous, 0);
  EXPECT_GT(result.passed, 0);
  EXPECT_EQ(result.tried, result.passed + result.unsupported + result.vacuous);
}

// With fewer elements than members a maximum can't show them all.
TEST(FindFailure, CountsCollectivesThatSayNothing) {
  impl::ShardedBackend backend;
  const SearchResult result =
      find_failure(backend, {.cases = 300, .restrictions = {{{"op", "max"}, {"in", "f32"}}}});
  EXPECT_FALSE(result.failure.has_value()) << print(*result.failure);
  EXPECT_GT(result.vacuous, 0);
  EXPECT_GT(result.passed, 200);
  EXPECT_EQ(result.tried, result.passed + result.unsupported + result.vacuous);
}

/// Tells no products, and returns zeros where `is_wrong` says so.
class Quiet final : public Backend {
 public:
  explicit Quiet(std::function<bool(const ProductCase&)> is_wrong)
      : is_wrong_(std::move(is_wrong)) {}

  std::string_view name() const override { return "quiet"; }
  Promises promises() const override { return inner_.promises(); }
  bool serves(Kind kind) const override { return kind == Kind::product; }
  Observation run(const Request& request) override {
    Observation observation = inner_.run(request);
    observation.products.reset();
    if (!is_wrong_(std::get<ProductCase>(request.subject))) return observation;
    const Dtype out = setting(request.subject).dtypes.out;
    const auto width = static_cast<std::size_t>(info(out).bytes);
    for (std::size_t rank = 0; rank < request.ranks.size(); ++rank) {
      const std::size_t bytes = observation.owned[rank].size() * width;
      std::ranges::fill(request.ranks[rank].output.first(bytes), std::byte{0});
    }
    return observation;
  }

 private:
  impl::ShardedBackend inner_;
  std::function<bool(const ProductCase&)> is_wrong_;
};

TEST(Tokens, SeeThatCoverageHoldsInEveryRightCase) {
  const Scopes scopes = *scopes_of({{{"kind", "matmul"}}});
  Quiet backend([](const ProductCase&) { return false; });
  for (std::int64_t number = 0; number < 500; ++number) {
    const Case subject = case_number(1, number, scopes);
    const Verdict verdict = check(subject, backend, {.tokens = true});
    EXPECT_TRUE(verdict.findings.empty()) << print(subject, verdict);
    const Outcome seen = verdict.outcomes[static_cast<std::size_t>(Invariant::coverage)];
    EXPECT_EQ(seen, verdict.is_trivial ? Outcome::not_observed : Outcome::holds) << print(subject);
  }
}

TEST(FindFailure, RunsAQuietBackendInTokensUnlessRestrictionsLeaveNoI64) {
  // The data of the restrictions are ints: only tokens are drawn by this regime.
  Quiet backend(
      [](const ProductCase& subject) { return subject.data.regime == Data::Regime::rounding; });
  const SearchResult found =
      find_failure(backend, {.cases = 200, .restrictions = {{{"k", "1"}, {"data", "ints"}}}});
  ASSERT_TRUE(found.failure.has_value());
  EXPECT_EQ(signature(found.failure->verdict), "coverage/k_missing") << print(*found.failure);
  EXPECT_TRUE(found.failure->verdict.is_from_tokens);
  EXPECT_EQ(print(found.failure->smallest),
            "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=0 B=0");
  const SearchResult restricted = find_failure(
      backend, {.cases = 200, .restrictions = {{{"k", "1"}, {"data", "ints"}, {"in", "f32"}}}});
  EXPECT_FALSE(restricted.failure.has_value()) << print(*restricted.failure);
}

TEST(FindFailure, KeepsDataThatShowWhatIsWrong) {
  Quiet backend([](const ProductCase&) { return true; });
  // Of the cases that fail, one in four would have been run in tokens.
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const SearchResult result = find_failure(
        backend, {.cases = 200, .seed = seed, .restrictions = {{{"k", "1"}, {"data", "ints"}}}});
    ASSERT_TRUE(result.failure.has_value());
    const Verdict without = check(result.failure->smallest, backend);
    EXPECT_EQ(signature(without), signature(result.failure->verdict)) << print(*result.failure);
  }
}

TEST(FindFailureDeath, NamesTheRestrictionThatIsWrong) {
  impl::ShardedBackend both;
  Quiet products([](const ProductCase&) { return false; });
  EXPECT_DEATH(find_failure(products, {.restrictions = {{{"op", "max"}}}}),
               "because: .*a kind of case that the backend serves");
  EXPECT_DEATH(find_failure(both, {.restrictions = {{{"in", "f33"}}}}), "because: .*'f33'");
  EXPECT_DEATH(find_failure(both, {.restrictions = {{{"oops", "max"}}}}), "because: .*'oops'");
  EXPECT_DEATH(find_failure(both, {.restrictions = {{{"plan", "auto"}, {"op", "max"}}}}),
               "because: .*no kind of case has all these keys");
}

}  // namespace
}  // namespace shardcheck
