#include "free_reduction.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/exact/native.h>
#include <shardcheck/model/order/any_order.h>

namespace shardcheck::model {
namespace {

/// Of the set of one element: eight members if wire = acc, about five if it is narrower.
constexpr std::int64_t additions_max = std::int64_t{1} << 14;

/// Bounds on every sum of one contribution more than there are members.
EnvelopeFactors factors_in_acc(DtypeCombination dtypes, std::int64_t member_count) {
  const bool is_wire_narrower = dtypes.wire != dtypes.acc;
  dtypes.out = dtypes.acc;
  return envelope_factors(dtypes,
                          {.products = 0,
                           .sums = member_count,
                           .wire = is_wire_narrower ? member_count : 0,
                           .wire_everywhere = is_wire_narrower ? 2 * member_count : 0},
                          member_count + 1);
}

Bits largest(Dtype dtype, bool is_negative) {
  const FloatFormat& format = float_format(dtype);
  return format.largest | (is_negative ? Bits{1} << (format.width - 1) : 0);
}

/// The results of `round_each`, monotone from dtype `from` to out, of what is allowed there.
template <class Round>
Allowed image(const Allowed& in_acc, Dtype from, Dtype out, const Round& round_each) {
  Allowed result = in_acc;
  if (in_acc.only_nan) return result;
  result.low = round_each(in_acc.low);
  result.high = round_each(in_acc.high);
  const bool low_is_nan = is_nan(out, result.low);
  const bool high_is_nan = is_nan(out, result.high);
  if (!low_is_nan && !high_is_nan) return result;
  // Beyond the largest value of a format that has no infinity.
  result.nan = true;
  // Of the ends before they were rounded: a canonical NaN has lost its sign.
  const auto is_negative = [from](Bits bits) {
    return (bits >> (float_format(from).width - 1) & 1) != 0;
  };
  if (low_is_nan && high_is_nan && is_negative(in_acc.low) == is_negative(in_acc.high)) {
    result.only_nan = true;
  }
  if (low_is_nan) result.low = largest(out, true);
  if (high_is_nan) result.high = largest(out, false);
  return result;
}

Allowed anything(Dtype out) {
  const bool has_infinity = float_format(out).has_infinity;
  return {.grade = Grade::envelope,
          .nan = true,
          .low = has_infinity ? infinity(out, true) : largest(out, true),
          .high = has_infinity ? infinity(out, false) : largest(out, false),
          .set = {}};
}

}  // namespace

FreeReduction::FreeReduction(const DtypeCombination& dtypes, Operator op, std::int64_t member_count)
    : dtypes_(dtypes),
      op_(op),
      member_count_(member_count),
      in_acc_(factors_in_acc(dtypes, member_count)) {}

Allowed FreeReduction::allowed(std::span<const Bits> contributions) const {
  if (auto exactly = set(contributions)) return *std::move(exactly);
  return op_ == Operator::product ? bounded_product(contributions) : bounded_sum(contributions);
}

std::optional<Allowed> FreeReduction::set(std::span<const Bits> contributions) const {
  // None at all: the one of two was dropped that there were.
  if (contributions.empty()) return std::nullopt;
  std::vector<SumSet> leaves;
  for (const Bits bits : contributions) leaves.push_back({convert(dtypes_.in, dtypes_.acc, bits)});
  SetLimits limits{.additions_left = additions_max};
  const bool is_product = op_ == Operator::product;
  std::optional<SumSet> results = sums_in_any_order(
      dtypes_, leaves, limits, is_product ? Combination::product : Combination::sum);
  if (!results) return std::nullopt;
  if (op_ == Operator::average) {
    for (Bits& bits : *results) bits = divide(dtypes_.acc, bits, member_count_);
  }
  return one_of(dtypes_.out, rounded_to_out(dtypes_, *results));
}

Allowed FreeReduction::bounded_sum(std::span<const Bits> contributions) const {
  std::vector<Term> terms;
  for (const Bits bits : contributions) terms.push_back({value_of(dtypes_.in, bits), 1});
  const Allowed in_acc = envelope(in_acc_, sum_of(terms));
  return image(in_acc, dtypes_.acc, dtypes_.out, [&](Bits bits) {
    const Bits result = op_ == Operator::average ? divide(dtypes_.acc, bits, member_count_) : bits;
    return convert(dtypes_.acc, dtypes_.out, result);
  });
}

Allowed FreeReduction::bounded_product(std::span<const Bits> contributions) const {
  Number exact(1);
  std::int64_t exponent_least = 0;  // of any partial product
  std::int64_t exponent_above = 0;
  for (const Bits bits : contributions) {
    const double value = value_of(dtypes_.in, bits);
    if (std::isnan(value)) {
      return {.grade = Grade::envelope, .nan = true, .only_nan = true, .set = {}};
    }
    if (!std::isfinite(value) || value == 0) return anything(dtypes_.out);
    exact = exact * Number::of_double(value);
    exponent_least += std::min(std::ilogb(value), 0);
    exponent_above += std::max(std::ilogb(value) + 1, 0);
  }
  const FloatFormat& acc = float_format(dtypes_.acc);
  const FloatFormat& wire = float_format(dtypes_.wire);
  const auto count = static_cast<std::int64_t>(contributions.size());
  // n roundings to p bits grow a number by less than 1 + 2n/2^p as long as n/2^p <= 1/2, and then
  // to less than twice as much: one binade of room is enough.
  const Number half(1, -1);
  const Number one(1);
  const Number in_acc(count, -acc.precision);
  const Number in_wire(count, -wire.precision);
  const bool overflows =
      exponent_above + 2 > std::min(std::ilogb(acc.largest_value), std::ilogb(wire.largest_value));
  const bool underflows = exponent_least - 2 < std::max(acc.unit_exponent + acc.precision,
                                                        wire.unit_exponent + wire.precision);
  if (overflows || underflows || in_acc > half || in_wire > half) return anything(dtypes_.out);
  const Number growth = (one + in_acc + in_acc) * (one + in_wire + in_wire);
  const Number bound = (growth - one) * exact.magnitude();
  const Allowed exactly{.grade = Grade::envelope,
                        .low = round(dtypes_.out, exact - bound),
                        .high = round(dtypes_.out, exact + bound),
                        .set = {}};
  return image(exactly, dtypes_.out, dtypes_.out, [](Bits bits) { return bits; });
}

}  // namespace shardcheck::model
