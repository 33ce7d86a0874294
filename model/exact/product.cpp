#include "product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <shardcheck/model/case/contract.h>

#include "integer.h"

namespace shardcheck::model {
namespace {

using boost::multiprecision::cpp_int;

/// value = significand × 2^exponent, the significand odd or 0.
struct Reduced {
  std::int64_t significand = 0;
  std::int64_t exponent = 0;
};

Reduced reduced(double value) {
  SHARDCHECK_REQUIRE(std::isfinite(value), "infinities and NaN have no exact product");
  if (value == 0) return {};
  int exponent = 0;
  const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(digits));
  return {digits / (std::int64_t{1} << zeros), exponent - 53 + zeros};
}

Number on(std::int64_t grid, const cpp_int& value) {
  return Number(std::make_shared<const Number::Integer>(Number::Integer{value}), grid);
}

}  // namespace

ExactDot dot(std::span<const Term> terms) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t grid = none;
  for (const Term& term : terms) {
    const Reduced a = reduced(term.a);
    const Reduced b = reduced(term.b);
    if (a.significand != 0 && b.significand != 0) grid = std::min(grid, a.exponent + b.exponent);
  }
  if (grid == none) return {};
  cpp_int sum = 0;
  cpp_int magnitude = 0;
  for (const Term& term : terms) {
    const Reduced a = reduced(term.a);
    const Reduced b = reduced(term.b);
    if (a.significand == 0 || b.significand == 0) continue;
    cpp_int product = cpp_int(a.significand) * b.significand;
    product <<= static_cast<std::size_t>(a.exponent + b.exponent - grid);
    sum += product;
    magnitude += abs(product);
  }
  return {on(grid, sum), on(grid, magnitude), grid};
}

}  // namespace shardcheck::model
