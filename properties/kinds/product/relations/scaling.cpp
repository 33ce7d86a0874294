#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <shardcheck/model/case/number_bits.h>

#include "rewriting.h"

namespace shardcheck {

namespace {

constexpr std::array<int, 2> exponents{4, 1};

/// What bounds the numbers of one operand: each is a multiple of 2^grid, none exceeds `largest`.
struct Range {
  int grid = std::numeric_limits<int>::max() / 4;  ///< of zeros alone
  double largest = 0;
};

/// Nothing if a value is a NaN or an infinity.
std::optional<Range> range_of(Dtype dtype, const std::vector<Bits>& values) {
  const FloatBits& f = float_bits(dtype);
  Range range;
  for (const Bits bits : values) {
    if (!is_finite(f, bits & ~sign_bit(f))) return std::nullopt;
    const ExactNumber number = number_of(f, bits);
    if (number.significand == 0) continue;
    range.grid = std::min(range.grid, number.exponent);
    range.largest = std::max(range.largest,
                             std::ldexp(static_cast<double>(number.significand), number.exponent));
  }
  return range;
}

/// The largest that any sum can become, rounded upwards at every step.
double largest_sum(const ProductCase& subject, const Range& a, const Range& b) {
  const auto rank_number = static_cast<double>(rank_count(subject.mesh));
  const auto terms = static_cast<double>(subject.k);
  const auto growth = [](Dtype dtype, double roundings) {
    return std::pow(1 + std::ldexp(1.0, -float_bits(dtype).fraction_bits - 1), roundings);
  };
  return 1.01 * terms * a.largest * b.largest *
         growth(subject.dtypes.acc, terms + rank_number + 1) *
         growth(subject.dtypes.wire, rank_number + 1);
}

/// True if no number that comes up is lost at either end of the dtype's range, neither in the case
/// nor scaled.
bool has_room(Dtype dtype, std::int64_t grid, double largest) {
  const FloatBits& f = float_bits(dtype);
  return grid >= exponent_least(f) && largest < std::ldexp(1.0, exponent_greatest(f));
}

std::optional<std::vector<Bits>> scaled(Dtype dtype, const std::vector<Bits>& values,
                                        int exponent) {
  std::vector<Bits> result;
  result.reserve(values.size());
  for (const Bits bits : values) {
    ExactNumber number = number_of(float_bits(dtype), bits);
    if (number.significand != 0) number.exponent += exponent;
    const std::optional<Bits> larger = bits_of(dtype, number);
    if (!larger) return std::nullopt;
    result.push_back(*larger);
  }
  return result;
}

}  // namespace

/// Rounding to nearest commutes with a power of two as long as neither end of a format's range is
/// in the way: there every sum, whatever its order, is the first one's times that power, bit for
/// bit. Products are multiples of 2^grid, and so are all sums of them, rounded or not: if that is
/// no finer than a format's unit, nothing underflows.
std::optional<Related> scaled(const ProductCase& subject, const model::ResolvedPlan& plan) {
  const DtypeCombination& formats = subject.dtypes;
  if (!info(formats.in).is_float) return std::nullopt;
  Data data = given_values(subject);
  const std::optional<Range> a = range_of(formats.in, data.given[0]);
  const std::optional<Range> b = range_of(formats.in, data.given[1]);
  if (!a || !b) return std::nullopt;
  const std::int64_t grid = std::int64_t{a->grid} + b->grid;
  const double largest = largest_sum(subject, *a, *b);
  for (const int exponent : exponents) {
    const double after = std::ldexp(largest, exponent);
    if (!has_room(formats.acc, grid, after) || !has_room(formats.wire, grid, after) ||
        !has_room(formats.out, grid, after)) {
      continue;
    }
    auto values = scaled(formats.in, data.given[0], exponent);
    if (!values) continue;
    Related related = unchanged(subject, plan);
    data.given[0] = *std::move(values);
    related.subject.data = std::move(data);
    related.exponent = exponent;
    related.rounds_alike = true;
    // Bytes depend on shapes alone.
    std::ranges::fill(related.bytes, Related::Bytes::equal_by_pair);
    return related;
  }
  return std::nullopt;
}

}  // namespace shardcheck
