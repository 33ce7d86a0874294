#include "product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include <shardcheck/model/case/contract.h>

#include "fixed_sum.h"
#include "integer.h"
#include "superaccumulator.h"

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

Number on(std::int64_t grid, cpp_int value) {
  return Number(std::make_shared<const Number::Integer>(Number::Integer{std::move(value)}), grid);
}

ExactDot in_machine_integers(const std::vector<Product>& products, std::int64_t grid) {
  Int128 sum = 0;
  Int128 magnitude = 0;
  for (const Product& product : products) {
    // Multiplied, for a shift of a negative number reads badly.
    const Int128 shifted =
        product.significand * (static_cast<Int128>(1) << (product.exponent - grid));
    sum += shifted;
    magnitude += shifted < 0 ? -shifted : shifted;
  }
  return {on(grid, cpp_int(sum)), on(grid, cpp_int(magnitude)), grid};
}

ExactDot in_superaccumulators(const std::vector<Product>& products, std::int64_t grid,
                              std::int64_t bit_count) {
  Superaccumulator sum(bit_count);
  Superaccumulator magnitude(bit_count);
  for (const Product& product : products) {
    const std::int64_t shift = product.exponent - grid;
    sum.add(product.significand, shift);
    magnitude.add(product.significand < 0 ? -product.significand : product.significand, shift);
  }
  return {sum.number(grid), magnitude.number(grid), grid};
}

}  // namespace

ExactDot dot(std::span<const Term> terms) {
  std::int64_t grid = std::numeric_limits<std::int64_t>::max();
  std::int64_t top = std::numeric_limits<std::int64_t>::min();
  std::vector<Product> products;
  products.reserve(terms.size());
  for (const Term& term : terms) {
    const Product product = product_of(term);
    if (product.significand == 0) continue;
    products.push_back(product);
    grid = std::min(grid, product.exponent);
    top = std::max(top, product.top);
  }
  if (products.empty()) return {};
  // Σ|a·b| < 2^(grid + bit_count).
  const std::int64_t bit_count =
      top - grid + static_cast<std::int64_t>(std::bit_width(products.size()));
  return bit_count <= 126 ? in_machine_integers(products, grid)
                          : in_superaccumulators(products, grid, bit_count);
}

ExactDot exact_dot(const FixedSum<Int128>& sum, std::int64_t grid) {
  if (sum.magnitude == 0) return {};
  const std::int64_t finest = grid + lowest_one(static_cast<UnsignedInt128>(sum.bits));
  return {on(grid, cpp_int(sum.sum)), on(grid, cpp_int(sum.magnitude)), finest};
}

bool is_equal(Int128 sum, std::int64_t grid, double value) {
  if (sum == 0 || value == 0) return sum == 0 && value == 0;
  const auto magnitude = static_cast<UnsignedInt128>(sum < 0 ? -sum : sum);
  const int zeros = lowest_one(magnitude);
  const Reduced other = reduced(value);
  const auto odd = static_cast<UnsignedInt128>(std::abs(other.significand));
  return (sum < 0) == (value < 0) && magnitude >> zeros == odd && grid + zeros == other.exponent;
}

Number Superaccumulator::number(std::int64_t exponent) const {
  std::vector<std::uint32_t> digits;
  std::int64_t carry = 0;
  const auto settle = [&](std::int64_t sign) {
    digits.clear();
    carry = 0;
    for (const std::int64_t digit : digits_) {
      const std::int64_t total = sign * digit + carry;
      digits.push_back(static_cast<std::uint32_t>(total & 0xffffffff));
      carry = total >> digit_bits;  // towards −∞
    }
  };
  settle(1);
  const bool is_negative = carry < 0;
  if (is_negative) settle(-1);
  SHARDCHECK_REQUIRE(carry == 0, "the digits have room for the sum");
  cpp_int value;
  import_bits(value, digits.begin(), digits.end(), digit_bits, false);
  return on(exponent, is_negative ? cpp_int(-value) : value);
}

}  // namespace shardcheck::model
