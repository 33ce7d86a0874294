#include "tokens.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <shardcheck/model/plan/rules.h>

#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

/// How often A's column `a` is multiplied with B's row `b` by the rank that holds them.
using Times = std::function<std::int64_t(std::int64_t rank, std::int64_t a, std::int64_t b)>;

std::int64_t as_it_must_be(std::int64_t /*rank*/, std::int64_t a, std::int64_t b) {
  return a == b ? 1 : 0;
}

/// K split evenly over a mesh of one axis, every rank wants all of C; f32 and i64, both so small or
/// so wrapping that no order matters. Nothing is told but what has to be.
class Quiet final : public ByHand {
 public:
  explicit Quiet(Times times = as_it_must_be, bool does_i64 = true)
      : ByHand(Kind::product), times_(std::move(times)), does_i64_(does_i64) {}

  std::vector<std::string> runs;  ///< the case of each

 protected:
  Observation answer(const Request& request) override {
    const auto& subject = std::get<ProductCase>(request.subject);
    runs.push_back(print(subject));
    Observation observation;
    if (subject.dtypes == token_dtypes && does_i64_) {
      multiply<std::uint64_t>(request);
    } else if (subject.dtypes.in == Dtype::f32) {
      multiply<float>(request);
    } else {
      observation.ending = Ending::unsupported;
    }
    const std::int64_t elements = subject.i * subject.j;
    observation.owned.resize(request.ranks.size());
    for (auto& owned : observation.owned) {
      for (std::int64_t element = 0; element < elements; ++element) owned.push_back(element);
    }
    return observation;
  }

 private:
  template <typename Value>
  static Value at(std::span<const std::byte> bytes, std::int64_t index) {
    Value value{};
    std::memcpy(&value, bytes.data() + static_cast<std::size_t>(index) * sizeof value,
                sizeof value);
    return value;
  }

  template <typename Value>
  Value element(const Request& request, std::int64_t row, std::int64_t column) const {
    const auto& c = std::get<ProductCase>(request.subject);
    const auto ranks = static_cast<std::int64_t>(request.ranks.size());
    const std::int64_t each = c.k / ranks;
    Value sum{};
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const RankMemory& memory = request.ranks[static_cast<std::size_t>(rank)];
      for (std::int64_t a = 0; a < each; ++a) {
        for (std::int64_t b = 0; b < each; ++b) {
          sum += static_cast<Value>(times_(rank, rank * each + a, rank * each + b)) *
                 at<Value>(memory.inputs[0], row * each + a) *
                 at<Value>(memory.inputs[1], b * c.j + column);
        }
      }
    }
    return sum;
  }

  template <typename Value>
  void multiply(const Request& request) const {
    const auto& c = std::get<ProductCase>(request.subject);
    for (std::int64_t index = 0; index < c.i * c.j; ++index) {
      const Value value = element<Value>(request, index / c.j, index % c.j);
      for (const RankMemory& memory : request.ranks) {
        std::memcpy(memory.output.data() + static_cast<std::size_t>(index) * sizeof value, &value,
                    sizeof value);
      }
    }
  }

  Times times_;
  bool does_i64_;
};

/// Whatever is done with zeros gives 0.
constexpr std::string_view zeros =
    "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x "
    "data=given A=0,0,0,0,0,0,0,0 B=0,0,0,0,0,0,0,0";

Verdict judged_in_tokens(Quiet& backend, std::string_view line = zeros) {
  return check(parsed(line), backend, {.tokens = true});
}

TEST(Tokens, NameWhatZerosHide) {
  struct Mistake {
    Times times;
    std::string_view kind;
    std::string_view evidence;
  };
  const std::vector<Mistake> mistakes{
      {[](std::int64_t, std::int64_t a, std::int64_t b) { return a == b && a != 3 ? 1 : 0; },
       "coverage/k_missing", "k = 3 is missing everywhere; "},
      {[](std::int64_t, std::int64_t a, std::int64_t b) { return a != b   ? 0
                                                                 : a == 1 ? 2
                                                                          : 1; },
       "coverage/k_doubled", "k = 1 counted twice everywhere; "},
      {[](std::int64_t rank, std::int64_t a, std::int64_t b) {
         return rank == 1 ? (a != b ? 1 : 0) : as_it_must_be(rank, a, b);
       },
       "coverage/k_mispaired", ""},
      {[](std::int64_t rank, std::int64_t a, std::int64_t b) {
         return rank == 0 && a == b ? 1 : 0;
       },
       "coverage/rank_missing", "rank 1 is missing everywhere; "},
      {[](std::int64_t rank, std::int64_t a, std::int64_t b) { return a != b ? 0 : 1 + rank; },
       "coverage/rank_doubled", "rank 1 counted twice everywhere; "}};
  for (const Mistake& mistake : mistakes) {
    Quiet backend(mistake.times);
    const Verdict unseen = check(parsed(zeros), backend);
    EXPECT_EQ(unseen.status, Status::pass) << mistake.kind;
    EXPECT_EQ(outcome(unseen, Invariant::coverage), Outcome::not_observed);
    const Verdict verdict = judged_in_tokens(backend);
    ASSERT_EQ(signature(verdict), mistake.kind) << print(parsed(zeros), verdict);
    EXPECT_EQ(verdict.status, Status::fail);
    EXPECT_TRUE(verdict.is_from_tokens);
    const std::string& evidence = verdict.findings.front().evidence;
    EXPECT_TRUE(evidence.starts_with(mistake.evidence)) << evidence;
    // The line that shows it by itself.
    const std::string line = evidence.substr(evidence.rfind("matmul "));
    EXPECT_EQ(line, backend.runs.back());
    EXPECT_EQ(signature(check(parsed(line), backend)), mistake.kind);
  }
}

