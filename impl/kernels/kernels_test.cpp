// Every kernel on every instruction set that the machine has, beside the plain loop, bit for bit.
// All arrays are exactly as long as they must be, so that AddressSanitizer sees a read or a write
// past one.

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/element.h>

#include <shardcheck/impl/numbers/convert.h>
#include <shardcheck/impl/rank/local_product.h>

namespace shardcheck::impl {
namespace {

struct FloatShape {
  Dtype dtype;
  int exponent_bits;
  int fraction_bits;
};

constexpr std::array float_shapes{
    FloatShape{Dtype::f8e4m3fn, 4, 3}, FloatShape{Dtype::f8e5m2, 5, 2},
    FloatShape{Dtype::f16, 5, 10},     FloatShape{Dtype::bf16, 8, 7},
    FloatShape{Dtype::f32, 8, 23},     FloatShape{Dtype::f64, 11, 52}};

/// Where the exponents lie.
enum class Regime {
  one,       ///< about 1: sums round and cancel
  smallest,  ///< products about the smallest numbers
  largest,   ///< products about the largest
  any        ///< any pattern at all, one in eight a zero, an infinity or NaN, or subnormal
};
constexpr std::array regimes{Regime::one, Regime::smallest, Regime::largest, Regime::any};

class Source {
 public:
  explicit Source(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  Bits element(Dtype dtype, Regime regime) {
    const Bits bits = random_();
    if (!info(dtype).is_float) return bits;
    for (const FloatShape& shape : float_shapes) {
      if (shape.dtype == dtype) return float_element(shape, regime, bits);
    }
    return 0;
  }

 private:
  Bits float_element(const FloatShape& shape, Regime regime, Bits bits) {
    const Bits largest = (Bits{1} << shape.exponent_bits) - 1;
    const Bits bias = largest / 2;
    Bits exponent = bias - 1 + below(3);
    switch (regime) {
      case Regime::one: break;
      case Regime::smallest: exponent = bias / 2 - 2 + below(5); break;
      case Regime::largest: exponent = bias + bias / 2 - 2 + below(5); break;
      case Regime::any:
        exponent = below(8) > 0 ? below(largest + 1) : below(2) * largest;
        if (below(16) == 0) bits = 0;
        break;
    }
    const Bits fraction = bits & ((Bits{1} << shape.fraction_bits) - 1);
    const Bits sign = bits >> 63U;
    return sign << (shape.exponent_bits + shape.fraction_bits) | exponent << shape.fraction_bits |
           fraction;
  }

  std::mt19937_64 random_;
};

struct Layout {
  ProductShape shape;
  RowSteps gaps;          ///< between rows: elements beyond the row
  std::size_t shift = 0;  ///< bytes that A and B lie beside their alignment
};

/// rows×columns elements, row-major, the last row without its gap.
class Matrix {
 public:
  Matrix(Source& source, Dtype dtype, Regime regime, std::int64_t rows, std::int64_t row_step,
         std::int64_t columns, std::size_t shift)
      : shift_(shift) {
    const std::int64_t count = rows == 0 ? 0 : (rows - 1) * row_step + columns;
    bytes_.resize(shift + static_cast<std::size_t>(count * info(dtype).bytes));
    const std::span elements = std::span(bytes_).subspan(shift);
    for (std::int64_t at = 0; at < count; ++at) {
      store(elements, dtype, at, source.element(dtype, regime));
    }
  }

  const std::byte* data() const { return bytes_.data() + shift_; }

