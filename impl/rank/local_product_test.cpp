#include "local_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/impl/numbers/convert.h>

namespace shardcheck::impl {
namespace {

/// The values as elements of dtype acc. Requires: they are.
template <typename T>
std::vector<std::byte> in_acc(Dtype acc, const std::vector<T>& values) {
  std::vector<std::byte> elements(values.size() * static_cast<std::size_t>(info(acc).bytes));
  narrow(storage_of(acc), reinterpret_cast<const std::byte*>(values.data()), acc, elements.data(),
         static_cast<std::int64_t>(values.size()));
  return elements;
}

template <typename T>
std::vector<T> product(Kernel kernel, Fma fma, Dtype acc, const ProductShape& shape,
                       const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> c(static_cast<std::size_t>(shape.rows * shape.columns), T{7});
  const Multiplication how{kernel, fma, acc, acc};
  std::vector<std::byte> scratch(static_cast<std::size_t>(scratch_bytes(how, shape)));
  local_product(how, shape, {shape.depth, shape.columns, shape.columns}, in_acc(acc, a).data(),
                in_acc(acc, b).data(), reinterpret_cast<std::byte*>(c.data()), Sums::begin,
                scratch.data());
  return c;
}

template <typename T>
std::vector<T> random_values(std::mt19937_64& random, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto significand = static_cast<double>(static_cast<std::int64_t>(random()));
      value = static_cast<T>(std::ldexp(significand, static_cast<int>(random() % 8) - 67));
    } else {
      value = static_cast<T>(random());
    }
  }
  return values;
}

template <typename T>
void expect_same_bits(const std::vector<T>& one, const std::vector<T>& other) {
  ASSERT_EQ(one.size(), other.size());
  if (!one.empty()) {
    ASSERT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(T)), 0);
  }
}

template <typename T>
void expect_kernels_agree(Dtype acc) {
  std::mt19937_64 random(3);
  std::vector<ProductShape> shapes{{64, 600, 8}, {70, 1030, 19}, {1, 1, 1}, {0, 3, 2}, {2, 3, 0}};
  for (int sample = 0; sample < 300; ++sample) {
    const auto size = [&] { return static_cast<std::int64_t>(random() % 41); };
    shapes.push_back({size(), size(), size()});
  }
  for (const ProductShape& shape : shapes) {
    const auto a = random_values<T>(random, shape.rows * shape.depth);
    const auto b = random_values<T>(random, shape.depth * shape.columns);
    SCOPED_TRACE(testing::Message() << shape.rows << " " << shape.depth << " " << shape.columns);
    expect_same_bits(product(Kernel::fast, Fma::no, acc, shape, a, b),
                     product(Kernel::ordered, Fma::no, acc, shape, a, b));
  }
}

TEST(LocalProduct, GivesTheSameBitsInBothKernels) {
  expect_kernels_agree<float>(Dtype::f32);
  expect_kernels_agree<double>(Dtype::f64);
  expect_kernels_agree<std::uint32_t>(Dtype::i32);
  expect_kernels_agree<std::uint64_t>(Dtype::u64);
}

