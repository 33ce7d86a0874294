#include "free_order.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <shardcheck/model/case/text.h>

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/exact/native.h>
#include "values.h"

// Trees drawn at random, rank by rank and across ranks, in the generic arithmetic: none leaves what
// is allowed.

namespace shardcheck::model {
namespace {

struct Drawing {
  DtypeCombination dtypes;
  std::mt19937_64 random;

  bool coin() { return random() % 2 == 0; }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random() % count); }

  Bits in_acc(double value) const { return round_to_pattern(dtypes.acc, value); }
  static Bits round_to_pattern(Dtype dtype, double value) {
    const FloatFormat& format = float_format(dtype);
    return pattern_of(format, round_to(format, value));
  }

  /// Joins two of the values until one is left; what they become is for `join` to say.
  template <class Value, class Join>
  Value joined(std::vector<Value> values, const Join& join) {
    while (values.size() > 1) {
      // Long chains as often as bushy trees: the last result is taken again half of the time.
      const std::size_t first = coin() ? values.size() - 1 : below(values.size());
      std::swap(values[first], values.back());
      const Value x = values.back();
      values.pop_back();
      std::swap(values[below(values.size())], values.back());
      const Value y = values.back();
      values.back() = join(x, y);
    }
    return values.front();
  }

  /// A term, or a sum of some.
  struct Partial {
    Bits bits = 0;
    bool is_term = false;
    Bits a = 0;
    Bits b = 0;
  };

  Bits local_sum(const std::vector<Term>& terms) {
    const Dtype acc = dtypes.acc;
    std::vector<Partial> partials{{}};
    for (const Term& term : terms) {
      const Bits a = in_acc(term.a);
      const Bits b = in_acc(term.b);
      partials.push_back({multiply(acc, a, b), true, a, b});
    }
    const auto join = [&](const Partial& x, const Partial& y) -> Partial {
      if (x.is_term && coin()) return {fused_multiply_add(acc, x.a, x.b, y.bits)};
      if (y.is_term && coin()) return {fused_multiply_add(acc, y.a, y.b, x.bits)};
      return {add(acc, x.bits, y.bits)};
    };
    return joined(std::move(partials), join).bits;
  }

  Bits sent(Bits x) const {
    return convert(dtypes.wire, dtypes.acc, convert(dtypes.acc, dtypes.wire, x));
  }

  Bits across_ranks(std::vector<Bits> partials) {
    const auto operand = [&](Bits x) { return coin() ? sent(x) : x; };
    const Bits sum = joined(std::move(partials), [&](Bits x, Bits y) {
      return add(dtypes.acc, operand(x), operand(y));
    });
    return convert(dtypes.acc, dtypes.out, sum);
  }
};

struct Counts {
  std::array<std::int64_t, grade_names.size()> by_grade{};
  std::int64_t outside = 0;
};

/// `trees` for each element, in any order within ranks and across them.
void try_trees(const std::string& line, int trees, Counts& counts) {
  const auto subject = parse_product(line);
  ASSERT_TRUE(subject) << print(subject.error()) << line;
  const auto plan = resolve(*subject);
  ASSERT_TRUE(plan) << plan.error();
  const Values values(*subject, *plan, LocalOrder::free);
  const Reduction reducing = reduction(*subject, *plan);
  const auto replay = make_replay(*subject, *plan, reducing);
  Drawing drawing{subject->dtypes, std::mt19937_64(subject->data.seed)};
  for (std::int64_t i = 0; i < subject->i; ++i) {
    for (std::int64_t j = 0; j < subject->j; ++j) {
      const Allowed allowed = values.allowed(0, i * subject->j + j);
      for (int tree = 0; tree < trees; ++tree) {
        std::vector<Bits> partials;
        for (std::int64_t part = 0; part < reducing.part_count; ++part) {
          partials.push_back(drawing.local_sum(replay->part_terms(i, j, part, {})));
        }
        const Bits got = drawing.across_ranks(std::move(partials));
        ++counts.by_grade[static_cast<std::size_t>(allowed.grade)];
        if (!allows(allowed, subject->dtypes.out, got)) ++counts.outside;
        ASSERT_EQ(counts.outside, 0)
            << line << ": allowed " << describe(allowed, subject->dtypes.out) << ", got "
            << print_value(subject->dtypes.out, got);
      }
    }
  }
}

