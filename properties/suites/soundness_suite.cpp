// Right implementations in the styles that honest people write, none of which says how it adds: no
// word may be said against any of them.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expectation/ownership.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/find_failure.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {
namespace {

struct Factors {
  float a = 0;
  float b = 0;
};
using Terms = std::span<const Factors>;

float in_turn(Terms terms) {
  float sum = 0;
  for (const auto& [a, b] : terms) sum += a * b;
  return sum;
}

float from_the_end(Terms terms) {
  float sum = 0;
  for (std::size_t n = terms.size(); n-- > 0;) sum += terms[n].a * terms[n].b;
  return sum;
}

float fused(Terms terms) {
  float sum = 0;
  for (const auto& [a, b] : terms) sum = std::fma(a, b, sum);
  return sum;
}

/// Without a +0 to begin with.
float from_the_first(Terms terms) {
  if (terms.empty()) return 0;
  float sum = terms[0].a * terms[0].b;
  for (const auto& [a, b] : terms.subspan(1)) sum += a * b;
  return sum;
}

float in_blocks(Terms terms) {
  float sum = 0;
  for (std::size_t begin = 0; begin < terms.size(); begin += 4) {
    sum += fused(terms.subspan(begin, std::min<std::size_t>(4, terms.size() - begin)));
  }
  return sum;
}

float pairwise(Terms terms) {
  if (terms.size() <= 1) return from_the_first(terms);
  const std::size_t half = terms.size() / 2;
  return pairwise(terms.first(half)) + pairwise(terms.subspan(half));
}

/// As vector units do: eight sums side by side, added up in the end.
float interleaved(Terms terms) {
  std::array<float, 8> sums{};
  for (std::size_t n = 0; n < terms.size(); ++n) {
    sums[n % 8] = std::fma(terms[n].a, terms[n].b, sums[n % 8]);
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  return sum;
}

struct Style {
  std::string_view name;
  float (*sum)(Terms terms) = nullptr;
};

void PrintTo(const Style& style, std::ostream* out) { *out << style.name; }

constexpr std::array<Style, 7> styles{{
    {"in_turn", in_turn},
    {"from_the_end", from_the_end},
    {"fused", fused},
    {"from_the_first", from_the_first},
    {"in_blocks", in_blocks},
    {"pairwise", pairwise},
    {"interleaved", interleaved},
}};

/// Gathers everything and multiplies, whatever the plan: the results are right all the same.
class Honest final : public Backend {
 public:
  explicit Honest(const Style& style) : style_(style) {}

  std::string_view name() const override { return style_.name; }
  bool serves(Kind kind) const override { return kind == Kind::product; }
  Promises promises() const override { return {.declared_order = false, .local_order = false}; }

  Observation run(const Request& request) override {
    const auto& c = std::get<ProductCase>(request.subject);
    Observation observation;
    if (c.dtypes != DtypeCombination{} || !c.c.partial_over.empty()) {
      observation.ending = Ending::unsupported;
      return observation;
    }
    const std::vector<float> a = gathered(c, request, Tensor::a, c.k, c.i * c.k);
    const std::vector<float> b = gathered(c, request, Tensor::b, c.j, c.k * c.j);
    std::vector<Factors> terms(static_cast<std::size_t>(c.k));
    const std::vector<model::Shard> shards = model::shards(c, Tensor::c);
    for (std::size_t rank = 0; rank < shards.size(); ++rank) {
      std::vector<std::int64_t>& owned = observation.owned.emplace_back();
      for (const std::int64_t row : shards[rank].rows) {
        for (const std::int64_t column : shards[rank].columns) {
          for (std::int64_t k = 0; k < c.k; ++k) {
            terms[static_cast<std::size_t>(k)] = {a[static_cast<std::size_t>(row * c.k + k)],
                                                  b[static_cast<std::size_t>(k * c.j + column)]};
          }
          store(request.ranks[rank].output, Dtype::f32, static_cast<std::int64_t>(owned.size()),
                std::bit_cast<std::uint32_t>(style_.sum(terms)));
          owned.push_back(row * c.j + column);
        }
      }
    }
    return observation;
  }

 private:
  static std::vector<float> gathered(const ProductCase& c, const Request& request, Tensor tensor,
                                     std::int64_t columns, std::int64_t elements) {
    std::vector<float> whole(static_cast<std::size_t>(elements));
    const std::vector<model::Shard> shards = model::shards(c, tensor);
    for (std::size_t rank = 0; rank < shards.size(); ++rank) {
      std::int64_t at = 0;
      for (const std::int64_t row : shards[rank].rows) {
        for (const std::int64_t column : shards[rank].columns) {
          const Bits bits =
              load(request.ranks[rank].inputs[static_cast<std::size_t>(tensor)], Dtype::f32, at++);
          whole[static_cast<std::size_t>(row * columns + column)] =
              std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        }
      }
    }
    return whole;
  }

  Style style_;
};

class Soundness : public testing::TestWithParam<Style> {};

TEST_P(Soundness, NothingIsSaidAgainstARightProduct) {
  Honest backend(GetParam());
  const Search search{
      .cases = 1500,
      .restrictions = {{{"in", "f32"}, {"acc", "f32"}, {"wire", "f32"}, {"out", "f32"}}}};
  const SearchResult result = find_failure(backend, search);
  ASSERT_FALSE(result.failure) << print(*result.failure);
  EXPECT_GT(result.passed, search.cases / 2);
}

/// Once called wrong: the sums were held to the k groups of a plan that the backend never saw.
TEST_P(Soundness, NorWhereThePlanWouldGroupTheTermsOtherwise) {
  Honest backend(GetParam());
  for (const std::string_view line :
       {"matmul mesh=x2,y2 i=4 j=8 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j/y] split.i=sizes:0,4 "
        "split.j=sizes:8,0 split.k=sizes:2,0,1,1 data=rounding:312586",
        "matmul mesh=x1,y3 i=8 j=4 k=20 A[i/y,k] B[k/y/x,j] -> C[i/x,j/y] split.i=cyclic:1 "
        "split.C.i=ceil split.k=cyclic:1 algorithm.all_gather=direct fma=any data=special:57912",
        "matmul mesh=x2 i=1 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i,j] data=given A=-0,-0 B=1,1"}) {
    const auto subject = parse(line);
    ASSERT_TRUE(subject.has_value()) << print(subject.error());
    const Verdict verdict = check(*subject, backend, every_run);
    EXPECT_TRUE(verdict.findings.empty()) << print(*subject, verdict);
  }
}

INSTANTIATE_TEST_SUITE_P(Styles, Soundness, testing::ValuesIn(styles),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace shardcheck