/// k in pieces of `depth`, A, B and C as parts of wider arrays.
template <typename T>
void expect_continued(Kernel kernel, Fma fma, Dtype acc, std::int64_t depth) {
  std::mt19937_64 random(7);
  const ProductShape whole{6, 23, 11};
  const RowSteps row_steps{whole.depth + 3, whole.columns + 2, whole.columns + 5};
  const auto a = random_values<T>(random, whole.rows * whole.depth);
  const auto b = random_values<T>(random, whole.depth * whole.columns);
  std::vector<T> wide_a(static_cast<std::size_t>(whole.rows * row_steps.a), T{9});
  std::vector<T> wide_b(static_cast<std::size_t>(whole.depth * row_steps.b), T{9});
  std::vector<T> wide_c(static_cast<std::size_t>(whole.rows * row_steps.c), T{0});
  const auto place = [](const std::vector<T>& from, std::int64_t length, std::vector<T>& to,
                        std::int64_t step) {
    for (std::size_t at = 0; at < from.size(); ++at) {
      const auto row = static_cast<std::int64_t>(at) / length;
      to[static_cast<std::size_t>(row * step + static_cast<std::int64_t>(at) % length)] = from[at];
    }
  };
  place(a, whole.depth, wide_a, row_steps.a);
  place(b, whole.columns, wide_b, row_steps.b);
  const std::vector<std::byte> elements_a = in_acc(acc, wide_a);
  const std::vector<std::byte> elements_b = in_acc(acc, wide_b);
  for (std::int64_t k = 0; k < whole.depth; k += depth) {
    const ProductShape piece{whole.rows, std::min(depth, whole.depth - k), whole.columns};
    const Multiplication how{kernel, fma, acc, acc};
    std::vector<std::byte> scratch(static_cast<std::size_t>(scratch_bytes(how, piece)));
    local_product(how, piece, row_steps, elements_a.data() + k * info(acc).bytes,
                  elements_b.data() + k * row_steps.b * info(acc).bytes,
                  reinterpret_cast<std::byte*>(wide_c.data()), k == 0 ? Sums::begin : Sums::go_on,
                  scratch.data());
  }
  std::vector<T> expected(wide_c.size(), T{0});
  place(product(kernel, fma, acc, whole, a, b), whole.columns, expected, row_steps.c);
  expect_same_bits(wide_c, expected);
}

TEST(LocalProduct, ContinuesASumBitForBit) {
  for (const Kernel kernel : {Kernel::ordered, Kernel::fast}) {
    for (const Fma fma : {Fma::no, Fma::yes, Fma::any}) {
      for (const std::int64_t depth : {1, 4, 23}) {
        SCOPED_TRACE(testing::Message()
                     << static_cast<int>(kernel) << " " << static_cast<int>(fma) << " " << depth);
        expect_continued<float>(kernel, fma, Dtype::f16, depth);
        expect_continued<float>(kernel, fma, Dtype::bf16, depth);
        expect_continued<float>(kernel, fma, Dtype::f32, depth);
        expect_continued<double>(kernel, fma, Dtype::f64, depth);
        expect_continued<std::uint32_t>(kernel, fma, Dtype::i32, depth);
        expect_continued<std::uint64_t>(kernel, fma, Dtype::u64, depth);
      }
    }
  }
}

TEST(LocalProduct, RoundsTheProductThenTheSum) {
  // A float times a float is exact as a double, so that a cast is the one rounding of the product;
  // the sum of two floats as doubles, cast, is the rounded sum, for 53 >= 2·24 + 2.
  std::mt19937_64 random(5);
  const ProductShape shape{5, 33, 7};
  const auto a = random_values<float>(random, shape.rows * shape.depth);
  const auto b = random_values<float>(random, shape.depth * shape.columns);
  std::vector<float> expected;
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    for (std::int64_t column = 0; column < shape.columns; ++column) {
      float sum = 0;
      for (std::int64_t k = 0; k < shape.depth; ++k) {
        const double exact =
            static_cast<double>(a[static_cast<std::size_t>(row * shape.depth + k)]) *
            static_cast<double>(b[static_cast<std::size_t>(k * shape.columns + column)]);
        const volatile auto rounded = static_cast<float>(exact);
        sum = static_cast<float>(static_cast<double>(sum) + static_cast<double>(rounded));
      }
      expected.push_back(sum);
    }
  }
  for (const Kernel kernel : {Kernel::ordered, Kernel::fast}) {
    expect_same_bits(product(kernel, Fma::no, Dtype::f32, shape, a, b), expected);
    expect_same_bits(product(kernel, Fma::any, Dtype::f32, shape, a, b), expected);
  }
}

float dot(Fma fma, Dtype acc, const std::vector<float>& a, const std::vector<float>& b) {
  const ProductShape shape{1, static_cast<std::int64_t>(a.size()), 1};
  return product(Kernel::fast, fma, acc, shape, a, b)[0];
}

