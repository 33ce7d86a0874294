// Which share of wrong elements is noticed, by whom: a table for docs/values.md. Eight ranks, each
// with an eighth of k, all-reduce by ring; the results of the documented computation and of the
// same with a mistake, element by element, judged
//
//   tolerance   as torch.testing.assert_close does by default: |got − expected| <= atol + rtol ·
//               |expected|, the expected being the exact sum rounded to out
//   envelope    by the proven bound that holds for every order
//   any order   by what some order across ranks gives
//   declared    by what the documented order gives
//
// Ends with 1 if a right element is flagged.

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/exact/native.h>
#include <shardcheck/model/plan/rules.h>
#include <shardcheck/model/product/free_order.h>
#include <shardcheck/model/product/values.h>

namespace shardcheck::model {
namespace {

constexpr int seed_count = 40;

/// A case with everything that the model says of it.
struct Product {
  ProductCase subject;
  ResolvedPlan plan;
  Values values;

  explicit Product(const std::string& line)
      : subject(*parse_product(line)), plan(*resolve(subject)), values(subject, plan) {}

  Bits result(std::int64_t coordinate) const { return values.allowed(0, coordinate).low; }
};

/// One wrong (or right) way to compute an element.
struct Way {
  std::string_view name;
  std::function<Bits(std::int64_t coordinate)> result;
};

struct Tally {
  std::string_view name;
  std::int64_t elements = 0;
  std::array<std::int64_t, 4> flagged{};
};

/// torch.testing.assert_close, defaults of PyTorch 2.
bool is_within_tolerance(Dtype out, double got, double expected) {
  double rtol = 1.3e-6;
  double atol = 1e-5;
  if (out == Dtype::bf16) rtol = 1.6e-2;
  if (out == Dtype::f16) rtol = 1e-3;
  if (out == Dtype::f64) rtol = atol = 1e-7;
  return std::fabs(got - expected) <= atol + rtol * std::fabs(expected);
}

struct Dtypes {
  std::string_view title;
  std::string_view keys;    ///< as they should be
  std::string_view hops;    ///< partials rounded as they are sent
  std::string_view narrow;  ///< accumulated in bf16; empty where inputs don't fit
};

constexpr std::array<Dtypes, 2> tables{{
    {"bf16 in, f32 accumulated and sent, bf16 out", "in=bf16 acc=f32 wire=f32 out=bf16",
     "in=bf16 acc=f32 wire=bf16 out=bf16", "in=bf16 acc=bf16 wire=bf16 out=bf16"},
    {"f32 in, accumulated, sent and out", "in=f32 acc=f32 wire=f32 out=f32",
     "in=f32 acc=f32 wire=bf16 out=f32", ""},
}};

std::string line_of(std::string_view keys, std::string_view more, int seed) {
  return fmt::format(
      "matmul mesh=x8 i=16 j=16 k=128 A[i,k/x] B[k/x,j] -> C[i,j] {} data=rounding:{} "
      "plan=local+all_reduce {}",
      keys, seed, more);
}

void judge(const Product& right, const Product& free, std::span<const Way> ways,
           std::vector<Tally>& tallies) {
  const Dtype out = right.subject.dtypes.out;
  const Reduction reducing = reduction(free.subject, free.plan);
  const auto replay = make_replay(free.subject, free.plan, reducing);
  const FreeOrder orders(free.subject, reducing, *replay, LocalOrder::ascending, Grouping::planned);
  tallies.resize(ways.size());
  for (std::int64_t c = 0; c < right.subject.i * right.subject.j; ++c) {
    const TermSum sum = replay->sum(c / right.subject.j, c % right.subject.j, 0, {});
    const Allowed bounds = orders.bounds(sum);
    const Allowed any = free.values.allowed(0, c);
    const Allowed declared = right.values.allowed(0, c);
    SHARDCHECK_REQUIRE(any.grade != Grade::envelope, "the cases are within the limits of sets");
    const double expected = value_of(out, round(out, sum.finite.sum));
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const Bits got = ways[way].result(c);
      Tally& tally = tallies[way];
      tally.name = ways[way].name;
      ++tally.elements;
      if (!is_within_tolerance(out, value_of(out, got), expected)) ++tally.flagged[0];
      if (!allows(bounds, out, got)) ++tally.flagged[1];
      if (!allows(any, out, got)) ++tally.flagged[2];
      if (!allows(declared, out, got)) ++tally.flagged[3];
    }
  }
}

std::vector<Tally> tallied(const Dtypes& table) {
  std::vector<Tally> tallies;
  for (int seed = 1; seed <= seed_count; ++seed) {
    const Product right(line_of(table.keys, "", seed));
    const Product free(line_of(table.keys, "order=any", seed));
    const Product other(line_of(table.keys, "algorithm.all_reduce=direct", seed));
    const Product hops(line_of(table.hops, "", seed));
    const Dtype out = right.subject.dtypes.out;
    const auto altered = [&](Alteration::Kind kind, std::int64_t index, std::int64_t c) {
      return right.values.altered(0, c, {kind, index}).low;
    };
    std::vector<Way> ways{
        {"right", [&](std::int64_t c) { return right.result(c); }},
        {"right, in another order", [&](std::int64_t c) { return other.result(c); }},
        {"partials rounded to bf16 at every hop", [&](std::int64_t c) { return hops.result(c); }},
        {"one ulp off", [&](std::int64_t c) { return right.result(c) + 1; }},
        {"one k dropped",
         [&](std::int64_t c) { return altered(Alteration::Kind::drop_k, c % right.subject.k, c); }},
        {"one rank counted twice",
         [&](std::int64_t c) { return altered(Alteration::Kind::double_rank, c % 8, c); }},
    };
    std::optional<Product> narrow;
    if (!table.narrow.empty()) {
      narrow.emplace(line_of(table.narrow, "", seed));
      ways.push_back({"accumulated in bf16", [&](std::int64_t c) {
                        return convert(narrow->subject.dtypes.out, out, narrow->result(c));
                      }});
    }
    judge(right, free, ways, tallies);
  }
  return tallies;
}

/// Whether no right element was flagged.
bool print_tables() {
  bool is_right_flagged = false;
  for (const Dtypes& table : tables) {
    const std::vector<Tally> tallies = tallied(table);
    fmt::print("{}: {} elements a row\n\n", table.title, tallies.front().elements);
    fmt::print(
        "| flagged | tolerance | envelope | any order | declared |\n|---|---|---|---|---|\n");
    for (const Tally& tally : tallies) {
      fmt::print("| {} |", tally.name);
      for (const std::int64_t count : tally.flagged) {
        fmt::print(" {:.1f} % |",
                   100.0 * static_cast<double>(count) / static_cast<double>(tally.elements));
      }
      fmt::print("\n");
    }
    fmt::print("\n");
    const auto& right = tallies[0].flagged;
    const auto& reordered = tallies[1].flagged;
    is_right_flagged =
        is_right_flagged || right[1] + right[2] + right[3] > 0 || reordered[1] + reordered[2] > 0;
  }
  return !is_right_flagged;
}

}  // namespace
}  // namespace shardcheck::model

int main() { return shardcheck::model::print_tables() ? 0 : 1; }
