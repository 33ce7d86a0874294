#include "operators.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/impl/by_hand/run_case.h>
#include "convert.h"

namespace shardcheck::impl {
namespace {

template <typename Value>
std::byte* bytes(Value& value) {
  return reinterpret_cast<std::byte*>(&value);
}

/// operand ⊕ partial as bits of acc; both are given as bits of acc.
Bits combined(Operator op, Dtype acc, Bits operand, Bits partial) {
  const Storage storage = storage_of(acc);
  std::uint64_t sum = 0;
  widen(acc, bytes(partial), storage, bytes(sum), 1);
  combine_widened(op, Side::left, acc, bytes(operand), acc, bytes(sum), 1);
  Bits result = 0;
  narrow(storage, bytes(sum), acc, bytes(result), 1);
  return result;
}

Bits divided(Dtype acc, Bits sum, std::int64_t divisor) {
  std::uint64_t stored = 0;
  widen(acc, bytes(sum), storage_of(acc), bytes(stored), 1);
  divide(acc, divisor, bytes(stored), 1);
  Bits result = 0;
  narrow(storage_of(acc), bytes(stored), acc, bytes(result), 1);
  return result;
}

Bits f32(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(Operators, RoundASumToTheAccumulatorOnce) {
  // bf16: 256 + 1 = 256, as ml_dtypes says; f16: 2048 + 1 = 2048; f32 holds 257.
  const float one = 1;
  for (const auto& [acc, start, expected] :
       {std::tuple{Dtype::bf16, 256.0F, 256.0F}, std::tuple{Dtype::f16, 2048.0F, 2048.0F},
        std::tuple{Dtype::f32, 256.0F, 257.0F}}) {
    float total = start;
    combine_stored(Operator::sum, Side::left, acc, reinterpret_cast<const std::byte*>(&one),
                   bytes(total), 1);
    EXPECT_EQ(total, expected);
  }
}

TEST(Operators, RoundAProductToTheAccumulatorOnce) {
  // bf16: 1.0078125² = 1.01568603515625, between 1.015625 and 1.0234375. f16: the square of the
  // smallest subnormal number is 0; (1 + 2^-10)² = 1 + 2^-9 + 2^-20.
  EXPECT_EQ(combined(Operator::product, Dtype::bf16, 0x3f81, 0x3f81), 0x3f82U);
  EXPECT_EQ(combined(Operator::product, Dtype::f16, 0x0001, 0x0001), 0U);
  EXPECT_EQ(combined(Operator::product, Dtype::f16, 0x3c01, 0x3c01), 0x3c02U);
  // bf16: 3·2^-67 · 2^-67 = 1.5·2^-133, a tie between one and two smallest numbers.
  EXPECT_EQ(combined(Operator::product, Dtype::bf16, 0x1ec0, 0x1e00), 0x0002U);
  EXPECT_EQ(combined(Operator::product, Dtype::f32, f32(0.1F), f32(0.1F)), f32(0.1F * 0.1F));
}

TEST(Operators, WrapIntegersModuloTheirWidth) {
  EXPECT_EQ(combined(Operator::sum, Dtype::i8, 0x7f, 1), 0x80U);
  EXPECT_EQ(combined(Operator::sum, Dtype::u64, ~Bits{0}, 2), 1U);
  EXPECT_EQ(combined(Operator::product, Dtype::u16, 0xffff, 0xffff), 1U);
  EXPECT_EQ(combined(Operator::product, Dtype::i64, Bits{1} << 63, 3), Bits{1} << 63);
}

TEST(Operators, CompareSignedAndUnsignedAsWhatTheyAre) {
  // -1 and 1, or the largest number and 1.
  for (const auto& [is_signed, is_unsigned] :
       {std::pair{Dtype::i8, Dtype::u8}, std::pair{Dtype::i16, Dtype::u16},
        std::pair{Dtype::i32, Dtype::u32}, std::pair{Dtype::i64, Dtype::u64}}) {
    const Bits all_ones = ~Bits{0} >> (64 - 8 * info(is_signed).bytes);
    EXPECT_EQ(combined(Operator::min, is_signed, all_ones, 1), all_ones);
    EXPECT_EQ(combined(Operator::max, is_signed, all_ones, 1), 1U);
    EXPECT_EQ(combined(Operator::min, is_unsigned, all_ones, 1), 1U);
    EXPECT_EQ(combined(Operator::max, is_unsigned, all_ones, 1), all_ones);
  }
}

TEST(Operators, TakeMinusZeroForLessThanPlusZero) {
  const Bits minus = f32(-0.0F);
  for (const auto& [one, other] : {std::pair{minus, Bits{0}}, std::pair{Bits{0}, minus}}) {
    EXPECT_EQ(combined(Operator::min, Dtype::f32, one, other), minus);
    EXPECT_EQ(combined(Operator::max, Dtype::f32, one, other), 0U);
  }
  EXPECT_EQ(combined(Operator::max, Dtype::bf16, 0x8000, 0x8000), 0x8000U);
}

TEST(Operators, MakeNanOfNan) {
  for (const Operator op : {Operator::sum, Operator::product, Operator::min, Operator::max}) {
    for (const auto& [acc, nan, one] :
         {std::tuple{Dtype::f16, Bits{0x7e00}, Bits{0x3c00}},
          std::tuple{Dtype::bf16, Bits{0x7fc0}, Bits{0x3f80}},
          std::tuple{Dtype::f32, Bits{0x7fc00000}, Bits{0x3f800000}},
          std::tuple{Dtype::f64, Bits{0x7ff8000000000000}, Bits{0x3ff0000000000000}}}) {
      EXPECT_EQ(combined(op, acc, nan, one), nan);
      EXPECT_EQ(combined(op, acc, one, nan), nan);
    }
  }
  EXPECT_EQ(combined(Operator::min, Dtype::f32, f32(-INFINITY), f32(NAN)), 0x7fc00000U);
}

TEST(Operators, CombineBits) {
  EXPECT_EQ(combined(Operator::bit_and, Dtype::u8, 0b1100, 0b1010), 0b1000U);
  EXPECT_EQ(combined(Operator::bit_or, Dtype::i16, 0x8100, 0x0011), 0x8111U);
  EXPECT_EQ(combined(Operator::bit_xor, Dtype::i64, ~Bits{0}, 1), ~Bits{1});
}

TEST(Operators, MultiplyMatricesOnTheSideAskedFor) {
  // [[1, 2], [3, 4]] · [[5, 6], [7, 8]] = [[19, 22], [43, 50]]; the other way round
  // [[23, 34], [31, 46]]. Entries are taken modulo 251: 252 is 1.
  const Bits one = 0x04030201;
  const Bits other = 0x08070605;
  EXPECT_EQ(combined(Operator::matrix, Dtype::u32, one, other),
            19U | 22U << 8 | 43U << 16 | 50U << 24);
  EXPECT_EQ(combined(Operator::matrix, Dtype::u32, other, one),
            23U | 34U << 8 | 31U << 16 | 46U << 24);
  EXPECT_EQ(combined(Operator::matrix, Dtype::u32, 0x040302fc, other),
            19U | 22U << 8 | 43U << 16 | 50U << 24);
  std::uint32_t partial = 0x04030201;
  const std::uint32_t operand = 0x08070605;
  combine_stored(Operator::matrix, Side::right, Dtype::u32,
                 reinterpret_cast<const std::byte*>(&operand), bytes(partial), 1);
  EXPECT_EQ(partial, 19U | 22U << 8 | 43U << 16 | 50U << 24);
  // 250·250 + 250·250 = 125000 = 498·251 + 2.
  EXPECT_EQ(combined(Operator::matrix, Dtype::u32, 0xfafafafa, 0xfafafafa), 0x02020202U);
}

TEST(Operators, WidenWhatArrives) {
  const std::array<std::int8_t, 2> message{-2, 100};
  std::array<std::uint32_t, 2> sums{0xfeU, 50};
  combine_widened(Operator::sum, Side::left, Dtype::i8,
                  reinterpret_cast<const std::byte*>(message.data()), Dtype::i32, bytes(sums[0]),
                  2);
  EXPECT_EQ(sums, (std::array<std::uint32_t, 2>{0xfcU, 150}));
  const std::uint16_t narrow_message = 0x3f80;
  float sum = 0.5F;
  combine_widened(Operator::max, Side::left, Dtype::bf16,
                  reinterpret_cast<const std::byte*>(&narrow_message), Dtype::f32, bytes(sum), 1);
  EXPECT_EQ(sum, 1.0F);
}

TEST(Operators, DivideOnceInTheAccumulator) {
  EXPECT_EQ(divided(Dtype::f32, f32(1), 3), f32(1.0F / 3.0F));
  // bf16: 1/257 = 0x1.fe01fe02p-9 lies just above a tie of bf16... nearest is 0x1.fep-9.
  EXPECT_EQ(number(Dtype::bf16, divided(Dtype::bf16, 0x3f80, 257)), 0x1.fep-9);
  // f16: a third of the smallest subnormal number is nothing, two thirds are one.
  EXPECT_EQ(divided(Dtype::f16, 1, 3), 0U);
  EXPECT_EQ(divided(Dtype::f16, 2, 3), 1U);
}

TEST(Operators, DivideIntegersTowardsZeroAfterWrapping) {
  EXPECT_EQ(divided(Dtype::i8, 0xf9, 2), 0xfdU);  // -7 / 2 = -3
  EXPECT_EQ(divided(Dtype::u8, 0xf9, 2), 0x7cU);
  EXPECT_EQ(divided(Dtype::i64, Bits{1} << 63, 2), Bits{3} << 62);
  EXPECT_EQ(divided(Dtype::u64, Bits{1} << 63, 2), Bits{1} << 62);
  std::uint32_t sum = 200;  // 100 + 100 in i8: -56
  divide(Dtype::i8, 3, bytes(sum), 1);
  EXPECT_EQ(static_cast<std::int32_t>(sum), -18);
}

TEST(Operators, ServeTheDtypesTheyAreDefinedFor) {
  EXPECT_TRUE(serves(Operator::min, Dtype::f8e5m2));
  EXPECT_TRUE(serves(Operator::bit_xor, Dtype::u64));
  EXPECT_FALSE(serves(Operator::bit_and, Dtype::f32));
  EXPECT_TRUE(serves(Operator::matrix, Dtype::u32));
  EXPECT_FALSE(serves(Operator::matrix, Dtype::i32));
}

/// Whether two partials are the same, any NaN being any other.
template <typename Real, typename Word>
bool are_same(Word one, Word other) {
  const bool both_nan =
      std::isnan(std::bit_cast<Real>(one)) && std::isnan(std::bit_cast<Real>(other));
  return one == other || both_nan;
}

bool are_same(Storage storage, const std::byte* one, const std::byte* other) {
  std::uint64_t words[] = {0, 0};
  std::memcpy(&words[0], one, static_cast<std::size_t>(bytes_of(storage)));
  std::memcpy(&words[1], other, static_cast<std::size_t>(bytes_of(storage)));
  if (storage == Storage::f64) return are_same<double>(words[0], words[1]);
  if (storage != Storage::f32) return words[0] == words[1];
  return are_same<float>(static_cast<std::uint32_t>(words[0]),
                         static_cast<std::uint32_t>(words[1]));
}

std::vector<std::byte> random_bytes(std::size_t count, std::mt19937_64& random) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

/// Random bits: numbers of every size, subnormal ones, infinities and NaN. The array starts at an
/// odd address and is no whole number of vectors.
void expect_like_one_by_one(Operator op, Side side, Dtype in, Dtype acc, std::mt19937_64& random) {
  constexpr std::int64_t count = 1027;
  const Storage storage = storage_of(acc);
  const std::int64_t width = bytes_of(storage);
  const auto room = static_cast<std::size_t>(count * 8 + 1);
  const std::vector<std::byte> source = random_bytes(room, random);
  std::vector<std::byte> partials = random_bytes(room, random);
  // Partials are values of acc.
  const std::vector<std::byte> raw = random_bytes(room, random);
  widen(acc, raw.data(), storage, partials.data() + 1, count);
  std::vector<std::byte> expected = partials;
  for (std::int64_t at = 0; at < count; ++at) {
    combine_widened(op, side, in, source.data() + 1 + at * info(in).bytes, acc,
                    expected.data() + 1 + at * width, 1);
  }
  std::vector<std::byte> in_place = partials;
  combine_widened(op, side, in, source.data() + 1, acc, in_place.data() + 1, count);
  std::vector<std::byte> widened(room);
  widen(in, source.data() + 1, storage, widened.data() + 1, count);
  std::vector<std::byte> apart(room);
  combine_into(op, side, acc, widened.data() + 1, partials.data() + 1, apart.data() + 1, count);
  for (std::int64_t at = 0; at < count; ++at) {
    const std::byte* one = expected.data() + 1 + at * width;
    ASSERT_TRUE(are_same(storage, in_place.data() + 1 + at * width, one)) << at;
    ASSERT_TRUE(are_same(storage, apart.data() + 1 + at * width, one)) << at;
  }
}

TEST(Operators, DoToManyElementsWhatTheyDoToOne) {
  std::mt19937_64 random(1);
  const std::vector<std::pair<Dtype, Dtype>> pairs{
      {Dtype::f8e4m3fn, Dtype::f16}, {Dtype::f8e5m2, Dtype::bf16}, {Dtype::f16, Dtype::f16},
      {Dtype::f16, Dtype::f32},      {Dtype::bf16, Dtype::bf16},   {Dtype::bf16, Dtype::f64},
      {Dtype::f32, Dtype::f32},      {Dtype::f32, Dtype::f64},     {Dtype::f64, Dtype::f64},
      {Dtype::i8, Dtype::i8},        {Dtype::u8, Dtype::u8},       {Dtype::i16, Dtype::i16},
      {Dtype::u16, Dtype::u16},      {Dtype::i32, Dtype::i32},     {Dtype::u32, Dtype::u32},
      {Dtype::i64, Dtype::i64},      {Dtype::u64, Dtype::u64}};
  for (const auto& [in, acc] : pairs) {
    for (const OperatorInfo& row : operators) {
      if (!serves(row.op, acc)) continue;
      SCOPED_TRACE(std::string(row.name) + " in=" + std::string(info(in).name) +
                   " acc=" + std::string(info(acc).name));
      expect_like_one_by_one(row.op, Side::left, in, acc, random);
      expect_like_one_by_one(row.op, Side::right, in, acc, random);
    }
  }
}

}  // namespace
}  // namespace shardcheck::impl
