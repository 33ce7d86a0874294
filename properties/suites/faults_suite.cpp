#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/faults/fault.h>
#include <shardcheck/properties/generate/generate.h>
#include <shardcheck/properties/generate/shrink.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {
namespace {

constexpr std::uint64_t seeds_max = 3000;
constexpr std::int64_t candidates_max = 20000;

std::string signature_of(const ProductCase& subject, const Fault& fault) {
  const CheckOptions options{.repeat = fault.caught_by == Invariant::determinism};
  return signature(check(subject, *fault.make(), options));
}

/// The smallest case that has the signature of `subject`.
ProductCase minimised(const ProductCase& subject, const Fault& fault) {
  const std::string wanted = signature_of(subject, fault);
  const Minimised result = minimise(
      subject, [&](const ProductCase& candidate) { return signature_of(candidate, fault) == wanted; },
      candidates_max);
  EXPECT_FALSE(result.budget_spent) << fault.name;
  return result.subject;
}

/// What a fault can't do without.
struct Need {
  std::string_view fault;
  std::int64_t ranks = 2;
  std::int64_t extent = 2;
};

constexpr std::array<Need, 6> needs{{
    // Of two partials the sum is the same in either order.
    {"order_of_another_algorithm", 3, 3},
    // The last of two rows has no next one to be mistaken for.
    {"rows_off_by_one", 2, 3},
    // A message is stale only after another of as many bytes.
    {"stale_message", 3, 4},
    // The smallest square; on one of four ranks left is right.
    {"cannon_without_skew_of_b", 4, 2},
    {"cannon_shifted_the_wrong_way", 9, 3},
    // Of two products the sum is the same in either order.
    {"gathered_before_it_multiplies", 2, 3},
}};

Need need_of(const Fault& fault) {
  const auto* found = std::find_if(needs.begin(), needs.end(),
                                   [&](const Need& need) { return need.fault == fault.name; });
  return found == needs.end() ? Need{} : *found;
}

class PlantedFault : public testing::TestWithParam<Fault> {};

/// The first random case in which the invariant that the fault names is the one that names it.
std::optional<ProductCase> find_failing_case(const Fault& fault) {
  const std::string prefix = std::string(name(fault.caught_by)) + "/";
  for (std::uint64_t seed = 0; seed < seeds_max; ++seed) {
    SeededEntropy entropy(seed);
    ProductCase subject = generate(entropy);
    if (signature_of(subject, fault).starts_with(prefix)) return subject;
  }
  return std::nullopt;
}

TEST_P(PlantedFault, IsFoundByItsInvariantAndShrinksToASmallCase) {
  const Fault& fault = GetParam();
  const std::optional<ProductCase> subject = find_failing_case(fault);
  ASSERT_TRUE(subject.has_value()) << fault.name << " is never seen by " << name(fault.caught_by);
  const ProductCase smallest = minimised(*subject, fault);
  SCOPED_TRACE(print(smallest) + "\nfrom " + print(*subject));
  EXPECT_LE(rank_count(smallest.mesh), need_of(fault).ranks);
  EXPECT_LE(std::max({smallest.i, smallest.j, smallest.k}), need_of(fault).extent);
}

/// From one rich failing case, the one line that is left. Read each: nothing in it can go.
struct Minimum {
  std::string_view fault;
  std::string_view line;
};

constexpr std::string_view failing_line =
    "matmul mesh=x4 i=6 j=5 k=9 A[i,k/x] B[k/x,j] -> C[i/x,j] split.k=cyclic:2 in=bf16 wire=bf16 "
    "algorithm.reduce_scatter=direct plan=local+reduce_scatter:C/x kernel=ordered "
    "data=rounding:7 run=pct:2:9";

constexpr std::array<Minimum, 12> minima{{
    {"last_k_dropped", "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=0 B=0"},
    {"last_k_dropped_in_silence",
     "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=1 B=1"},
    {"rank_left_out", "matmul mesh=x1 i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] data=given A=1,1 B=1,1"},
    {"k_blocks_in_another_order",
     "matmul mesh=x1 i=0 j=0 k=2 A[i,k] B[k,j] -> C[i,j] data=given A= B="},
    {"result_shards_swapped",
     "matmul mesh=x2 i=2 j=1 k=0 A[i,k] B[k,j] -> C[i/x,j] data=given A= B="},
    {"result_values_swapped",
     "matmul mesh=x2 i=2 j=1 k=1 A[i,k] B[k,j] -> C[i/x,j] data=given A=0,1 B=1"},
    {"partials_concatenated",
     "matmul mesh=x2 i=1 j=1 k=0 A[i,k/x] B[k/x,j] -> C[i/x,j] data=given A= B="},
    {"one_ulp_added", "matmul mesh=x1 i=1 j=1 k=0 A[i,k] B[k,j] -> C[i,j] data=given A= B="},
    {"receive_added_to_ledger",
     "matmul mesh=x2 i=0 j=1 k=1 A[i,k] B[k/x,j] -> C[i,j] plan=gather:B/x+local data=given A= "
     "B=0"},
    {"element_written_outside",
     "matmul mesh=x2 i=1 j=1 k=0 A[i,k] B[k,j] -> C[i/x,j] data=given A= B="},
    {"input_changed", "matmul mesh=x1 i=1 j=0 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=0 B="},
    {"rank_never_sends", "matmul mesh=x2 i=0 j=0 k=0 A[i,k] B[k/x,j] -> C[i,j] data=given A= B="},
}};

TEST(PlantedFaults, EachKnownOneShrinksToItsKnownLine) {
  const auto subject = parse_product(failing_line);
  ASSERT_TRUE(subject.has_value());
  for (const Minimum& minimum : minima) {
    const auto fault = std::find_if(faults().begin(), faults().end(),
                                    [&](const Fault& each) { return each.name == minimum.fault; });
    ASSERT_NE(fault, faults().end()) << minimum.fault;
    EXPECT_EQ(print(minimised(*subject, *fault)), minimum.line) << minimum.fault;
  }
}

/// Another backend that doesn't tell its products.
class Silent final : public Backend {
 public:
  explicit Silent(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) {}
  std::string_view name() const override { return "silent"; }
  Promises promises() const override { return inner_->promises(); }
  Observation run(const Request& request) override {
    Observation observation = inner_->run(request);
    observation.products.reset();
    return observation;
  }