TEST(LocalProduct, FusesOnlyIfAsked) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: a float keeps the last term only inside a fused step.
  const float x = 1 + 0x1p-12F;
  EXPECT_EQ(dot(Fma::no, Dtype::f32, {-1, x}, {1, x}), 0x1p-11F);
  EXPECT_EQ(dot(Fma::any, Dtype::f32, {-1, x}, {1, x}), 0x1p-11F);
  EXPECT_EQ(dot(Fma::yes, Dtype::f32, {-1, x}, {1, x}), 0x1p-11F + 0x1p-24F);
}

TEST(LocalProduct, RoundsNarrowSumsAtEachStep) {
  // bf16 has 8 bits: 255·255 = 65025 -> 65024 (steps of 256 above 2^15: 65024 = 254·256), then
  // + 129 = 65153 -> 65280, for 65152 is the tie and 65153 lies above it.
  EXPECT_EQ(dot(Fma::no, Dtype::bf16, {255, 129}, {255, 1}), 65280);
  // f16 has 11 bits: 3·683 = 2049 is a tie in steps of 2 and goes to 2048; + 1 is a tie again.
  EXPECT_EQ(dot(Fma::no, Dtype::f16, {3, 1}, {683, 1}), 2048);
}

TEST(LocalProduct, RoundsANarrowProductInTheSubnormalRange) {
  // bf16 counts in 2^-133, so that 2^-134 is a tie, which goes to 0. (129/128)(254/256) =
  // 16383/16384 and (129/128)(255/256) = 32895/32768 times 2^-134 stand on either side of it.
  EXPECT_EQ(dot(Fma::no, Dtype::bf16, {0x1.02p-67F}, {0x1.fcp-68F}), 0.0F);
  EXPECT_EQ(dot(Fma::no, Dtype::bf16, {0x1.02p-67F}, {0x1.fep-68F}), 0x1p-133F);
}

TEST(LocalProduct, SeesOnWhichSideOfATieAFusedSumLies) {
  // 7·37 = 259 lies between 258 and 260, steps of 2 in bf16; 260 is even. 9·29 = 261: 260 again.
  EXPECT_EQ(dot(Fma::yes, Dtype::bf16, {0, 7}, {0, 37}), 260);
  EXPECT_EQ(dot(Fma::yes, Dtype::bf16, {-0x1p-60F, 7}, {1, 37}), 258);
  EXPECT_EQ(dot(Fma::yes, Dtype::bf16, {0, 9}, {0, 29}), 260);
  EXPECT_EQ(dot(Fma::yes, Dtype::bf16, {0x1p-60F, 9}, {1, 29}), 262);
  EXPECT_EQ(dot(Fma::yes, Dtype::bf16, {0x1p-60F, -9}, {-1, 29}), -262);
  // f16: 3·683 = 2049 is a tie between 2048 and 2050.
  EXPECT_EQ(dot(Fma::yes, Dtype::f16, {0x1p-24F, 3}, {1, 683}), 2050);
  EXPECT_EQ(dot(Fma::yes, Dtype::f16, {0, 3}, {0, 683}), 2048);
}

TEST(LocalProduct, StartsFromPlusZero) {
  EXPECT_FALSE(std::signbit(dot(Fma::no, Dtype::f32, {-0.0F}, {1})));
  EXPECT_FALSE(std::signbit(dot(Fma::yes, Dtype::f32, {-0.0F}, {1})));
  const std::vector<float> none;
  for (const Kernel kernel : {Kernel::ordered, Kernel::fast}) {
    const auto zeros = product(kernel, Fma::no, Dtype::f32, {2, 0, 2}, none, none);
    for (const float zero : zeros) EXPECT_EQ(std::bit_cast<std::uint32_t>(zero), 0U);
  }
}

}  // namespace
}  // namespace shardcheck::impl