TEST(Tokens, SeeThatCoverageHolds) {
  Quiet backend;
  const Verdict verdict = judged_in_tokens(backend);
  EXPECT_EQ(verdict.status, Status::pass) << print(parsed(zeros), verdict);
  EXPECT_EQ(outcome(verdict, Invariant::coverage), Outcome::holds);
  EXPECT_FALSE(verdict.is_from_tokens);
  EXPECT_EQ(backend.runs, (std::vector<std::string>{
                              std::string(zeros),
                              "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j] in=i64 "
                              "plan=local+all_reduce:C/x data=rounding:0"}));
}

TEST(Tokens, SayNothingOfABackendWithoutI64) {
  Quiet backend([](std::int64_t, std::int64_t, std::int64_t) { return 0; }, false);
  const Verdict verdict = judged_in_tokens(backend);
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(outcome(verdict, Invariant::coverage), Outcome::not_observed);
  EXPECT_EQ(backend.runs.size(), 2U);
}

TEST(Tokens, KeepTheNameOfWhatIsNoMatterOfCoverage) {
  // Two of four k: no single contribution explains that.
  Quiet backend(
      [](std::int64_t, std::int64_t a, std::int64_t b) { return a == b && a % 2 == 0 ? 1 : 0; });
  const Verdict verdict = judged_in_tokens(backend);
  EXPECT_EQ(signature(verdict), "value/wrong") << print(parsed(zeros), verdict);
  EXPECT_EQ(outcome(verdict, Invariant::coverage), Outcome::not_observed);
  EXPECT_TRUE(verdict.is_from_tokens);
}

TEST(Tokens, AreNotAskedWhereCoverageWasSeenOrSomethingIsWrong) {
  int runs = 0;
  const auto run_count = [&](const Tampering& alter) {
    runs = 0;
    WorkedExample backend([&](const Request& request, Observation& observation) {
      ++runs;
      if (alter) alter(request, observation);
    });
    check(parsed(worked_example_line), backend, {.tokens = true});
    return runs;
  };
  EXPECT_EQ(run_count({}), 1);
  EXPECT_EQ(run_count([](const Request& request, Observation& observation) {
              observation.products.reset();
              put(request.ranks[0].output, 0, 1000);
            }),
            1);
  Quiet trivial;
  judged_in_tokens(trivial,
                   "matmul mesh=x2 i=2 j=2 k=0 A[i,k/x] B[k/x,j] -> C[i,j] data=given A= B=");
  EXPECT_EQ(trivial.runs.size(), 1U);
}

TEST(Tokens, TakeTheSameSteps) {
  // What is cheapest depends on how wide the operands are beside the partials.
  const ProductCase moved = parsed_product(
      "matmul mesh=x2 i=4 j=4 k=4 A[i,k/x] B[k/x,j] -> C[i,j] in=bf16 acc=f64 wire=f64 out=f64");
  const auto resolved = model::resolve(moved);
  ASSERT_TRUE(resolved.has_value());
  const auto tokens = in_tokens(moved, resolved->steps);
  ASSERT_TRUE(tokens.has_value());
  const auto again = model::resolve(*tokens);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->steps, resolved->steps);
  EXPECT_TRUE(tokens->plan.has_value());
  // Of equal widths the cheapest plan stays the cheapest, and nobody has to spell it out.
  const ProductCase even = parsed_product("matmul mesh=x2 i=4 j=4 k=4 A[i,k/x] B[k/x,j] -> C[i,j]");
  EXPECT_FALSE(in_tokens(even, model::resolve(even)->steps)->plan.has_value());
  EXPECT_TRUE(
      in_tokens(even, *parse_plan(even.mesh, "gather:A/x+gather:B/x+local"))->plan.has_value());
}

TEST(Tokens, AreNotForCasesTooLargeInI64) {
  // 2^26 elements on each of 32 ranks: 2 GiB of bytes, 16 GiB in i64.
  const ProductCase large = parsed_product(
      "matmul mesh=x32 i=8192 j=8192 k=0 A[i,k] B[k,j] -> C[i,j] in=f8e5m2 data=given A= B=");
  EXPECT_FALSE(in_tokens(large, *parse_plan(large.mesh, "local")).has_value());
}

}  // namespace
}  // namespace shardcheck
