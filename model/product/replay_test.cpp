#include "replay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/case/text.h>

#include <shardcheck/model/exact/native.h>

// Exact sums of whole cases, the fast ones, against numbers of any size, on every regime.

namespace shardcheck::model {
namespace {

Number product_at(const ProductCase& subject, const Inputs& inputs, std::int64_t i, std::int64_t j,
                  std::int64_t a_k, std::int64_t b_k) {
  const Dtype in = subject.dtypes.in;
  return Number::of_double(value_of(in, inputs.at(Tensor::a, i, a_k))) *
         Number::of_double(value_of(in, inputs.at(Tensor::b, b_k, j)));
}

/// Whether every factor of the element is a number: data=special has others, too.
bool has_finite_terms(const ProductCase& subject, const Inputs& inputs, std::int64_t i,
                      std::int64_t j) {
  for (std::int64_t k = 0; k < subject.k; ++k) {
    const Dtype in = subject.dtypes.in;
    if (!std::isfinite(value_of(in, inputs.at(Tensor::a, i, k))) ||
        !std::isfinite(value_of(in, inputs.at(Tensor::b, k, j)))) {
      return false;
    }
  }
  return true;
}

/// How many sums were compared.
std::int64_t compare(const std::string& line) {
  const auto subject = parse_product(line);
  if (!subject) {
    ADD_FAILURE() << print(subject.error());
    return 0;
  }
  const auto plan = resolve(*subject);
  const Reduction reducing = reduction(*subject, *plan);
  const auto replay = make_replay(*subject, *plan, reducing);
  const Inputs inputs(*subject);
  using Kind = Change::Kind;
  const std::int64_t changed = subject->k / 2;
  std::int64_t compared = 0;
  for (std::int64_t i = 0; i < subject->i; ++i) {
    for (std::int64_t j = 0; j < subject->j; ++j) {
      if (!has_finite_terms(*subject, inputs, i, j)) continue;
      ++compared;
      const auto product = [&](std::int64_t a_k, std::int64_t b_k) {
        return product_at(*subject, inputs, i, j, a_k, b_k);
      };
      Number sum;
      Number magnitude;
      for (std::int64_t k = 0; k < subject->k; ++k) {
        sum = sum + product(k, k);
        magnitude = magnitude + product(k, k).magnitude();
      }
      const auto sum_with = [&](Kind kind) {
        return replay->sum(i, j, 0, {kind, changed}).finite.sum;
      };
      const TermSum whole = replay->sum(i, j, 0, {});
      EXPECT_TRUE(whole.is_finite());
      EXPECT_EQ(whole.finite.sum, sum) << line;
      EXPECT_EQ(whole.finite.magnitude, magnitude) << line;
      EXPECT_EQ(whole.finite.grid, dot(replay->terms(i, j, 0, {})).grid) << line;
      EXPECT_EQ(sum_with(Kind::drop_k), sum - product(changed, changed));
      EXPECT_EQ(sum_with(Kind::double_k), sum + product(changed, changed));
      EXPECT_EQ(sum_with(Kind::mispair_k),
                sum - product(changed, changed) - product(changed + 1, changed + 1) +
                    product(changed, changed + 1) + product(changed + 1, changed));
      // Rounded, then as a double: the sum only if it was one.
      const double rounded = value_of(Dtype::f64, round(Dtype::f64, sum));
      if (!std::isfinite(rounded)) continue;
      EXPECT_EQ(replay->is_sum(i, j, 0, rounded), Number::of_double(rounded) == sum) << line;
      EXPECT_FALSE(replay->is_sum(i, j, 0, std::nextafter(rounded, 1e300))) << line;
    }
  }
  return compared;
}

TEST(Replay, SumsExactlyOnEveryRegime) {
  std::int64_t compared = 0;
  for (const RegimeInfo& regime : regimes) {
    if (regime.regime == Data::Regime::given) continue;
    for (const DtypeInfo& in : dtypes) {
      if (!in.is_float) continue;
      for (const char* seed : {"1", "2", "3"}) {
        compared += compare(
            "matmul mesh=x3 i=5 j=9 k=40 A[i,k/x] B[k/x,j] -> C[i,j] in=" + std::string(in.name) +
            " split.k=cyclic:3 plan=local+all_reduce data=" + std::string(regime.name) + ":" +
            seed);
      }
    }
  }
  EXPECT_GT(compared, 2000);
}

// Rows and columns of zeros, of one value, of the finest and the largest ones.
TEST(Replay, SumsExactlyAtTheEndsOfTheRange) {
  const std::string line =
      "matmul mesh=x2 i=2 j=2 k=3 A[i,k/x] B[k/x,j] -> C[i,j] plan=local+all_reduce data=given ";
  compare(line + "in=f64 A=0,0,0,1,2,3 B=0,1,0,-5,0,7");
  compare(line + "in=f64 A=0x1p-1074,1,0,0x1p+1023,0x1p-1000,3 B=1,1,0x1p-1074,0x1p+900,1,7");
  compare(line + "in=f32 A=0x1p-149,1,0,0x1p+127,0x1p-100,3 B=1,1,0x1p-149,0x1p+100,1,7");
  // A row that 64 bits don't hold beside columns of one bit each.
  compare(line + "in=f64 A=1,0x1p-70,0,1,1,1 B=1,1,1,-1,1,1");
  compare(line + "in=f32 A=0x1p-30,1,0,0x1p+30,0x1p-30,3 B=1,1,0x1p-30,0x1p+30,1,7");
}

TEST(Replay, ASumOfWhatIsNoNumberIsNone) {
  const auto subject = parse_product(
      "matmul mesh=x1 i=3 j=1 k=2 A[i,k] B[k,j] -> C[i,j] in=f32 data=given "
      "A=nan,1,inf,1,inf,inf B=1,0");
  const auto plan = resolve(*subject);
  const Reduction reducing = reduction(*subject, *plan);
  const auto replay = make_replay(*subject, *plan, reducing);
  EXPECT_TRUE(replay->sum(0, 0, 0, {}).nan);
  EXPECT_TRUE(replay->sum(1, 0, 0, {}).positive_infinity);
  EXPECT_TRUE(replay->sum(2, 0, 0, {}).nan);
  EXPECT_FALSE(replay->is_sum(0, 0, 0, 0));
}

/// Of f32 alone, by hand: the products of a rank in the order of its k list, without one k.
float local_sum(const Inputs& inputs, const IndexList& ks, std::int64_t i, std::int64_t j,
                std::int64_t dropped) {
  float sum = 0;
  for (const std::int64_t k : ks) {
    if (k == dropped) continue;
    const auto a = static_cast<float>(value_of(Dtype::f32, inputs.at(Tensor::a, i, k)));
    const auto b = static_cast<float>(value_of(Dtype::f32, inputs.at(Tensor::b, k, j)));
    const float product = a * b;
    sum += product;
  }
  return sum;
}

// Where an order depends on the element: each rank of a schedule has its own.
TEST(Replay, AddsEachElementInTheOrderOfItsRank) {
  for (const std::string line : {
           "mesh=x3,y3 i=5 j=20 k=11 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] split.j=cyclic:3 "
           "plan=cannon:x/y",
           "mesh=x3 i=4 j=20 k=11 A[i,k/x] B[k,j/x] -> C[i,j/x] split.j=cyclic:1 "
           "plan=gather_local:A/x",
           "mesh=x3,y2 i=7 j=9 k=12 A[i/x,k/y] B[k/y/x,j] -> C[i/x,j]+y plan=gather_local:B/x",
       }) {
    const auto subject = parse_product("matmul " + line + " in=f32 data=rounding:5");
    ASSERT_TRUE(subject) << print(subject.error());
    const auto plan = resolve(*subject);
    ASSERT_TRUE(plan) << plan.error();
    const Reduction reducing = reduction(*subject, *plan);
    const auto replay = make_replay(*subject, *plan, reducing);
    const Inputs inputs(*subject);
    for (std::int64_t rank = 0; rank < rank_count(subject->mesh); ++rank) {
      const Shard& shard = born(*plan).shards[static_cast<std::size_t>(rank)];
      const IndexList& ks = ks_added(*plan, rank);
      const std::int64_t part = reducing.part_of_rank[static_cast<std::size_t>(rank)];
      for (const std::int64_t i : shard.rows) {
        for (const std::int64_t j : shard.columns) {
          const std::vector<Term> terms = replay->part_terms(i, j, part, {});
          ASSERT_EQ(terms.size(), ks.size());
          for (std::size_t n = 0; n < ks.size(); ++n) {
            EXPECT_EQ(terms[n].a, value_of(Dtype::f32, inputs.at(Tensor::a, i, ks[n])));
            EXPECT_EQ(terms[n].b, value_of(Dtype::f32, inputs.at(Tensor::b, ks[n], j)));
          }
          const Change dropped{Change::Kind::drop_k, ks[2]};
          EXPECT_EQ(value_of(Dtype::f32, replay->partial(i, j, part, dropped)),
                    local_sum(inputs, ks, i, j, ks[2]))
              << line;
        }
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck::model
