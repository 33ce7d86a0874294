#include "envelope.h"

#include <cmath>
#include <vector>

#include "exact/format.h"

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

/// What is known of the terms whose product is no finite number.
struct Specials {
  bool nan = false;
  bool positive_infinity = false;
  bool negative_infinity = false;
};

Specials specials(std::span<const Term> terms) {
  Specials found;
  for (const Term& term : terms) {
    if (std::isfinite(term.a) && std::isfinite(term.b)) continue;
    // The product of an infinity is what IEEE 754 says, in double as anywhere: 0 · infinity is NaN.
    const double product = term.a * term.b;
    if (std::isnan(product)) found.nan = true;
    if (product > 0) found.positive_infinity = true;
    if (product < 0) found.negative_infinity = true;
  }
  return found;
}

std::vector<Term> finite_terms(std::span<const Term> terms) {
  std::vector<Term> finite;
  for (const Term& term : terms) {
    if (std::isfinite(term.a) && std::isfinite(term.b)) finite.push_back(term);
  }
  return finite;
}

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

Allowed envelope(const DtypeCombination& dtypes, std::span<const Term> terms,
                 const Roundings& roundings) {
  const Specials special = specials(terms);
  if (special.nan || (special.positive_infinity && special.negative_infinity)) {
    return nothing_but_nan();
  }
  const FloatFormat& acc = float_format(dtypes.acc);
  const FloatFormat& wire = float_format(dtypes.wire);
  const bool uses_wire = roundings.wire > 0;
  const ExactDot exact = dot(finite_terms(terms));

  Number after = growth(acc.precision, roundings.sums);
  Number lost = Number(static_cast<std::int64_t>(terms.size())) * underflow(acc);
  if (uses_wire) {
    after = after * growth(wire.precision, roundings.wire);
    lost = lost + Number(roundings.wire_everywhere) * underflow(wire);
  }
  const Number terms_factor = after * growth(acc.precision, roundings.products);
  const Number largest_sum = terms_factor * exact.magnitude + after * lost;
  const bool may_overflow = largest_sum > Number::of_double(acc.largest_value) ||
                            (uses_wire && largest_sum > Number::of_double(wire.largest_value));
  if (special.positive_infinity || special.negative_infinity) {
    return around_infinity(dtypes, special.negative_infinity, uses_wire, may_overflow);
  }
  if (exact.magnitude.sign() == 0) return between(dtypes.out, 0, 0);
  if (may_overflow) return anything(dtypes.out);
  const Number bound = largest_sum - exact.magnitude;
  const Bits low = round(dtypes.out, exact.sum - bound);
  const Bits high = round(dtypes.out, exact.sum + bound);
  if (is_nan(dtypes.out, low) && is_nan(dtypes.out, high) &&
      (exact.sum - bound).sign() == (exact.sum + bound).sign()) {
    return nothing_but_nan();
  }
  return between(dtypes.out, low, high);
}

}  // namespace shardcheck::model