 private:
  std::size_t shift_;
  std::vector<std::byte> bytes_;
};

/// The sums with one pattern for every NaN; what lies between the rows as it is.
std::vector<std::byte> canonical_sums(Storage storage, const std::vector<std::byte>& sums) {
  const auto count = static_cast<std::int64_t>(sums.size()) / bytes_of(storage);
  std::vector<std::byte> elements(sums.size());
  switch (storage) {
    case Storage::f32: narrow(storage, sums.data(), Dtype::f32, elements.data(), count); break;
    case Storage::f64: narrow(storage, sums.data(), Dtype::f64, elements.data(), count); break;
    case Storage::u32: narrow(storage, sums.data(), Dtype::u32, elements.data(), count); break;
    case Storage::u64: narrow(storage, sums.data(), Dtype::u64, elements.data(), count); break;
  }
  return elements;
}

/// A first product and a second one that goes on with its sums.
template <typename Multiply>
std::vector<std::byte> two_products(const Multiplication& how, const Layout& layout,
                                    std::uint64_t seed, Regime regime, Multiply multiply) {
  const ProductShape& shape = layout.shape;
  const RowSteps steps{shape.depth + layout.gaps.a, shape.columns + layout.gaps.b,
                       shape.columns + layout.gaps.c};
  Source source(seed);
  const std::int64_t count = shape.rows == 0 ? 0 : (shape.rows - 1) * steps.c + shape.columns;
  std::vector<std::byte> c(static_cast<std::size_t>(count * bytes_of(storage_of(how.acc))),
                           std::byte{0x2a});
  for (const Sums sums : {Sums::begin, Sums::go_on}) {
    const Matrix a(source, how.in, regime, shape.rows, steps.a, shape.depth, layout.shift);
    const Matrix b(source, how.in, regime, shape.depth, steps.b, shape.columns, layout.shift);
    multiply(steps, a.data(), b.data(), c.data(), sums);
  }
  return canonical_sums(storage_of(how.acc), c);
}

std::vector<std::byte> plainly(Multiplication how, const Layout& layout, std::uint64_t seed,
                               Regime regime) {
  how.kernel = Kernel::ordered;
  std::vector<std::byte> scratch(static_cast<std::size_t>(scratch_bytes(how, layout.shape)));
  return two_products(
      how, layout, seed, regime,
      [&](const RowSteps& steps, const std::byte* a, const std::byte* b, std::byte* c, Sums sums) {
        local_product(how, layout.shape, steps, a, b, c, sums, scratch.data());
      });
}

std::vector<std::byte> by_kernel(const Kernels& kernels, const Multiplication& how,
                                 const Layout& layout, std::uint64_t seed, Regime regime) {
  const OrderedProduct kernel = kernel_for(kernels, how);
  std::vector<std::byte> scratch(static_cast<std::size_t>(kernel.scratch_bytes(layout.shape)));
  return two_products(
      how, layout, seed, regime,
      [&](const RowSteps& steps, const std::byte* a, const std::byte* b, std::byte* c, Sums sums) {
        kernel.run(task_of(how, layout.shape, steps, a, b, c, sums, scratch.data()));
      });
}

/// Every accumulator, with operands that lie in storage and with narrower ones.
const std::vector<Multiplication>& multiplications() {
  static const std::vector<Multiplication> all = [] {
    std::vector<Multiplication> found;
    constexpr std::array pairs{
        std::pair{Dtype::f32, Dtype::f32},      std::pair{Dtype::f64, Dtype::f64},
        std::pair{Dtype::bf16, Dtype::f32},     std::pair{Dtype::f16, Dtype::f32},
        std::pair{Dtype::f8e5m2, Dtype::f32},   std::pair{Dtype::f32, Dtype::f64},
        std::pair{Dtype::f16, Dtype::f16},      std::pair{Dtype::bf16, Dtype::bf16},
        std::pair{Dtype::f8e4m3fn, Dtype::f16}, std::pair{Dtype::f8e5m2, Dtype::bf16}};
    for (const auto& [in, acc] : pairs) {
      for (const Fma fma : {Fma::no, Fma::yes}) found.push_back({Kernel::fast, fma, in, acc});
    }
    constexpr std::array whole{
        std::pair{Dtype::i32, Dtype::i32}, std::pair{Dtype::u64, Dtype::u64},
        std::pair{Dtype::i8, Dtype::i32},  std::pair{Dtype::u8, Dtype::i32},
        std::pair{Dtype::u16, Dtype::u32}, std::pair{Dtype::i32, Dtype::i64}};
    for (const auto& [in, acc] : whole) found.push_back({Kernel::fast, Fma::no, in, acc});
    return found;
  }();
  return all;
}

std::string named(const Multiplication& how) {
  return std::string(info(how.in).name) + " in " + std::string(info(how.acc).name) +
         (how.fma == Fma::yes ? " fused" : "");
}

class KernelsOf : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (!machine_has(GetParam())) GTEST_SKIP() << "not on this machine";
  }

