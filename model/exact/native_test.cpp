#include "native.h"

#include <gtest/gtest.h>

#include <vector>

#include "accumulator.h"

// What licenses the fast arithmetic: it equals format.h, the definition, on every narrow pattern
// and on drawn and edge patterns of the wide formats.

namespace shardcheck::model {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Draw {
  std::uint64_t state;

  std::uint64_t operator()() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
    return z ^ (z >> 31U);
  }
};

/// Uniform patterns rarely meet: half of the time the exponent is near that of 1 or of the least
/// normal value, so that sums round, cancel and underflow.
Bits drawn(Dtype dtype, Draw& draw) {
  const FloatFormat& format = float_format(dtype);
  const Bits bits = draw() >> (64 - format.width);
  const std::uint64_t choice = draw();
  if (choice % 8 == 0) {
    const std::vector<Bits> edges{0,
                                  1,
                                  2,
                                  format.largest,
                                  format.largest + 1,
                                  format.nan,
                                  (Bits{1} << (format.precision - 1)) - 1,
                                  Bits{1} << (format.precision - 1)};
    const Bits sign = (choice >> 8U & 1U) << (format.width - 1);
    return edges[choice / 16 % edges.size()] | sign;
  }
  if (choice % 8 < 4) return bits;
  const Bits fraction = bits & ((Bits{1} << (format.precision - 1)) - 1);
  const Bits middle = (format.largest >> (format.precision - 1)) / 2;
  const Bits exponent = choice % 8 < 6 ? middle - 6 + (choice >> 8U) % 12 : (choice >> 8U) % 3;
  const Bits sign = (choice >> 16U & 1U) << (format.width - 1);
  return sign | ((exponent << (format.precision - 1)) + fraction);
}

constexpr std::array<Dtype, 6> floats{Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::f16,
                                      Dtype::bf16,     Dtype::f32,    Dtype::f64};

TEST(Native, EveryNarrowPatternHasItsValueAndBack) {
  for (const Dtype dtype : {Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::f16, Dtype::bf16}) {
    for (Bits bits = 0; bits < (Bits{1} << float_format(dtype).width); ++bits) {
      const double value = value_of(dtype, bits);
      ASSERT_EQ(pattern_of(float_format(dtype), value), canonical(dtype, bits));
      const Decoded decoded = decode(dtype, bits);
      ASSERT_EQ(std::isfinite(value), decoded.kind == Decoded::Kind::finite);
      if (!std::isfinite(value)) continue;
      ASSERT_EQ(Number::of_double(value), number_of(decoded));
    }
  }
}

TEST(Native, ConversionsEqualTheDefinition) {
  Draw draw{1};
  for (const Dtype from : {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16}) {
    for (const Dtype to : floats) {
      const FloatFormat& format = float_format(to);
      for (int n = 0; n < 20000; ++n) {
        const Bits bits = drawn(from, draw);
        const Bits fast = pattern_of(format, round_to(format, value_of(from, bits)));
        ASSERT_EQ(fast, convert(from, to, bits))
            << info(from).name << " to " << info(to).name << " " << std::hex << bits;
      }
    }
  }
}

TEST(Native, TiesAndTheirNeighboursRoundAsDefined) {
  for (const Dtype to : {Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::f16, Dtype::bf16}) {
    const FloatFormat& format = float_format(to);
    for (Bits bits = 0; bits < format.largest; ++bits) {
      const double middle = (value_of(to, bits) + value_of(to, bits + 1)) / 2;
      const Bits even = bits % 2 == 0 ? bits : bits + 1;
      ASSERT_EQ(pattern_of(format, round_to(format, middle)), even);
      ASSERT_EQ(pattern_of(format, round_to(format, std::nextafter(middle, 0))), bits);
      ASSERT_EQ(pattern_of(format, round_to(format, std::nextafter(middle, 1e300))), bits + 1);
    }
  }
}

template <class Arithmetic>
void expect_equal_to_the_definition(Dtype dtype, std::uint64_t seed, int tries) {
  const Arithmetic fast(DtypeCombination{dtype, dtype, dtype, dtype});
  Draw draw{seed};
  for (int n = 0; n < tries; ++n) {
    const Bits x = drawn(dtype, draw);
    const Bits y = drawn(dtype, draw);
    const Bits z = drawn(dtype, draw);
    const auto a = fast.widen(x);
    const auto b = fast.widen(y);
    const auto c = fast.widen(z);
    ASSERT_EQ(fast.to_acc(fast.add(a, b)), add(dtype, x, y)) << std::hex << x << " + " << y;
    ASSERT_EQ(fast.to_acc(fast.multiply(a, b)), multiply(dtype, x, y))
        << std::hex << x << " * " << y;
    const auto divisor = static_cast<std::int64_t>(1 + draw() % 1024);
    ASSERT_EQ(fast.to_acc(fast.divide(a, divisor)), divide(dtype, x, divisor))
        << std::hex << x << " / " << std::dec << divisor;
    ASSERT_EQ(fast.to_acc(fast.multiply_add(c, a, b)), add(dtype, z, multiply(dtype, x, y)))
        << std::hex << z << " + " << x << " * " << y;
    ASSERT_EQ(fast.to_acc(fast.fused(c, a, b)), fused_multiply_add(dtype, x, y, z))
        << std::hex << z << " + " << x << " * " << y;
  }
}

