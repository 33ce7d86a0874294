#include "inputs.h"

#include <algorithm>

#include "regimes.h"
#include "values.h"

namespace shardcheck {
namespace {

/// Larger integers show no more, and are harder to follow by eye.
constexpr std::int64_t ints_magnitude_max = 99;

/// Of the dtypes that a sum passes through.
int narrowest_bits(const DtypeCombination& d) {
  return std::min({exact_bits(d.acc), exact_bits(d.wire), exact_bits(d.out)});
}

}  // namespace

Inputs::Inputs(const ProductCase& subject) : case_(subject) {
  const auto regime = static_cast<std::uint64_t>(subject.data.regime);
  a_.seed = tensor_seed(subject.data.seed, regime, 1);
  b_.seed = tensor_seed(subject.data.seed, regime, 2);
  switch (subject.data.regime) {
    case Data::Regime::ints: plan_ints(); break;
    case Data::Regime::rounding: plan_rounding(); break;
    case Data::Regime::probe: plan_probe(); break;
    case Data::Regime::wide:
    case Data::Regime::cancel:
    case Data::Regime::special:
    case Data::Regime::given: break;
  }
}

Bits Inputs::at(Tensor tensor, std::int64_t row, std::int64_t column) const {
  const bool is_a = tensor == Tensor::a;
  const std::int64_t k = is_a ? column : row;
  const std::int64_t outer = is_a ? row : column;
  switch (case_.data.regime) {
    case Data::Regime::given: {
      const std::vector<Bits>& values = is_a ? case_.data.given[0] : case_.data.given[1];
      return values[static_cast<std::size_t>(row * (is_a ? case_.k : case_.j) + column)];
    }
    case Data::Regime::ints:
      return ints(tensor, k, outer, hashed(recipe(tensor).seed, row, column));
    case Data::Regime::rounding:
      return rounding(tensor, k, outer, hashed(recipe(tensor).seed, row, column));
    case Data::Regime::probe: return probe(tensor, k, outer);
    case Data::Regime::wide: return wide_value(case_.dtypes, place(tensor, k, outer));
    case Data::Regime::cancel: return cancel_value(case_.dtypes, place(tensor, k, outer));
    case Data::Regime::special: return special_value(case_.dtypes, place(tensor, k, outer));
  }
  return 0;
}

InputPlace Inputs::place(Tensor tensor, std::int64_t k, std::int64_t outer) const {
  return {.seed = case_.data.seed,
          .tensor = tensor == Tensor::a ? 1U : 2U,
          .term = k,
          .terms = case_.k,
          .outer = outer};
}

void Inputs::plan_rotation(std::int64_t terms_max) {
  const std::int64_t rows = std::max<std::int64_t>(case_.i, 1);
  const std::int64_t columns = std::max<std::int64_t>(case_.j, 1);
  const std::int64_t needed = std::max<std::int64_t>(ceil_of(case_.k, terms_max), 1);
  row_classes_ = std::min(rows, needed);
  column_classes_ = std::min(columns, ceil_of(needed, row_classes_));
  // With too few elements of C to show every class, some classes are never shown.
  classes_ = std::max(needed, row_classes_ * column_classes_);
}

bool Inputs::is_shown(Tensor tensor, std::int64_t k, std::int64_t outer) const {
  if (classes_ == 1) return true;
  const std::int64_t of_k = k % classes_;
  if (tensor == Tensor::a) return outer % row_classes_ == of_k % row_classes_;
  return outer % column_classes_ == of_k / row_classes_;
}

void Inputs::plan_ints() {
  // For integers 2^31, so that nothing wraps before sums become very long.
  const std::int64_t budget = std::int64_t{1} << std::min(narrowest_bits(case_.dtypes), 53);
  plan_rotation(budget);
  const std::int64_t terms = std::max<std::int64_t>(ceil_of(case_.k, classes_), 1);
  const std::int64_t in_max = std::int64_t{1} << std::min(exact_bits(case_.dtypes.in), 53);
  const std::int64_t cap =
      std::min(ints_magnitude_max, in_max - (info(case_.dtypes.in).is_float ? 0 : 1));
  const std::int64_t product = std::min(budget / terms, cap * cap);
  while ((a_.magnitude + 1) * (a_.magnitude + 1) <= product) ++a_.magnitude;
  b_.magnitude = std::min(product / a_.magnitude, cap);
}

Bits Inputs::ints(Tensor tensor, std::int64_t k, std::int64_t outer, std::uint64_t hash) const {
  const Dtype in = case_.dtypes.in;
  if (!is_shown(tensor, k, outer)) return 0;
  const std::int64_t magnitude_max = recipe(tensor).magnitude;
  const auto parity = static_cast<std::uint64_t>(k + outer) % 2;
  bool is_negative = info(in).is_signed && (hash & 1) != 0;
  // Neighbours along k differ, in size or at least, in the first rows of A and columns of B, in
  // sign: else no result would show A's k being multiplied with B's k + 1.
  if (magnitude_max == 1) {
    const bool is_first = outer < (tensor == Tensor::a ? row_classes_ : column_classes_);
    if (is_first) is_negative = info(in).is_signed && parity != 0;
    return encoded(in, is_negative, 1, 0);
  }
  const auto pairs = static_cast<std::uint64_t>(magnitude_max / 2);
  return encoded(in, is_negative, 1 + 2 * ((hash >> 32) % pairs) + parity, 0);
}

void Inputs::plan_rounding() {
  const DtypeCombination& d = case_.dtypes;
  if (!info(d.in).is_float) return;
  const int greatest =
      std::min({powers_of(d.acc).greatest, powers_of(d.wire).greatest, powers_of(d.out).greatest});
  // Wide enough that sums of narrow products still round, unless that would overflow.
  const int wanted = (exact_bits(d.acc) + 5 - 2 * exact_bits(d.in)) / 4;
  const int spread = greatest < 16 ? 1 : std::clamp(wanted, 3, 6);
  // Exponents from e - spread to e + spread - 1: |a·b| < 2^(ea + eb + 2·spread).
  const int sum = std::min(0, greatest - 1 - 2 * spread - carry_bits(case_.k));
  const FloatBits& f = float_bits(d.in);
  const int low_min = exponent_least(f) + f.fraction_bits;
  const int low_max = exponent_greatest(f) - 2 * spread;
  a_.exponent_low = std::clamp(sum / 2 - spread, low_min, low_max);
  b_.exponent_low = std::clamp(sum - sum / 2 - spread, low_min, low_max);
  a_.exponent_count = 2 * spread;
  b_.exponent_count = 2 * spread;
}

Bits Inputs::rounding(Tensor tensor, std::int64_t k, std::int64_t outer, std::uint64_t hash) const {
  const Dtype in = case_.dtypes.in;
  if (!info(in).is_float) return hash >> (64 - 8 * info(in).bytes);
  const FloatBits& f = float_bits(in);
  const Recipe& of = recipe(tensor);
  // The last bit is set, so that every significand has the full width.
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  const std::uint64_t significand = hidden | (hash & (hidden - 1)) | 1;
  // Exponents alternate between even and odd, so that neighbours differ.
  const auto pairs = static_cast<std::uint64_t>(of.exponent_count / 2);
  const std::uint64_t choice = mixed(hash);
  const auto step =
      static_cast<int>(2 * ((choice >> 32) % pairs)) + static_cast<int>((k + outer) % 2);
  return encoded(in, (choice & 1) != 0, significand, of.exponent_low + step - f.fraction_bits);
}

void Inputs::plan_probe() {
  const Dtype in = case_.dtypes.in;
  const int bits = std::min(narrowest_bits(case_.dtypes), 62);
  const Powers powers = powers_of(in);
  plan_rotation((std::int64_t{1} << bits) - 2);
  const std::int64_t terms = std::max<std::int64_t>(ceil_of(case_.k, classes_), 1);
  // The narrowest digit in which the terms that share a place, and one more, can be counted.
  for (digit_bits_ = 2; digit_bits_ <= bits; ++digit_bits_) {
    const int digits = bits / digit_bits_;
    const int digits_in_range = (powers.greatest - powers.least) / digit_bits_;
    digits_b_ = digits >= 4 && digits_in_range >= 2 ? 2 : 1;
    digits_a_ = std::min<std::int64_t>(digits / digits_b_, std::max(digits_in_range, 1));
    if (ceil_of(terms, digits_a_ * digits_b_) <= (std::int64_t{1} << digit_bits_) - 2) break;
  }
  const auto top_a = static_cast<int>(digits_a_ - 1) * digit_bits_;
  const auto top_b = static_cast<int>(digits_a_ * (digits_b_ - 1)) * digit_bits_;
  a_.exponent_low = std::min(0, powers.greatest - top_a);
  b_.exponent_low = std::min(0, powers.greatest - top_b);
}

Bits Inputs::probe(Tensor tensor, std::int64_t k, std::int64_t outer) const {
  if (!is_shown(tensor, k, outer)) return 0;
  const std::int64_t term = k / classes_;
  const std::int64_t u = term % digits_a_;
  const std::int64_t v = term / digits_a_ + u;
  const std::int64_t turn = outer + static_cast<std::int64_t>(case_.data.seed % 1024);
  const std::int64_t place_a = (u + turn) % digits_a_;
  const std::int64_t place_b = digits_a_ * ((v + u * turn) % digits_b_);
  const std::int64_t place = tensor == Tensor::a ? place_a : place_b;
  const int exponent = recipe(tensor).exponent_low + static_cast<int>(place) * digit_bits_;
  // Both signs flip with k: products are positive digits, those of a k and its neighbour aren't.
  const bool is_negative = info(case_.dtypes.in).is_signed && k % 2 != 0;
  return encoded(case_.dtypes.in, is_negative, 1, exponent);
}

}  // namespace shardcheck