  void expect_plain(const Multiplication& how, const Layout& layout, std::uint64_t seed,
                    Regime regime) {
    const ProductShape& shape = layout.shape;
    ASSERT_EQ(by_kernel(kernels_of(GetParam()), how, layout, seed, regime),
              plainly(how, layout, seed, regime))
        << named(how) << ", " << shape.rows << "x" << shape.depth << "x" << shape.columns
        << ", regime " << static_cast<int>(regime) << ", seed " << seed;
  }
};

TEST_P(KernelsOf, GiveThePlainLoopsBitsForEveryRemainder) {
  // The largest tile has 12 rows and 32 columns.
  for (const Multiplication& how : multiplications()) {
    std::uint64_t seed = 0;
    for (std::int64_t rows = 0; rows <= 13; ++rows) {
      for (std::int64_t columns = 0; columns <= 33; ++columns) {
        const auto depth = static_cast<std::int64_t>(seed % 4);
        const Regime regime = regimes[seed / 4 % regimes.size()];
        const Layout layout{{rows, depth, columns}, {}, 0};
        ASSERT_NO_FATAL_FAILURE(expect_plain(how, layout, ++seed, regime));
      }
    }
  }
}

TEST_P(KernelsOf, GiveThePlainLoopsBitsAcrossBlocks) {
  // Blocks have 64 to 256 k, up to 96 rows and 1024 columns; B is packed from 19 or 37 rows on.
  const std::vector<ProductShape> shapes{{3, 300, 50},  {40, 300, 50}, {100, 9, 40},
                                         {200, 5, 18},  {5, 3, 1100},  {41, 3, 1100},
                                         {1, 530, 300}, {97, 257, 1},  {300, 70, 3}};
  for (const Multiplication& how : multiplications()) {
    std::uint64_t seed = 1;
    for (const ProductShape& shape : shapes) {
      const Regime regime = regimes[seed % 2 == 0 ? 0 : seed / 2 % regimes.size()];
      ASSERT_NO_FATAL_FAILURE(expect_plain(how, {shape, {}, 0}, ++seed, regime));
    }
  }
}

TEST_P(KernelsOf, ReadAndWriteNothingBetweenRowsAndNeedNoAlignment) {
  Source source(5);
  for (const Multiplication& how : multiplications()) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto up_to = [&](std::uint64_t most) {
        return static_cast<std::int64_t>(source.below(most + 1));
      };
      const Layout layout{{up_to(45), up_to(70), up_to(45)},
                          {up_to(5), up_to(5), up_to(5)},
                          static_cast<std::size_t>(up_to(8))};
      const Regime regime = regimes[source.below(regimes.size())];
      ASSERT_NO_FATAL_FAILURE(expect_plain(how, layout, seed, regime));
    }
  }
}

TEST_P(KernelsOf, NeedNoMoreScratchThanTheyMay) {
  for (const Multiplication& how : multiplications()) {
    const OrderedProduct kernel = kernel_for(kernels_of(GetParam()), how);
    for (const std::int64_t rows : {0, 1, 5, 12, 100, 1000}) {
      for (const std::int64_t depth : {0, 1, 7, 500, 5000}) {
        for (const std::int64_t columns : {0, 1, 15, 16, 17, 40, 1030}) {
          const bool is_empty = rows == 0 || columns == 0;
          const std::int64_t most =
              is_empty ? 0 : 2 * (rows * depth + (columns + 15) / 16 * 16 * depth);
          EXPECT_LE(kernel.scratch_bytes({rows, depth, columns}),
                    most * bytes_of(storage_of(how.acc)))
              << rows << " " << depth << " " << columns;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, KernelsOf, testing::Values(Isa::sse2, Isa::avx2, Isa::avx512),
                         [](const testing::TestParamInfo<Isa>& isa) {
                           return std::string(isas[static_cast<std::size_t>(isa.param)].name);
                         });

TEST(Isa, IsTheBestUnlessNamed) {
  const auto best = isa_named("");
  ASSERT_TRUE(best.has_value());
  EXPECT_TRUE(machine_has(*best));
  for (const IsaInfo& info : isas) {
    if (machine_has(info.isa)) {
      EXPECT_EQ(isa_named(info.name), info.isa);
      EXPECT_LE(info.isa, *best);
    } else {
      EXPECT_EQ(isa_named(info.name).error(), "SHARDCHECK_ISA=" + std::string(info.name) +
                                                  ": this machine hasn't got " +
                                                  std::string(info.needs));
    }
  }
  EXPECT_EQ(isa_named("avx3").error(), "SHARDCHECK_ISA=avx3: expected one of sse2, avx2, avx512");
}

}  // namespace
}  // namespace shardcheck::impl