TEST(Accumulator, EqualsTheDefinition) {
  expect_equal_to_the_definition<NativeAccumulator<float>>(Dtype::f32, 2, 200000);
  expect_equal_to_the_definition<NativeAccumulator<double>>(Dtype::f64, 3, 200000);
  expect_equal_to_the_definition<NarrowAccumulator<Dtype::f16>>(Dtype::f16, 4, 200000);
  expect_equal_to_the_definition<NarrowAccumulator<Dtype::bf16>>(Dtype::bf16, 5, 200000);
}

// A product that is a tie of bf16, and a term so small that a double sum loses it: rounded twice,
// the tie would go to the even value whatever the term's sign.
TEST(Accumulator, AFusedSumInBf16SeesWhatADoubleLoses) {
  int ties = 0;
  for (Bits a = 0x3f80; a < 0x4000; ++a) {
    for (Bits b = 0x3f80; b < 0x4000; ++b) {
      const double product = value_of(Dtype::bf16, a) * value_of(Dtype::bf16, b);
      const double rounded = round_to(float_format(Dtype::bf16), product);
      const double gap = product < 2 ? 0x1p-7 : 0x1p-6;
      if (std::fabs(product - rounded) != gap / 2) continue;
      ++ties;
      for (const double tiny : {0x1p-100, -0x1p-100}) {
        ASSERT_EQ(
            pattern_of(float_format(Dtype::bf16),
                       NarrowAccumulator<Dtype::bf16>::fused(tiny, value_of(Dtype::bf16, a),
                                                             value_of(Dtype::bf16, b))),
            fused_multiply_add(Dtype::bf16, a, b, round(Dtype::bf16, Number::of_double(tiny))));
      }
    }
  }
  EXPECT_GT(ties, 10);
}

TEST(Accumulator, IntegersEqualTheDefinition) {
  Draw draw{6};
  for (const Dtype acc : {Dtype::i8, Dtype::u8, Dtype::i16, Dtype::u16, Dtype::i32, Dtype::i64,
                          Dtype::u32, Dtype::u64}) {
    const IntegerAccumulator fast(DtypeCombination{acc, acc, acc, acc});
    const Bits mask = ~Bits{0} >> (64 - 8 * info(acc).bytes);
    for (int n = 0; n < 20000; ++n) {
      const Bits x = draw() & mask;
      const Bits y = draw() & mask;
      const Bits z = draw() & mask;
      ASSERT_EQ(fast.to_acc(fast.multiply_add(fast.widen(z), fast.widen(x), fast.widen(y))),
                fused_multiply_add(acc, x, y, z));
      ASSERT_EQ(fast.to_acc(fast.multiply(fast.widen(x), fast.widen(y))), multiply(acc, x, y));
      const auto divisor = static_cast<std::int64_t>(1 + draw() % 1024);
      // A sum beyond the width is wrapped before it is divided.
      ASSERT_EQ(fast.to_acc(fast.divide(fast.add(fast.widen(x), fast.widen(y)), divisor)),
                divide(acc, add(acc, x, y), divisor));
      ASSERT_EQ(fast.to_out(fast.add(fast.widen(x), fast.widen(y))), add(acc, x, y));
    }
  }
}

TEST(Accumulator, NarrowIntegersAreWidenedBySign) {
  const IntegerAccumulator from_i8(DtypeCombination{Dtype::i8, Dtype::i64, Dtype::i64, Dtype::i32});
  EXPECT_EQ(from_i8.to_acc(from_i8.widen(0x80)), ~Bits{0} - 127);
  EXPECT_EQ(from_i8.to_out(from_i8.widen(0x80)), 0xffffff80U);
  const IntegerAccumulator from_u8(DtypeCombination{Dtype::u8, Dtype::i32, Dtype::i32, Dtype::i32});
  EXPECT_EQ(from_u8.to_acc(from_u8.widen(0x80)), 0x80U);
}

}  // namespace
}  // namespace shardcheck::model