 private:
  std::unique_ptr<Backend> inner_;
};

struct Hidden {
  std::string_view fault;
  std::string_view signature;
  std::string_view smallest;
};

constexpr std::array<Hidden, 4> hidden{{
    {"last_k_dropped_in_silence", "coverage/k_missing",
     "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=0 B=0"},
    {"rank_left_out", "coverage/rank_missing",
     "matmul mesh=x1 i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] data=given A=0,0 B=0,0"},
    {"rank_counted_twice", "coverage/rank_doubled",
     "matmul mesh=x1 i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] data=given A=0,0 B=0,0"},
    {"k_blocks_in_another_order", "coverage/k_mispaired",
     "matmul mesh=x1 i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] data=given A=0,0 B=0,0"},
}};

TEST(PlantedFaults, ThatZerosAndSilenceHideShowInTokensAndShrinkAlike) {
  const auto subject = parse_product(
      "matmul mesh=x3 i=3 j=2 k=6 A[i,k/x] B[k/x,j] -> C[i/x,j] in=bf16 "
      "plan=local+reduce_scatter:C/x data=given A=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 "
      "B=0,0,0,0,0,0,0,0,0,0,0,0");
  ASSERT_TRUE(subject.has_value());
  for (const Hidden& each : hidden) {
    SCOPED_TRACE(each.fault);
    const auto fault = std::ranges::find(faults(), each.fault, &Fault::name);
    ASSERT_NE(fault, faults().end());
    Silent backend(fault->make());
    EXPECT_EQ(check(*subject, backend).status, Status::pass);
    const auto signature_in_tokens = [&](const ProductCase& candidate) {
      return signature(check(candidate, backend, {.tokens = true}));
    };
    ASSERT_EQ(signature_in_tokens(*subject), each.signature);
    const Minimised result = minimise(
        *subject,
        [&](const ProductCase& candidate) { return signature_in_tokens(candidate) == each.signature; },
        candidates_max);
    EXPECT_FALSE(result.budget_spent);
    EXPECT_EQ(print(result.subject), each.smallest);
  }
}

std::string name_of(const testing::TestParamInfo<Fault>& parameter) {
  return std::string(parameter.param.name);
}

INSTANTIATE_TEST_SUITE_P(Faults, PlantedFault, testing::ValuesIn(faults()), name_of);

}  // namespace
}  // namespace shardcheck
