#include "number_bits.h"

#include <bit>

#include "contract.h"

namespace shardcheck {
namespace {

int bias(const FloatBits& f) {
  return (1 << (f.exponent_bits - 1)) - (f.specials == FloatBits::Specials::fnuz ? 0 : 1);
}

std::optional<Bits> float_from(const FloatBits& f, const ExactNumber& number) {
  const Bits sign = number.is_negative ? sign_bit(f) : 0;
  if (number.significand == 0) {
    if (number.is_negative && !has_negative_zero(f)) return std::nullopt;
    return sign;
  }
  const int width = 64 - std::countl_zero(number.significand);
  const int least = exponent_least(f);
  if (width > f.fraction_bits + 1 || number.exponent < least) return std::nullopt;
  if (number.exponent - least + width <= f.fraction_bits) {
    return sign | number.significand << (number.exponent - least);
  }
  // Normal: the significand's first bit is hidden. The field counts from the last subnormal
  // exponent, so that adding the hidden bit carries into it.
  const int field = number.exponent - least + width - f.fraction_bits - 1;
  if (field >= (1 << f.exponent_bits)) return std::nullopt;
  const Bits magnitude = (static_cast<Bits>(field) << f.fraction_bits) +
                         (number.significand << (f.fraction_bits + 1 - width));
  if (magnitude > largest_bits(f)) return std::nullopt;
  return sign | magnitude;
}

std::optional<Bits> integer_from(const DtypeInfo& dtype, const ExactNumber& number) {
  if (number.significand == 0) return number.is_negative ? std::nullopt : std::optional<Bits>(0);
  const int width = 64 - std::countl_zero(number.significand);
  if (number.exponent < 0 || number.exponent + width > 64) return std::nullopt;
  const Bits magnitude = number.significand << number.exponent;
  const int bit_count = 8 * dtype.bytes;
  const Bits mask = ~Bits{0} >> (64 - bit_count);
  const Bits half = Bits{1} << (bit_count - 1);
  if (number.is_negative) {
    if (!dtype.is_signed || magnitude > half) return std::nullopt;
    return (Bits{0} - magnitude) & mask;
  }
  if (magnitude > (dtype.is_signed ? half - 1 : mask)) return std::nullopt;
  return magnitude;
}

}  // namespace

ExactNumber normalised(bool is_negative, std::uint64_t significand, int exponent) {
  if (significand == 0) return {is_negative, 0, 0};
  const int zeros = std::countr_zero(significand);
  return {is_negative, significand >> zeros, exponent + zeros};
}

int exponent_least(const FloatBits& f) { return 1 - bias(f) - f.fraction_bits; }

int exponent_greatest(const FloatBits& f) {
  // Without infinities the field of all ones holds values, too.
  const int field = (1 << f.exponent_bits) - (has_infinity(f) ? 2 : 1);
  return field - bias(f);
}

Bits sign_bit(const FloatBits& f) { return Bits{1} << (f.exponent_bits + f.fraction_bits); }

Bits infinity_bits(const FloatBits& f) {
  SHARDCHECK_REQUIRE(has_infinity(f), "only some formats have infinities");
  return ((Bits{1} << f.exponent_bits) - 1) << f.fraction_bits;
}

Bits nan_bits(const FloatBits& f) {
  switch (f.specials) {
    case FloatBits::Specials::ieee: return infinity_bits(f) | Bits{1} << (f.fraction_bits - 1);
    case FloatBits::Specials::fn: return sign_bit(f) - 1;
    case FloatBits::Specials::fnuz: return sign_bit(f);
  }
  return 0;
}

Bits largest_bits(const FloatBits& f) {
  switch (f.specials) {
    case FloatBits::Specials::ieee: return infinity_bits(f) - 1;
    case FloatBits::Specials::fn: return nan_bits(f) - 1;
    case FloatBits::Specials::fnuz: return sign_bit(f) - 1;
  }
  return 0;
}

bool is_finite(const FloatBits& f, Bits bits) {
  if (!has_negative_zero(f) && bits == sign_bit(f)) return false;
  return (bits & (sign_bit(f) - 1)) <= largest_bits(f);
}

ExactNumber number_of(const FloatBits& f, Bits bits) {
  const Bits fraction = bits & ((Bits{1} << f.fraction_bits) - 1);
  const auto field = static_cast<int>((bits & (sign_bit(f) - 1)) >> f.fraction_bits);
  const Bits hidden = field == 0 ? 0 : Bits{1} << f.fraction_bits;
  const int exponent = exponent_least(f) + (field == 0 ? 0 : field - 1);
  return normalised((bits & sign_bit(f)) != 0, fraction | hidden, exponent);
}

std::optional<Bits> bits_of(Dtype dtype, const ExactNumber& number) {
  if (info(dtype).is_float) return float_from(float_bits(dtype), number);
  return integer_from(info(dtype), number);
}

}  // namespace shardcheck
