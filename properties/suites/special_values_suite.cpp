// NaN, infinities, zeros, overflow and wrapping in the product: each rule by itself, on our
// implementation's results, and through check(), so that the model says the same. Expected values
// come from the rules, never from either side. Sizes lie around the widths of vector registers.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/case/number_bits.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/arena.h>
#include <shardcheck/properties/judge/report.h>
#include <shardcheck/properties/judge/run_record.h>

namespace shardcheck {
namespace {

constexpr std::array<std::int64_t, 9> widths{1, 3, 4, 5, 8, 9, 15, 17, 33};
constexpr std::array<std::string_view, 3> kernels{"kernel=fast", "kernel=ordered", "fma=yes"};
constexpr std::array<std::string_view, 5> floats{"f32", "f64", "bf16", "f16", "f8e5m2"};

/// K over three ranks, rows wanted, and small integers for data, written out so that a test may put
/// others in their places.
ProductCase product(std::int64_t i, std::int64_t j, std::int64_t k, std::string_view rest) {
  const auto subject =
      parse_product(fmt::format("matmul mesh=x3 i={} j={} k={} A[i,k/x] B[k/x,j] -> C[i/x,j] "
                                "plan=local+reduce_scatter data=ints:3 {}",
                                i, j, k, rest));
  if (!subject) {
    ADD_FAILURE() << print(subject.error());
    return {};
  }
  ProductCase given = *subject;
  const Inputs inputs(*subject);
  given.data.given.resize(2);
  for (std::int64_t n = 0; n < i * k; ++n)
    given.data.given[0].push_back(inputs.at(Tensor::a, n / k, n % k));
  for (std::int64_t n = 0; n < k * j; ++n)
    given.data.given[1].push_back(inputs.at(Tensor::b, n / j, n % j));
  given.data.regime = Data::Regime::given;
  return given;
}

Bits value(Dtype dtype, std::string_view text) { return *parse_value(dtype, text); }

void put(ProductCase& subject, Tensor tensor, std::int64_t row, std::int64_t column,
         std::string_view text) {
  const bool is_a = tensor == Tensor::a;
  auto& values = is_a ? subject.data.given[0] : subject.data.given[1];
  values[static_cast<std::size_t>(row * (is_a ? subject.k : subject.j) + column)] =
      value(subject.dtypes.in, text);
}

/// C by coordinate. check() has to agree: that is what the model says.
std::vector<Bits> results(const ProductCase& subject) {
  impl::ShardedBackend backend;
  const Verdict verdict = check(subject, backend);
  EXPECT_EQ(verdict.status, Status::pass) << print(subject, verdict);
  Arena arena;
  const RunRecord run = run_once(subject, **model::expect(subject), backend, arena);
  std::vector<Bits> c(static_cast<std::size_t>(subject.i * subject.j));
  for (std::size_t rank = 0; rank < run.bits.size(); ++rank) {
    for (std::size_t at = 0; at < run.bits[rank].size(); ++at) {
      c[static_cast<std::size_t>(run.observation.owned[rank][at])] = run.bits[rank][at];
    }
  }
  return c;
}

bool is_nan_value(Dtype dtype, Bits bits) {
  const FloatBits& f = float_bits(dtype);
  const Bits magnitude = bits & ~sign_bit(f);
  return !is_finite(f, magnitude) && !(has_infinity(f) && magnitude == infinity_bits(f));
}

/// NaN where `is_due` says so, and what `clean` has everywhere else.
template <typename IsDue>
void expect_nan_just_where(const ProductCase& subject, const std::vector<Bits>& clean,
                           IsDue is_due) {
  const std::vector<Bits> c = results(subject);
  const Dtype out = subject.dtypes.out;
  for (std::int64_t coordinate = 0; coordinate < std::ssize(c); ++coordinate) {
    const auto at = static_cast<std::size_t>(coordinate);
    if (is_due(coordinate / subject.j, coordinate % subject.j)) {
      EXPECT_TRUE(is_nan_value(out, c[at])) << coordinate << print_value(out, c[at]);
    } else {
      EXPECT_EQ(c[at], clean[at]) << coordinate << ' ' << print_value(out, c[at]);
    }
  }
}

TEST(SpecialValues, ANanInARowOrColumnStaysInIt) {
  for (const std::string_view in : {"f32", "f64", "bf16", "f16", "f8e5m2", "f8e4m3fn"}) {
    for (const std::string_view kernel : kernels) {
      for (const std::int64_t j : widths) {
        SCOPED_TRACE(fmt::format("in={} {} j={}", in, kernel, j));
        ProductCase subject = product(4, j, 7, fmt::format("in={} {}", in, kernel));
        const std::vector<Bits> clean = results(subject);
        ProductCase row = subject;
        put(row, Tensor::a, 2, 5, "nan");
        expect_nan_just_where(row, clean, [](auto i, auto) { return i == 2; });
        ProductCase column = subject;
        put(column, Tensor::b, 1, j - 1, "nan");
        expect_nan_just_where(column, clean, [j](auto, auto at) { return at == j - 1; });
      }
    }
  }
}

TEST(SpecialValues, InfinitiesOfBothSignsMakeNanOnOneRankAndAcrossRanks) {
  for (const std::string_view in : floats) {
    for (const std::int64_t j : widths) {
      // k's 0, 1, 2 are rank 0's; 3 and 4 rank 1's.
      for (const std::int64_t other : {1, 4}) {
        SCOPED_TRACE(fmt::format("in={} j={} other={}", in, j, other));
        ProductCase subject = product(3, j, 7, fmt::format("in={}", in));
        for (std::int64_t column = 0; column < j; ++column) {
          put(subject, Tensor::b, 0, column, "1");
          put(subject, Tensor::b, other, column, "1");
        }
        const std::vector<Bits> clean = results(subject);
        put(subject, Tensor::a, 1, 0, "inf");
        put(subject, Tensor::a, 1, other, "-inf");
        expect_nan_just_where(subject, clean, [](auto i, auto) { return i == 1; });
      }
    }
  }
}

TEST(SpecialValues, AnInfinityAloneIsTheResult) {
  for (const std::string_view in : floats) {
    ProductCase subject = product(2, 9, 7, fmt::format("in={}", in));
    for (std::int64_t column = 0; column < 9; ++column) {
      put(subject, Tensor::b, 3, column, column % 2 == 0 ? "2" : "-2");
    }
    put(subject, Tensor::a, 0, 3, "-inf");
    const std::vector<Bits> c = results(subject);
    for (std::int64_t column = 0; column < 9; ++column) {
      EXPECT_EQ(print_value(subject.dtypes.out, c[static_cast<std::size_t>(column)]),
                column % 2 == 0 ? "-inf" : "inf");
    }
  }
}

TEST(SpecialValues, ZeroTimesInfinityIsNanSoNoZeroIsSkipped) {
  for (const std::string_view in : floats) {
    for (const std::string_view kernel : kernels) {
      for (const std::int64_t j : widths) {
        SCOPED_TRACE(fmt::format("in={} {} j={}", in, kernel, j));
        ProductCase subject = product(3, j, 5, fmt::format("in={} {}", in, kernel));
        for (std::int64_t row = 0; row < 3; ++row) put(subject, Tensor::a, row, 4, "0");
        const std::vector<Bits> clean = results(subject);
        put(subject, Tensor::b, 4, j / 2, "inf");
        expect_nan_just_where(subject, clean, [j](auto, auto column) { return column == j / 2; });
      }
    }
  }
}

TEST(SpecialValues, SumsOfNegativeZerosArePositiveAlsoWhereAShardIsEmpty) {
  // Rank 1 has no k. Every sum starts at +0, and +0 + −0 = +0.
  for (const std::string_view in : floats) {
    for (const std::string_view kernel : kernels) {
      ProductCase subject =
          product(3, 9, 4, fmt::format("split.k=sizes:3,0,1 in={} {}", in, kernel));
      for (Bits& bits : subject.data.given[0]) bits = value(subject.dtypes.in, "-0");
      for (Bits& bits : subject.data.given[1]) bits = value(subject.dtypes.in, "1");
      for (const Bits bits : results(subject)) EXPECT_EQ(bits, 0U) << in << ' ' << kernel;
    }
  }
}

TEST(SpecialValues, ASmallNegativeSumRoundsToNegativeZero) {
  // −2^-100 in f32 is less than half of the least f16 number; its sign stays.
  ProductCase subject = product(3, 5, 3, "in=f32 out=f16");
  for (Bits& bits : subject.data.given[0]) bits = value(Dtype::f32, "-0x1p-50");
  for (Bits& bits : subject.data.given[1]) bits = value(Dtype::f32, "0x1p-50");
  for (const Bits bits : results(subject)) EXPECT_EQ(print_value(Dtype::f16, bits), "-0");
}

TEST(SpecialValues, SubnormalProductsAndSumsAreKept) {
  for (const std::string_view kernel : kernels) {
    for (const std::int64_t j : widths) {
      ProductCase subject = product(3, j, 3, fmt::format("in=f32 {}", kernel));
      for (Bits& bits : subject.data.given[0]) bits = value(Dtype::f32, "0x1p-75");
      for (Bits& bits : subject.data.given[1]) bits = value(Dtype::f32, "0x1p-74");
      for (const Bits bits : results(subject)) EXPECT_EQ(bits, 3U) << kernel << " j=" << j;
    }
  }
}

TEST(SpecialValues, NothingToSumIsPositiveZero) {
  for (const std::string_view in : {"f32", "f64", "bf16", "f8e4m3fn", "i8", "u64"}) {
    const ProductCase subject = product(3, 9, 0, fmt::format("in={}", in));
    for (const Bits bits : results(subject)) EXPECT_EQ(bits, 0U) << in;
  }
}

/// Terms max, max, −max, one a rank, in f32.
ProductCase near_the_top(std::string_view rest) {
  ProductCase subject = product(3, 1, 3, rest);
  for (std::int64_t row = 0; row < 3; ++row) {
    put(subject, Tensor::a, row, 0, "0x1.fffffep+127");
    put(subject, Tensor::a, row, 1, "0x1.fffffep+127");
    put(subject, Tensor::a, row, 2, "-0x1.fffffep+127");
  }
  for (std::int64_t k = 0; k < 3; ++k) put(subject, Tensor::b, k, 0, "1");
  return subject;
}

TEST(SpecialValues, NearTheTopTheDocumentedOrderDecides) {
  // Ring, block b: x_{b+1}, x_{b+2}, x_b. (max − max) + max, (−max + max) + max, (max + max) − max.
  const std::vector<Bits> ring = results(near_the_top(""));
  EXPECT_EQ(print_value(Dtype::f32, ring[0]), "0x1.fffffep+127");
  EXPECT_EQ(print_value(Dtype::f32, ring[1]), "0x1.fffffep+127");
  EXPECT_EQ(print_value(Dtype::f32, ring[2]), "inf");
  // Direct: always (max + max) − max.
  for (const Bits bits : results(near_the_top("algorithm.reduce_scatter=direct"))) {
    EXPECT_EQ(print_value(Dtype::f32, bits), "inf");
  }
}

TEST(SpecialValues, NearTheTopAFreeOrderAllowsBothAndNothingElse) {
  const ProductCase subject = near_the_top("order=any");
  const auto expectation = model::expect(subject);
  ASSERT_TRUE(expectation) << expectation.error();
  const model::Allowed allowed = (*expectation)->allowed(0, 0);
  const auto is_allowed = [&](std::string_view text) {
    return model::allows(allowed, Dtype::f32, value(Dtype::f32, text));
  };
  EXPECT_TRUE(is_allowed("inf"));
  EXPECT_TRUE(is_allowed("0x1.fffffep+127"));
  EXPECT_FALSE(is_allowed("-inf"));
  EXPECT_FALSE(is_allowed("0"));
  EXPECT_FALSE(is_allowed("0x1.fffffcp+127"));
  EXPECT_FALSE(is_allowed("nan"));
  results(subject);
}

/// Σ a·b modulo 2^64.
std::uint64_t wrapped(const ProductCase& subject, std::int64_t i, std::int64_t j) {
  const Dtype in = subject.dtypes.in;
  const int unused = 64 - 8 * info(in).bytes;
  const auto widened = [&](Bits bits) {
    if (!info(in).is_signed) return bits;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
  };
  std::uint64_t sum = 0;
  for (std::int64_t k = 0; k < subject.k; ++k) {
    sum += widened(subject.data.given[0][static_cast<std::size_t>(i * subject.k + k)]) *
           widened(subject.data.given[1][static_cast<std::size_t>(k * subject.j + j)]);
  }
  return sum;
}

TEST(SpecialValues, IntegersWrapInTheBodyOfAVectorAndInItsTailAlike) {
  for (const std::string_view in : {"i8 acc=i32", "u8 acc=u32", "i32", "u32", "i64", "u64"}) {
    for (const std::string_view kernel : {"kernel=fast", "kernel=ordered"}) {
      for (const std::int64_t j : widths) {
        ProductCase subject = product(3, j, 9, fmt::format("in={} {}", in, kernel));
        const Dtype dtype = subject.dtypes.in;
        const Bits all_ones = ~Bits{0} >> (64 - 8 * info(dtype).bytes);
        const Bits greatest = info(dtype).is_signed ? all_ones >> 1 : all_ones;
        for (Bits& bits : subject.data.given[0]) bits = greatest;
        for (std::size_t n = 0; n < subject.data.given[1].size(); ++n) {
          subject.data.given[1][n] = greatest - n % 3;
        }
        const std::vector<Bits> c = results(subject);
        const int unused = 64 - 8 * info(subject.dtypes.out).bytes;
        for (std::int64_t n = 0; n < std::ssize(c); ++n) {
          EXPECT_EQ(c[static_cast<std::size_t>(n)],
                    wrapped(subject, n / j, n % j) << unused >> unused)
              << in << ' ' << kernel << " j=" << j << " element " << n;
        }
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck
