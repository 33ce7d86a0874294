#include "envelope.h"

#include <algorithm>

#include <shardcheck/model/exact/format.h>

namespace shardcheck::model {
namespace {

/// No less than (1 + 2^−precision)^count: e^x <= 1 + x + x² up to x = 1, e^x <= 4^x above.
Number growth(int precision, std::int64_t count) {
  const Number x(count, -precision);
  const Number one(1);
  if (x <= one) return one + x + x * x;
  return Number(1, 2 * static_cast<std::int64_t>(x.magnitude_in_units_of(0).count + 1));
}

/// Half of a format's unit: the most that one rounding to it loses where it underflows.
Number underflow(const FloatFormat& format) { return Number(1, format.unit_exponent - 1); }

Allowed nothing_but_nan() {
  return {.grade = Grade::envelope, .nan = true, .only_nan = true, .set = {}};
}

/// From `low` to `high`, patterns of dtype out, either of which may be NaN in a format that has no
/// infinity.
Allowed between(Dtype out, Bits low, Bits high) {
  const FloatFormat& format = float_format(out);
  const Bits sign = Bits{1} << (format.width - 1);
  Allowed allowed{.grade = Grade::envelope, .low = low, .high = high, .set = {}};
  const bool low_is_nan = is_nan(out, low);
  const bool high_is_nan = is_nan(out, high);
  allowed.nan = low_is_nan || high_is_nan;
  if (low_is_nan) allowed.low = format.largest | sign;
  if (high_is_nan) allowed.high = format.largest;
  return allowed;
}

Allowed anything(Dtype out) {
  Allowed allowed = between(out, infinity(out, true), infinity(out, false));
  allowed.nan = true;
  return allowed;
}

/// One sign of infinity among the terms. It stays what it is unless wire has no infinity, or finite
/// terms overflow to the other one.
Allowed around_infinity(const DtypeCombination& dtypes, bool is_negative, bool uses_wire,
                        bool may_overflow) {
  if (!float_format(dtypes.out).has_infinity) return nothing_but_nan();
  const Bits result = infinity(dtypes.out, is_negative);
  const bool becomes_nan = uses_wire && !float_format(dtypes.wire).has_infinity;
  return {.grade = Grade::envelope,
          .nan = becomes_nan || may_overflow,
          .low = result,
          .high = result,
          .set = {}};
}

}  // namespace

EnvelopeFactors envelope_factors(const DtypeCombination& dtypes, const Roundings& roundings,
                                 std::int64_t terms_max) {
  const FloatFormat& acc = float_format(dtypes.acc);
  const FloatFormat& wire = float_format(dtypes.wire);
  EnvelopeFactors factors{dtypes, roundings.wire > 0, Number(1), Number()};
  Number after_product = growth(acc.precision, roundings.sums);
  Number lost = Number(terms_max) * underflow(acc);
  if (factors.uses_wire) {
    after_product = after_product * growth(wire.precision, roundings.wire);
    lost = lost + Number(roundings.wire_everywhere) * underflow(wire);
  }
  factors.of_magnitude = after_product * growth(acc.precision, roundings.products);
  factors.underflow = after_product * lost;
  return factors;
}

Allowed envelope(const EnvelopeFactors& factors, const TermSum& sum) {
  if (sum.nan || (sum.positive_infinity && sum.negative_infinity)) return nothing_but_nan();
  const DtypeCombination& dtypes = factors.dtypes;
  const ExactDot& exact = sum.finite;
  const Number largest_sum = factors.of_magnitude * exact.magnitude + factors.underflow;
  const double largest = factors.uses_wire ? std::min(float_format(dtypes.acc).largest_value,
                                                      float_format(dtypes.wire).largest_value)
                                           : float_format(dtypes.acc).largest_value;
  const bool may_overflow = largest_sum > Number::of_double(largest);
  if (!sum.is_finite()) {
    return around_infinity(dtypes, sum.negative_infinity, factors.uses_wire, may_overflow);
  }
  if (exact.magnitude.sign() == 0) return between(dtypes.out, 0, 0);
  if (may_overflow) return anything(dtypes.out);
  const Number bound = largest_sum - exact.magnitude;
  const Number lowest = exact.sum - bound;
  const Number highest = exact.sum + bound;
  const Bits low = round(dtypes.out, lowest);
  const Bits high = round(dtypes.out, highest);
  const bool are_nan = is_nan(dtypes.out, low) && is_nan(dtypes.out, high);
  if (are_nan && lowest.sign() == highest.sign()) return nothing_but_nan();
  return between(dtypes.out, low, high);
}

}  // namespace shardcheck::model