TEST(FreeOrder, NoTreeLeavesWhatIsAllowed) {
  Counts counts;
  for (const char* dtypes :
       {"in=f32", "in=f64", "in=bf16 acc=f32 wire=bf16 out=bf16", "in=f16 acc=f16",
        "in=bf16 acc=bf16", "in=bf16 acc=bf16 wire=f8e5m2 out=f32",
        "in=f8e4m3fn acc=f32 wire=f8e4m3fn out=f32", "in=f8e5m2 acc=f16 out=f8e4m3fn",
        "in=f32 acc=f64 wire=f32"}) {
    for (const char* shape : {"mesh=x2 k=5 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce",
                              "mesh=x5 k=12 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce",
                              "mesh=x25 k=60 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce",
                              "mesh=x4,y4 k=16 A[i,k/x/y] B[k/x/y,j] -> C[i,j] "
                              "plan=local+all_reduce:C/x+all_reduce:C/y"}) {
      for (const char* data : {"rounding:1", "rounding:2", "ints:3"}) {
        try_trees(std::string("matmul i=2 j=3 order=any ") + shape + " " + dtypes + " data=" + data,
                  10, counts);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(counts.by_grade[static_cast<std::size_t>(Grade::envelope)], 2000);
  EXPECT_GT(counts.by_grade[static_cast<std::size_t>(Grade::any_order)], 1000);
}

/// Of every element of every rank: what the documented tree gives is among what some order gives.
std::int64_t compare_with_declared(const std::string& line) {
  const auto declared = parse_product(line);
  const auto free = parse_product(line + " order=any");
  if (!declared || !free) {
    ADD_FAILURE() << line;
    return 0;
  }
  const auto plan = resolve(*declared);
  if (!plan) {
    ADD_FAILURE() << plan.error() << line;
    return 0;
  }
  const Values one(*declared, *plan);
  const Values many(*free, *plan);
  const std::vector<Shard>& shards = plan->states.back().c->shards;
  std::int64_t sets = 0;
  for (std::size_t rank = 0; rank < shards.size(); ++rank) {
    for (const std::int64_t i : shards[rank].rows) {
      for (const std::int64_t j : shards[rank].columns) {
        const auto r = static_cast<std::int64_t>(rank);
        const std::int64_t c = i * declared->j + j;
        const Allowed allowed = many.allowed(r, c);
        if (allowed.grade == Grade::any_order) ++sets;
        EXPECT_TRUE(allows(allowed, declared->dtypes.out, one.allowed(r, c).low))
            << line << ": " << describe(allowed, declared->dtypes.out);
      }
    }
  }
  return sets;
}

TEST(FreeOrder, TheDocumentedTreeIsOneOfTheTrees) {
  std::int64_t sets = 0;
  for (const char* way :
       {"mesh=x5 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x",
        "mesh=x5 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce:C/x",
        "mesh=x5 A[i,k/x] B[k/x,j] -> C[i,j]+x",
        "mesh=x2,y3 A[i,k/x/y] B[k/x/y,j] -> C[i,j] plan=local+all_reduce:C/x+all_reduce:C/y",
        "mesh=x2,y3 A[i,k/x/y] B[k/x/y,j] -> C[i,j]+x plan=local+all_reduce:C/y",
        "mesh=x2,y3 A[i,k/x/y] B[k/x/y,j] -> C[i/y,j] "
        "plan=local+reduce_scatter:C/y+all_reduce:C/x",
        "mesh=x3,y1 A[i,k/x/y] B[k/x/y,j] -> C[i,j] plan=local+all_reduce:C/x+all_reduce:C/y",
        "mesh=x3,y1 A[i,k/x/y] B[k/x/y,j] -> C[i,j] "
        "plan=local+reduce_scatter:C/x+gather:C/x+all_reduce:C/y",
        "mesh=x3,y2 A[i/y,k/x] B[k/x,j] -> C[i,j] plan=local+gather:C/y+all_reduce:C/x"}) {
    for (const char* dtypes : {"in=f32", "in=bf16 acc=f32 wire=bf16 out=bf16",
                               "in=f8e4m3fn acc=f16 wire=f8e4m3fn out=f32"}) {
      for (const char* algorithm : {"ring", "direct"}) {
        sets += compare_with_declared(std::string("matmul i=5 j=4 k=13 ") + way + " " + dtypes +
                                      " data=rounding:4 algorithm.all_reduce=" + algorithm +
                                      " algorithm.reduce_scatter=" + algorithm);
      }
    }
  }
  EXPECT_GT(sets, 1000);
}

// 1 and then values just above half a step, added in turn to what the first rank has: each rounds
// up, and the sum is off by nearly u for each.
TEST(FreeOrder, ABoundIsReachedButForAFactorOfTwo) {
  for (const auto& [acc, precision] : {std::pair(Dtype::f32, 24), std::pair(Dtype::bf16, 8)}) {
    const std::size_t count = acc == Dtype::bf16 ? 16 : 1000;
    const double step = std::ldexp(1.0, 1 - precision);
    std::vector<Term> terms{{1, 1}};
    Bits sum = Drawing::round_to_pattern(acc, 1);
    for (std::size_t n = 1; n < count; ++n) {
      const double value = step / 2 * (1 + step);
      terms.push_back({value, 1});
      sum = add(acc, sum, Drawing::round_to_pattern(acc, value));
    }
    const DtypeCombination dtypes{acc, acc, acc, Dtype::f64};
    const auto additions = static_cast<std::int64_t>(count) - 1;
    const TermSum exact = sum_of(terms);
    const Allowed allowed = envelope(
        envelope_factors(dtypes, {.products = 0, .sums = additions}, additions + 1), exact);
    EXPECT_TRUE(allows(allowed, Dtype::f64, convert(acc, Dtype::f64, sum)));
    const auto error_of = [&](double value) {
      const Number error = Number::of_double(value) - exact.finite.sum;
      return value_of(Dtype::f64, round(Dtype::f64, error));
    };
    const double reached = error_of(value_of(acc, sum));
    const double bound = error_of(value_of(Dtype::f64, allowed.high));
    EXPECT_GT(reached, 0);
    EXPECT_LT(bound, 2 * reached) << info(acc).name;
  }
}

}  // namespace
}  // namespace shardcheck::model
