#include "convert.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/element.h>

#include <shardcheck/impl/by_hand/run_case.h>

namespace shardcheck::impl {
namespace {

constexpr std::array narrow_floats{Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::f16, Dtype::bf16};

Bits canonical_nan(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return 0x7f;
    case Dtype::f8e5m2: return 0x7e;
    case Dtype::f16: return 0x7e00;
    case Dtype::bf16: return 0x7fc0;
    default: return 0;
  }
}

/// The format's numbers from 0 up, each at the index that is its pattern, and after the largest the
/// number that would follow if the exponent went on: what rounds to it overflows.
std::vector<double> ladder(Dtype dtype) {
  std::vector<double> numbers;
  while (std::isfinite(number(dtype, numbers.size()))) {
    numbers.push_back(number(dtype, numbers.size()));
  }
  const std::size_t last = numbers.size() - 1;
  numbers.push_back(numbers[last] + (numbers[last] - numbers[last - 1]));
  return numbers;
}

/// Nearest by comparing distances to the two neighbours, which a double holds exactly.
Bits nearest(Dtype dtype, const std::vector<double>& numbers, double value) {
  if (std::isnan(value)) return canonical_nan(dtype);
  const Bits overflow = dtype == Dtype::f8e4m3fn ? canonical_nan(dtype) : numbers.size() - 1;
  const double magnitude = std::abs(value);
  Bits pattern = 0;
  if (magnitude >= numbers.back()) {
    pattern = overflow;
  } else {
    const auto above = std::upper_bound(numbers.begin(), numbers.end(), magnitude);
    const auto high = static_cast<Bits>(above - numbers.begin());
    const double to_low = magnitude - numbers[high - 1];
    const double to_high = numbers[high] - magnitude;
    const bool goes_up = to_high < to_low || (to_high == to_low && high % 2 == 0);
    pattern = goes_up ? high : high - 1;
    if (pattern == numbers.size() - 1) pattern = overflow;
  }
  if (pattern == canonical_nan(dtype)) return pattern;
  return std::signbit(value) ? pattern | Bits{1} << (8 * info(dtype).bytes - 1) : pattern;
}

template <typename Real>
Bits narrowed(Dtype to, Real value) {
  std::array<std::byte, 8> element{};
  narrow(std::is_same_v<Real, double> ? Storage::f64 : Storage::f32,
         reinterpret_cast<const std::byte*>(&value), to, element.data(), 1);
  return load(element, to, 0);
}

template <typename Real>
void expect_nearest(Dtype to, const std::vector<double>& numbers, Real value) {
  for (const Real signed_value : {value, -value}) {
    ASSERT_EQ(narrowed(to, signed_value), nearest(to, numbers, static_cast<double>(signed_value)))
        << info(to).name << " of " << signed_value;
  }
}

TEST(Convert, WidensEveryPatternToItsNumber) {
  for (const Dtype from : narrow_floats) {
    for (Bits bits = 0; bits < Bits{1} << (8 * info(from).bytes); ++bits) {
      std::array<std::byte, 8> element{};
      store(element, from, 0, bits);
      float as_float = 0;
      double as_double = 0;
      widen(from, element.data(), Storage::f32, reinterpret_cast<std::byte*>(&as_float), 1);
      widen(from, element.data(), Storage::f64, reinterpret_cast<std::byte*>(&as_double), 1);
      const double expected = number(from, bits);
      if (std::isnan(expected)) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(as_float), 0x7fc00000U);
        ASSERT_TRUE(std::isnan(as_double));
        continue;
      }
      ASSERT_EQ(std::bit_cast<std::uint64_t>(static_cast<double>(as_float)),
                std::bit_cast<std::uint64_t>(expected))
          << info(from).name << " " << bits;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(as_double), std::bit_cast<std::uint64_t>(expected));
    }
  }
}

TEST(Convert, RoundsNumbersAndTiesAndTheirNeighboursToNearestEven) {
  for (const Dtype to : narrow_floats) {
    const std::vector<double> numbers = ladder(to);
    for (std::size_t low = 0; low + 1 < numbers.size(); ++low) {
      const double tie = (numbers[low] + numbers[low + 1]) / 2;
      for (const double value : {numbers[low], tie, std::nextafter(tie, 0.0),
                                 std::nextafter(tie, 1e300), std::nextafter(numbers[low], 1e300)}) {
        expect_nearest(to, numbers, value);
      }
      const auto tie_as_float = static_cast<float>(tie);
      for (const float value :
           {static_cast<float>(numbers[low]), tie_as_float, std::nextafter(tie_as_float, 0.0F),
            std::nextafter(tie_as_float, std::numeric_limits<float>::infinity())}) {
        expect_nearest(to, numbers, value);
      }
    }
  }
}

