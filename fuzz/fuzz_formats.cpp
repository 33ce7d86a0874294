// Number formats and exact sums: whatever is computed fast beside its definition. The definition is
// model/exact/format.h on exact numbers of any size (cpp_int); held against it are the model's
// native arithmetic, its 128-bit dot products, its claim that a sum is exact in every order, and
// the conversions of our implementation.
//
// First byte: the subject. Then the dtypes, a byte each, then patterns of as many bytes as the
// dtype has: any bytes are an input.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/impl/numbers/convert.h>
#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/exact/accumulator.h>
#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/exact/native.h>
#include <shardcheck/model/exact/product.h>
#include <shardcheck/model/order/exact_sums.h>

#include "target.h"
#include "words.h"

namespace shardcheck::fuzz {
namespace {

using model::Number;

constexpr std::array floats{Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::f16,
                            Dtype::bf16,     Dtype::f32,    Dtype::f64};
constexpr int patterns_max = 64;

std::size_t width(Dtype dtype) { return static_cast<std::size_t>(info(dtype).bytes); }

template <typename... Operands>
Outcome differs(std::string_view what, Dtype dtype, Bits fast, Bits defined, Operands... operands) {
  std::string report = fmt::format("{} in {}: {:#x} when fast, {:#x} by definition, of", what,
                                   info(dtype).name, fast, defined);
  ((report += fmt::format(" {:#x}", operands)), ...);
  return {Outcome::Kind::failed, report};
}

Bits narrowed(impl::Storage storage, const void* value, Dtype to);
double widened(Dtype from, Bits bits);

/// One pattern from one format to another.
Outcome run_conversion(Words& words) {
  const Dtype from = floats[words.below(floats.size())];
  const Dtype to = floats[words.below(floats.size())];
  for (int count = 0; count < patterns_max && !words.is_empty(); ++count) {
    const Bits bits = words.next(width(from));
    const double value = model::value_of(from, bits);
    const Bits defined = model::convert(from, to, bits);
    const model::FloatFormat& format = model::float_format(to);
    const Bits native = model::pattern_of(format, model::round_to(format, value));
    if (native != defined) return differs("native conversion", to, native, defined, bits);
    const double wide = widened(from, bits);
    if (model::pattern_of(model::float_format(Dtype::f64), wide) !=
        model::convert(from, Dtype::f64, bits)) {
      return differs("widening", from, std::bit_cast<Bits>(wide),
                     model::convert(from, Dtype::f64, bits), bits);
    }
    const auto single = static_cast<float>(value);
    const bool is_single = std::isnan(value) || static_cast<double>(single) == value;
    const Bits of_double = narrowed(impl::Storage::f64, &value, to);
    if (of_double != defined) return differs("narrowing a double", to, of_double, defined, bits);
    if (to == Dtype::f64 || !is_single) continue;
    const Bits of_single = narrowed(impl::Storage::f32, &single, to);
    if (of_single != defined) return differs("narrowing a float", to, of_single, defined, bits);
  }
  return {};
}

template <class Accumulator>
Outcome run_arithmetic(Dtype dtype, Words& words) {
  const Accumulator fast(DtypeCombination{dtype, dtype, dtype, dtype});
  for (int count = 0; count < patterns_max && !words.is_empty(); ++count) {
    const Bits x = words.next(width(dtype));
    const Bits y = words.next(width(dtype));
    const Bits z = words.next(width(dtype));
    const auto a = fast.widen(x);
    const auto b = fast.widen(y);
    const auto c = fast.widen(z);
    const Bits sum = model::add(dtype, x, y);
    const Bits step = model::add(dtype, z, model::multiply(dtype, x, y));
    const Bits fused = model::fused_multiply_add(dtype, x, y, z);
    if (const Bits got = fast.to_acc(fast.add(a, b)); got != sum) {
      return differs("sum", dtype, got, sum, x, y);
    }
    if (const Bits got = fast.to_acc(fast.multiply_add(c, a, b)); got != step) {
      return differs("product and sum", dtype, got, step, x, y, z);
    }
    if (const Bits got = fast.to_acc(fast.fused(c, a, b)); got != fused) {
      return differs("fused product and sum", dtype, got, fused, x, y, z);
    }
  }
  return {};
}

Outcome run_accumulator(Words& words) {
  switch (words.below(8)) {
    case 0: return run_arithmetic<model::NativeAccumulator<float>>(Dtype::f32, words);
    case 1: return run_arithmetic<model::NativeAccumulator<double>>(Dtype::f64, words);
    case 2: return run_arithmetic<model::NarrowAccumulator<Dtype::f16>>(Dtype::f16, words);
    case 3: return run_arithmetic<model::NarrowAccumulator<Dtype::bf16>>(Dtype::bf16, words);
    case 4: return run_arithmetic<model::IntegerAccumulator>(Dtype::i32, words);
    case 5: return run_arithmetic<model::IntegerAccumulator>(Dtype::i64, words);
    case 6: return run_arithmetic<model::IntegerAccumulator>(Dtype::u32, words);
    default: return run_arithmetic<model::IntegerAccumulator>(Dtype::u64, words);
  }
}

/// The exponent of the lowest bit set. Requires: finite, not 0.
std::int64_t lowest_bit(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto digits = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  return std::countr_zero(static_cast<std::uint64_t>(digits)) + exponent - 53;
}

Outcome check_dot(const std::vector<model::Term>& terms) {
  const model::ExactDot fast = model::dot(terms);
  Number sum;
  Number magnitude;
  // An odd number times an odd number is odd: the lowest bits of the factors add up.
  std::int64_t grid = std::numeric_limits<std::int64_t>::max();
  for (const model::Term& term : terms) {
    const Number product = Number::of_double(term.a) * Number::of_double(term.b);
    sum = sum + product;
    magnitude = magnitude + product.magnitude();
    if (product.sign() != 0) grid = std::min(grid, lowest_bit(term.a) + lowest_bit(term.b));
  }
  std::string of = " of";
  for (const model::Term& term : terms) of += fmt::format(" {:a}*{:a}", term.a, term.b);
  if (fast.sum != sum) return {Outcome::Kind::failed, "another sum" + of};
  if (fast.magnitude != magnitude) return {Outcome::Kind::failed, "another magnitude" + of};
  if (magnitude.sign() != 0 && fast.grid != grid) {
    return {Outcome::Kind::failed, fmt::format("grid {} instead of {}", fast.grid, grid) + of};
  }
  return {};
}

Outcome run_dot(Words& words) {
  const Dtype dtype = floats[words.below(floats.size())];
  std::vector<model::Term> terms;
  while (!words.is_empty() && terms.size() < patterns_max) {
    const double a = model::value_of(dtype, words.next(width(dtype)));
    const double b = model::value_of(dtype, words.next(width(dtype)));
    if (std::isfinite(a) && std::isfinite(b)) terms.push_back({a, b});
  }
  return check_dot(terms);
}

/// Where a sum is said to be exact in every order, two orders and every wire give the exact sum.
Outcome run_exact_sums(Words& words) {
  const auto& combinations = legal_combinations();
  const DtypeCombination& dtypes = combinations[words.next(2) % combinations.size()];
  if (!info(dtypes.in).is_float) return {};
  std::vector<model::Term> terms;
  std::vector<Bits> products;
  while (!words.is_empty() && terms.size() < patterns_max) {
    const Bits a = words.next(width(dtypes.in));
    const Bits b = words.next(width(dtypes.in));
    const model::Term term{model::value_of(dtypes.in, a), model::value_of(dtypes.in, b)};
    if (!std::isfinite(term.a) || !std::isfinite(term.b)) continue;
    terms.push_back(term);
    products.push_back(model::multiply(dtypes.acc, model::convert(dtypes.in, dtypes.acc, a),
                                       model::convert(dtypes.in, dtypes.acc, b)));
  }
  const model::ExactDot exact = model::dot(terms);
  if (!is_exact_in_every_order(model::exact_limits(dtypes, true), exact)) return {};
  const Bits expected = model::round(dtypes.acc, exact.sum);
  Bits ascending = 0;
  Bits descending = 0;
  for (std::size_t place = 0; place < products.size(); ++place) {
    ascending = model::add(dtypes.acc, ascending, products[place]);
    descending = model::add(dtypes.acc, descending, products[products.size() - 1 - place]);
    const Bits sent = model::convert(dtypes.acc, dtypes.wire, ascending);
    if (model::convert(dtypes.wire, dtypes.acc, sent) != ascending) {
      return differs("partial sum through the wire", dtypes.wire, sent, ascending);
    }
  }
  if (ascending != expected) return differs("ascending sum", dtypes.acc, ascending, expected);
  if (descending != expected) return differs("descending sum", dtypes.acc, descending, expected);
  return {};
}

Bits narrowed(impl::Storage storage, const void* value, Dtype to) {
  std::array<std::byte, 8> element{};
  impl::narrow(storage, static_cast<const std::byte*>(value), to, element.data(), 1);
  return load(element, to, 0);
}

double widened(Dtype from, Bits bits) {
  std::array<std::byte, 8> element{};
  store(element, from, 0, bits);
  double value = 0;
  impl::widen(from, element.data(), impl::Storage::f64, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

}  // namespace

/// Every input is one.
std::optional<std::string> why_unreadable(std::string_view) { return std::nullopt; }

Outcome run(std::string_view input) {
  Words words(input);
  switch (words.below(4)) {
    case 0: return run_conversion(words);
    case 1: return run_accumulator(words);
    case 2: return run_dot(words);
    default: return run_exact_sums(words);
  }
}

}  // namespace shardcheck::fuzz
