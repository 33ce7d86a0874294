#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/faults/fault.h>
#include <shardcheck/properties/generate/case_number.h>
#include <shardcheck/properties/generate/find_failure.h>
#include <shardcheck/properties/generate/scope.h>
#include <shardcheck/properties/generate/shrink.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::int64_t cases_max = 5000;
constexpr std::int64_t candidates_max = 20000;

const Fault& fault_named(std::string_view name) {
  const auto found = std::ranges::find(faults(), name, &Fault::name);
  SHARDCHECK_REQUIRE(found != faults().end(), "the suite names faults that there are");
  return *found;
}

Case case_of(std::string_view line) {
  const auto subject = parse(line);
  SHARDCHECK_REQUIRE(subject.has_value(), "the suite's cases are well formed");
  return *subject;
}

std::string signature_of(const Case& subject, const Fault& fault) {
  const CheckOptions options{.repeat = fault.caught_by == Invariant::determinism};
  return signature(check(subject, *fault.make(), options));
}

/// The smallest case that has the signature of `subject`.
Case minimised(const Case& subject, const Fault& fault) {
  const std::string wanted = signature_of(subject, fault);
  const Minimised result = minimise(
      subject, [&](const Case& candidate) { return signature_of(candidate, fault) == wanted; },
      candidates_max);
  EXPECT_FALSE(result.budget_spent) << fault.name;
  return result.subject;
}

/// What a fault can't do without in a case of a kind: ranks, and the longest side of a product or
/// the length of a vector.
struct Need {
  std::string_view fault;
  std::int64_t ranks = 2;
  std::int64_t extent = 2;
};

constexpr std::array<Need, 8> needs_of_products{{
    // Of two partials the sum is the same in either order.
    {"order_of_another_algorithm", 3, 3},
    {"ledger_of_what_was_asked", 3, 3},
    // Two partials of one product each are summed as one rank would.
    {"steps_of_what_was_asked", 2, 3},
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

Need need_of(const Fault& fault, Kind kind) {
  // Blocks that are cut `balanced` hide the mistake below 3, 2, 2, 2.
  if (kind == Kind::calls && fault.name == "offset_by_ceil") return {fault.name, 4, 9};
  if (kind == Kind::calls) return {fault.name, 4, 4};
  const auto found = std::ranges::find(needs_of_products, fault.name, &Need::fault);
  return found == needs_of_products.end() ? Need{fault.name} : *found;
}

std::int64_t extent_of(const Case& subject) {
  if (const auto* product = std::get_if<ProductCase>(&subject)) {
    return std::max({product->i, product->j, product->k});
  }
  return std::get<CallsCase>(subject).n;
}

/// A fault in one of the kinds that it affects.
struct FaultInKind {
  const Fault* fault = nullptr;
  Kind kind = Kind::product;
};

/// For GoogleTest, which would print the bytes of the pair.
void PrintTo(const FaultInKind& one, std::ostream* out) {
  *out << one.fault->name << " in " << name(one.kind);
}

std::vector<FaultInKind> faults_in_kinds() {
  std::vector<FaultInKind> all;
  for (const Fault& fault : faults()) {
    for (const Kind kind : fault.kinds) all.push_back({&fault, kind});
  }
  return all;
}

Scopes only(Kind wanted) {
  Scopes scopes = *scopes_of({});
  for (const KindInfo& row : kinds) {
    if (row.kind != wanted) rule_out(scopes, row.kind);
  }
  return scopes;
}

/// The first random case in which the invariant that the fault names is the one that names it.
std::optional<Case> find_failing_case(const FaultInKind& one) {
  const std::string prefix = std::string(name(one.fault->caught_by)) + "/";
  const Scopes scopes = only(one.kind);
  for (std::int64_t number = 0; number < cases_max; ++number) {
    Case subject = case_number(seed, number, scopes);
    if (signature_of(subject, *one.fault).starts_with(prefix)) return subject;
  }
  return std::nullopt;
}

class PlantedFault : public testing::TestWithParam<FaultInKind> {};

TEST_P(PlantedFault, IsFoundByItsInvariantAndShrinksToASmallCase) {
  const auto& [fault, kind] = GetParam();
  const std::optional<Case> subject = find_failing_case(GetParam());
  ASSERT_TRUE(subject.has_value()) << fault->name << " is never seen by " << name(fault->caught_by);
  const Case smallest = minimised(*subject, *fault);
  SCOPED_TRACE(print(smallest) + "\nfrom " + print(*subject));
  const Need need = need_of(*fault, kind);
  EXPECT_LE(rank_count(setting(smallest).mesh), need.ranks);
  EXPECT_LE(extent_of(smallest), need.extent);
  RecordProperty("smallest", print(smallest));
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
  const Case subject = case_of(failing_line);
  for (const Minimum& minimum : minima) {
    const Fault& fault = fault_named(minimum.fault);
    EXPECT_EQ(print(minimised(subject, fault)), minimum.line) << minimum.fault;
  }
}

/// Another backend that doesn't tell its products.
class Silent final : public Backend {
 public:
  explicit Silent(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) {}
  std::string_view name() const override { return "silent"; }
  bool serves(Kind kind) const override { return inner_->serves(kind); }
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
  const Case subject = case_of(
      "matmul mesh=x3 i=3 j=2 k=6 A[i,k/x] B[k/x,j] -> C[i/x,j] in=bf16 "
      "plan=local+reduce_scatter:C/x data=given A=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 "
      "B=0,0,0,0,0,0,0,0,0,0,0,0");
  for (const Hidden& each : hidden) {
    SCOPED_TRACE(each.fault);
    Silent backend(fault_named(each.fault).make());
    EXPECT_EQ(check(subject, backend).status, Status::pass);
    const auto signature_in_tokens = [&](const Case& candidate) {
      return signature(check(candidate, backend, {.tokens = true}));
    };
    ASSERT_EQ(signature_in_tokens(subject), each.signature);
    const Minimised result = minimise(
        subject,
        [&](const Case& candidate) { return signature_in_tokens(candidate) == each.signature; },
        candidates_max);
    EXPECT_FALSE(result.budget_spent);
    EXPECT_EQ(print(result.subject), each.smallest);
  }
}

TEST(PlantedFaults, AreFoundAndMadeSmallInOneCall) {
  const auto backend = fault_named("root_fixed_at_zero").make();
  const SearchResult result = find_failure(*backend, {.cases = 2000, .seed = 1});
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->verdict.findings.front().invariant, Invariant::ownership);
  EXPECT_EQ(kind_of(result.failure->smallest), Kind::calls) << "the only kind that it serves";
  EXPECT_EQ(rank_count(setting(result.failure->smallest).mesh), 2);
  EXPECT_NE(print(*result.failure).find("found as: "), std::string::npos);
}

TEST(PlantedFaults, AreNotFoundInTheImplementationInCasesThatAreAskedFor) {
  impl::ShardedBackend backend;
  const SearchResult result =
      find_failure(backend, {.cases = 500, .restrictions = {{{"op", "sum"}, {"mesh", "x3"}}}});
  EXPECT_FALSE(result.failure.has_value()) << print(*result.failure);
  EXPECT_EQ(result.tried, 500);
  EXPECT_GT(result.passed, 400);
}

std::string name_of(const testing::TestParamInfo<FaultInKind>& parameter) {
  return std::string(parameter.param.fault->name) + "_" + std::string(name(parameter.param.kind));
}

INSTANTIATE_TEST_SUITE_P(Faults, PlantedFault, testing::ValuesIn(faults_in_kinds()), name_of);

}  // namespace
}  // namespace shardcheck