TEST(Convert, RoundsAStratifiedSampleOfFloatsAndDoubles) {
  std::mt19937_64 random(1);
  for (const Dtype to : narrow_floats) {
    const std::vector<double> numbers = ladder(to);
    for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
      for (int sample = 0; sample < 64; ++sample) {
        const auto fraction = static_cast<std::uint32_t>(random()) & 0x7fffffU;
        expect_nearest(to, numbers, std::bit_cast<float>(exponent << 23 | fraction));
      }
    }
    for (std::uint64_t exponent = 0; exponent < 2048; ++exponent) {
      for (int sample = 0; sample < 16; ++sample) {
        const std::uint64_t fraction = random() & 0xfffffffffffffU;
        expect_nearest(to, numbers, std::bit_cast<double>(exponent << 52 | fraction));
      }
    }
  }
}

TEST(Convert, KeepsThePublishedEdges) {
  // gfloat: e4m3fn 464 -> 448, just above NaN; e5m2 61439.9 -> 57344, 61440 infinity.
  EXPECT_EQ(narrowed(Dtype::f8e4m3fn, 464.0F), 0x7eU);
  EXPECT_EQ(narrowed(Dtype::f8e4m3fn, std::nextafter(464.0F, 500.0F)), 0x7fU);
  EXPECT_EQ(narrowed(Dtype::f8e4m3fn, -INFINITY), 0x7fU);
  EXPECT_EQ(narrowed(Dtype::f8e5m2, 61439.9F), 0x7bU);
  EXPECT_EQ(narrowed(Dtype::f8e5m2, 61440.0F), 0x7cU);
  EXPECT_EQ(narrowed(Dtype::f8e5m2, -61440.0), 0xfcU);
  // ml_dtypes: bf16(257) = 256, and the next bf16 is 258.
  EXPECT_EQ(number(Dtype::bf16, narrowed(Dtype::bf16, 257.0F)), 256);
  EXPECT_EQ(number(Dtype::bf16, narrowed(Dtype::bf16, 257.5F)), 258);
}

TEST(Convert, MakesEveryNanTheOne) {
  for (const float nan : {std::numeric_limits<float>::quiet_NaN(),
                          std::bit_cast<float>(0xffc00001U), std::bit_cast<float>(0x7f800001U)}) {
    for (const Dtype to : narrow_floats) EXPECT_EQ(narrowed(to, nan), canonical_nan(to));
    EXPECT_EQ(narrowed(Dtype::f32, nan), 0x7fc00000U);
    EXPECT_EQ(narrowed(Dtype::f64, nan), 0x7ff8000000000000U);
    EXPECT_EQ(narrowed(Dtype::f32, static_cast<double>(nan)), 0x7fc00000U);
  }
}

TEST(Convert, RoundsDoublesToFloatsToNearestEven) {
  // 1 + 2^-24 is a tie; so is 1 + 3·2^-24, whose even neighbour lies above.
  EXPECT_EQ(narrowed(Dtype::f32, 1.0 + 0x1p-24), 0x3f800000U);
  EXPECT_EQ(narrowed(Dtype::f32, 1.0 + 0x1p-24 + 0x1p-50), 0x3f800001U);
  EXPECT_EQ(narrowed(Dtype::f32, 1.0 + 0x3p-24), 0x3f800002U);
  EXPECT_EQ(narrowed(Dtype::f32, 0x1p-150), 0U);
  EXPECT_EQ(narrowed(Dtype::f32, 0x1.8p-150), 1U);
  EXPECT_EQ(narrowed(Dtype::f32, 0x1.ffffffp127), 0x7f800000U);
}

TEST(Convert, WrapsAndExtendsIntegers) {
  const std::int64_t value = -2;
  std::array<std::byte, 8> element{};
  narrow(Storage::u64, reinterpret_cast<const std::byte*>(&value), Dtype::i32, element.data(), 1);
  EXPECT_EQ(load(element, Dtype::i32, 0), 0xfffffffeU);
  std::uint64_t wide = 0;
  widen(Dtype::i32, element.data(), Storage::u64, reinterpret_cast<std::byte*>(&wide), 1);
  EXPECT_EQ(wide, 0xfffffffffffffffeU);
  widen(Dtype::u32, element.data(), Storage::u64, reinterpret_cast<std::byte*>(&wide), 1);
  EXPECT_EQ(wide, 0xfffffffeU);
  std::uint32_t narrow_sum = 0;
  widen(Dtype::i8, element.data(), Storage::u32, reinterpret_cast<std::byte*>(&narrow_sum), 1);
  EXPECT_EQ(narrow_sum, 0xfffffffeU);
  widen(Dtype::u8, element.data(), Storage::u32, reinterpret_cast<std::byte*>(&narrow_sum), 1);
  EXPECT_EQ(narrow_sum, 0xfeU);
}

}  // namespace
}  // namespace shardcheck::impl
