#include "format.h"

#include <algorithm>
#include <utility>

namespace shardcheck::model {
namespace {

constexpr bool is_float(Dtype dtype) { return info(dtype).is_float; }

Bits sign_bit(const FloatFormat& format) { return Bits{1} << (format.width - 1); }

Bits infinity_or_nan(const FloatFormat& format, bool is_negative) {
  if (!format.has_infinity) return format.nan;
  return (format.largest + 1) | (is_negative ? sign_bit(format) : 0);
}

Bits zero(const FloatFormat& format, bool is_negative) {
  return is_negative && format.has_negative_zero ? sign_bit(format) : 0;
}

Bits width_mask(int bytes) { return bytes == 8 ? ~Bits{0} : (Bits{1} << (8 * bytes)) - 1; }

Decoded decode_float(const FloatFormat& format, Bits bits) {
  Decoded decoded;
  decoded.is_negative = (bits & sign_bit(format)) != 0;
  const Bits magnitude = bits & (sign_bit(format) - 1);
  if (!format.has_negative_zero && bits == format.nan) {
    decoded.kind = Decoded::Kind::nan;
    return decoded;
  }
  if (magnitude > format.largest) {
    const bool is_infinity = format.has_infinity && magnitude == format.largest + 1;
    decoded.kind = is_infinity ? Decoded::Kind::infinity : Decoded::Kind::nan;
    return decoded;
  }
  const int fraction_bits = format.precision - 1;
  const auto biased = static_cast<int>(magnitude >> fraction_bits);
  const Bits fraction = magnitude & ((Bits{1} << fraction_bits) - 1);
  // Biased exponents 0 and 1 have the same unit; only from 1 on there is a leading 1.
  decoded.significand = biased == 0 ? fraction : fraction | (Bits{1} << fraction_bits);
  decoded.exponent = format.unit_exponent + std::max(biased, 1) - 1;
  return decoded;
}

Decoded decode_integer(Dtype dtype, Bits bits) {
  const Bits mask = width_mask(info(dtype).bytes);
  const bool is_negative = info(dtype).is_signed && (bits & (mask / 2 + 1)) != 0;
  return {Decoded::Kind::finite, is_negative, is_negative ? (0 - bits) & mask : bits & mask, 0};
}

Bits round_float(const FloatFormat& format, const Number& exact) {
  if (exact.sign() == 0) return 0;
  const std::int64_t unit =
      std::max<std::int64_t>(exact.top_bit() - (format.precision - 1), format.unit_exponent);
  const Number::Units units = exact.magnitude_in_units_of(unit);
  const bool is_odd = units.count % 2 == 1;
  const bool rounds_up =
      units.rest == Number::Rest::above_half || (units.rest == Number::Rest::half && is_odd);
  // Patterns of positive values are consecutive, so that a carry into the next binade and the step
  // from subnormal to normal need no case of their own.
  const Bits binade = static_cast<Bits>(unit - format.unit_exponent);
  if (binade > format.largest >> (format.precision - 1)) {
    return infinity_or_nan(format, exact.sign() < 0);
  }
  const Bits magnitude = (binade << (format.precision - 1)) + units.count + (rounds_up ? 1 : 0);
  if (magnitude > format.largest) return infinity_or_nan(format, exact.sign() < 0);
  if (magnitude == 0) return zero(format, exact.sign() < 0);
  return magnitude | (exact.sign() < 0 ? sign_bit(format) : 0);
}

/// The sum of two numbers that need not be values of `format`; NaN and infinity by IEEE 754.
Bits add_decoded(const FloatFormat& format, const Decoded& x, const Decoded& y) {
  using Kind = Decoded::Kind;
  if (x.kind == Kind::nan || y.kind == Kind::nan) return format.nan;
  if (x.kind == Kind::infinity && y.kind == Kind::infinity) {
    return x.is_negative == y.is_negative ? infinity_or_nan(format, x.is_negative) : format.nan;
  }
  if (x.kind == Kind::infinity) return infinity_or_nan(format, x.is_negative);
  if (y.kind == Kind::infinity) return infinity_or_nan(format, y.is_negative);
  const Number sum = number_of(x) + number_of(y);
  if (sum.sign() != 0) return round_float(format, sum);
  // An exact 0 is −0 only if both terms are: x + (−x) = +0.
  return zero(format, x.is_negative && y.is_negative);
}

/// NaN if a product of these has no value: NaN itself, or 0 · infinity.
bool is_product_nan(const Decoded& x, const Decoded& y) {
  using Kind = Decoded::Kind;
  const auto is_zero = [](const Decoded& d) {
    return d.kind == Kind::finite && d.significand == 0;
  };
  if (x.kind == Kind::nan || y.kind == Kind::nan) return true;
  return (x.kind == Kind::infinity && is_zero(y)) || (y.kind == Kind::infinity && is_zero(x));
}

}  // namespace

Decoded decode(Dtype dtype, Bits bits) {
  return is_float(dtype) ? decode_float(float_format(dtype), bits) : decode_integer(dtype, bits);
}

Number number_of(const Decoded& decoded) {
  SHARDCHECK_REQUIRE(decoded.kind == Decoded::Kind::finite, "infinities and NaN aren't numbers");
  const Number magnitude = Number::of_unsigned(decoded.significand, decoded.exponent);
  return decoded.is_negative ? -magnitude : magnitude;
}

bool is_nan(Dtype dtype, Bits bits) {
  if (!is_float(dtype)) return false;
  const FloatFormat& format = float_format(dtype);
  if (!format.has_negative_zero) return bits == format.nan;
  return (bits & (sign_bit(format) - 1)) > format.largest + (format.has_infinity ? 1 : 0);
}

Bits canonical(Dtype dtype, Bits bits) {
  return is_nan(dtype, bits) ? float_format(dtype).nan : bits;
}

Bits infinity(Dtype dtype, bool is_negative) {
  SHARDCHECK_REQUIRE(is_float(dtype), "integers have no infinity");
  return infinity_or_nan(float_format(dtype), is_negative);
}

Bits round(Dtype dtype, const Number& exact) {
  if (is_float(dtype)) return round_float(float_format(dtype), exact);
  return exact.modulo_2_to_64() & width_mask(info(dtype).bytes);
}

Bits add(Dtype dtype, Bits x, Bits y) {
  const Decoded a = decode(dtype, x);
  const Decoded b = decode(dtype, y);
  if (!is_float(dtype)) return round(dtype, number_of(a) + number_of(b));
  return add_decoded(float_format(dtype), a, b);
}

Bits multiply(Dtype dtype, Bits x, Bits y) {
  const Decoded a = decode(dtype, x);
  const Decoded b = decode(dtype, y);
  if (!is_float(dtype)) return round(dtype, number_of(a) * number_of(b));
  const FloatFormat& format = float_format(dtype);
  const bool is_negative = a.is_negative != b.is_negative;
  if (is_product_nan(a, b)) return format.nan;
  if (a.kind == Decoded::Kind::infinity || b.kind == Decoded::Kind::infinity) {
    return infinity_or_nan(format, is_negative);
  }
  const Number product = number_of(a) * number_of(b);
  return product.sign() == 0 ? zero(format, is_negative) : round_float(format, product);
}

Bits fused_multiply_add(Dtype dtype, Bits x, Bits y, Bits z) {
  const Decoded a = decode(dtype, x);
  const Decoded b = decode(dtype, y);
  const Decoded c = decode(dtype, z);
  if (!is_float(dtype)) return round(dtype, number_of(a) * number_of(b) + number_of(c));
  const FloatFormat& format = float_format(dtype);
  const bool is_negative = a.is_negative != b.is_negative;
  using Kind = Decoded::Kind;
  if (is_product_nan(a, b) || c.kind == Kind::nan) return format.nan;
  const bool is_infinite = a.kind == Kind::infinity || b.kind == Kind::infinity;
  if (is_infinite || c.kind == Kind::infinity) {
    const Decoded product{is_infinite ? Kind::infinity : Kind::finite, is_negative, 0, 0};
    return add_decoded(format, product, c);
  }
  const Number product = number_of(a) * number_of(b);
  const Number sum = product + number_of(c);
  if (sum.sign() != 0) return round_float(format, sum);
  return zero(format, is_negative && c.is_negative);
}

Bits divide(Dtype dtype, Bits x, std::int64_t divisor) {
  const Decoded a = decode(dtype, x);
  if (!is_float(dtype)) return round(dtype, number_of(a).quotient(divisor, 0));
  const FloatFormat& format = float_format(dtype);
  if (a.kind == Decoded::Kind::nan) return format.nan;
  if (a.kind == Decoded::Kind::infinity) return infinity_or_nan(format, a.is_negative);
  if (a.significand == 0) return zero(format, a.is_negative);
  // Cut off at least 60 bits below its leading one; an odd last digit for what was lost keeps it
  // on its side of every tie.
  const Number exact = number_of(a);
  return round_float(format, exact.quotient_to_odd(divisor, exact.top_bit() - 100));
}

Bits convert(Dtype from, Dtype to, Bits bits) {
  SHARDCHECK_REQUIRE(is_float(from) == is_float(to), "floats and integers don't mix");
  const Decoded decoded = decode(from, bits);
  if (!is_float(to)) return round(to, number_of(decoded));
  const FloatFormat& format = float_format(to);
  if (decoded.kind == Decoded::Kind::nan) return format.nan;
  if (decoded.kind == Decoded::Kind::infinity) return infinity_or_nan(format, decoded.is_negative);
  if (decoded.significand == 0) return zero(format, decoded.is_negative);
  return round_float(format, number_of(decoded));
}

std::uint64_t order_of(Dtype dtype, Bits bits) {
  constexpr std::uint64_t middle = std::uint64_t{1} << 63U;
  if (!is_float(dtype)) {
    const Decoded decoded = decode(dtype, bits);
    if (!info(dtype).is_signed) return decoded.significand;
    return decoded.is_negative ? middle - decoded.significand : middle + decoded.significand;
  }
  const Bits sign = sign_bit(float_format(dtype));
  return (bits & sign) != 0 ? middle - 1 - (bits & (sign - 1)) : middle + bits;
}

}  // namespace shardcheck::model
