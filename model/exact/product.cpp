#include "product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <shardcheck/model/case/contract.h>

#include "integer.h"

namespace shardcheck::model {
namespace {

using boost::multiprecision::cpp_int;

__extension__ typedef __int128 Int128;

/// value = significand × 2^exponent, the significand odd or 0.
struct Reduced {
  std::int64_t significand = 0;
  std::int64_t exponent = 0;
};

Reduced reduced(double value) {
  SHARDCHECK_REQUIRE(std::isfinite(value), "infinities and NaN have no exact product");
  if (value == 0) return {};
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto biased = static_cast<std::int64_t>(bits >> 52U & 0x7ffU);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52U) - 1);
  const std::uint64_t digits = biased == 0 ? fraction : fraction | std::uint64_t{1} << 52U;
  const int zeros = std::countr_zero(digits);
  const auto odd = static_cast<std::int64_t>(digits >> zeros);
  return {value < 0 ? -odd : odd, std::max<std::int64_t>(biased, 1) - 1075 + zeros};
}

/// The product of a term: exact, for 53 · 53 bits fit 106. |product| < 2^top.
struct Product {
  Int128 significand = 0;
  std::int64_t exponent = 0;
  std::int64_t top = 0;
};

Product product_of(const Term& term) {
  const Reduced a = reduced(term.a);
  const Reduced b = reduced(term.b);
  const auto width = [](std::int64_t significand) -> std::int64_t {
    return 64 - std::countl_zero(static_cast<std::uint64_t>(std::abs(significand)));
  };
  const std::int64_t exponent = a.exponent + b.exponent;
  return {static_cast<Int128>(a.significand) * b.significand, exponent,
          exponent + width(a.significand) + width(b.significand)};
}

Number on(std::int64_t grid, const cpp_int& value) {
  return Number(std::make_shared<const Number::Integer>(Number::Integer{value}), grid);
}

/// Sum and magnitude of the terms in units of 2^grid.
template <class Sum>
ExactDot dot_in(std::span<const Term> terms, std::int64_t grid) {
  Sum sum = 0;
  Sum magnitude = 0;
  for (const Term& term : terms) {
    const Product product = product_of(term);
    if (product.significand == 0) continue;
    Sum shifted = product.significand;
    shifted <<= static_cast<unsigned>(product.exponent - grid);
    sum += shifted;
    magnitude += product.significand < 0 ? Sum(-shifted) : shifted;
  }
  return {on(grid, cpp_int(sum)), on(grid, cpp_int(magnitude)), grid};
}

}  // namespace

ExactDot dot(std::span<const Term> terms) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t grid = none;
  std::int64_t top = std::numeric_limits<std::int64_t>::min();
  for (const Term& term : terms) {
    const Product product = product_of(term);
    if (product.significand == 0) continue;
    grid = std::min(grid, product.exponent);
    top = std::max(top, product.top);
  }
  if (grid == none) return {};
  // Wherever Σ|a·b| surely fits: the same sum, ten times as fast.
  const auto count_bits = static_cast<std::int64_t>(std::bit_width(terms.size()));
  if (top - grid + count_bits <= 126) return dot_in<Int128>(terms, grid);
  return dot_in<cpp_int>(terms, grid);
}

}  // namespace shardcheck::model
