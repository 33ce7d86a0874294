#include <array>
#include <string>
#include <string_view>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>

#include "reductions.h"

namespace shardcheck {
namespace {

/// Texts that a value is replaced by, the plainest first.
constexpr std::array<std::string_view, 6> plain_values{"0", "1", "2", "3", "4", "-1"};

void simplify_seeded(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  const std::int64_t value_count = subject.i * subject.k + subject.k * subject.j;
  if (value_count <= limits::given_values_when_minimised) {
    candidates.push_back(with_values_given(subject));
  }
  if (subject.data.regime != Data::Regime::ints) {
    candidates.push_back(subject);
    candidates.back().data.regime = Data::Regime::ints;
  }
  const std::uint64_t seed = subject.data.seed;
  for (std::uint64_t smaller = 0; smaller < 8 && smaller < seed; ++smaller) {
    candidates.push_back(subject);
    candidates.back().data.seed = smaller;
  }
  if (seed >= 16) {
    candidates.push_back(subject);
    candidates.back().data.seed = seed / 2;
  }
}

void set_all(const ProductCase& subject, std::vector<Bits> Data::*values, std::string_view text,
             std::vector<ProductCase>& candidates) {
  const auto bits = parse_value(subject.dtypes.in, text);
  if (!bits || (subject.data.*values).empty()) return;
  candidates.push_back(subject);
  for (Bits& each : candidates.back().data.*values) each = *bits;
}

void set_each(const ProductCase& subject, std::vector<Bits> Data::*values, std::string_view text,
              std::vector<ProductCase>& candidates) {
  const auto bits = parse_value(subject.dtypes.in, text);
  if (!bits) return;
  for (std::size_t place = 0; place < (subject.data.*values).size(); ++place) {
    if ((subject.data.*values)[place] == *bits) continue;
    candidates.push_back(subject);
    (candidates.back().data.*values)[place] = *bits;
  }
}

/// What is left of a number's text when its fraction, or its last digit, goes.
void shorten_each(const ProductCase& subject, std::vector<Bits> Data::*values,
                  std::vector<ProductCase>& candidates) {
  for (std::size_t place = 0; place < (subject.data.*values).size(); ++place) {
    const std::string text = print_value(subject.dtypes.in, (subject.data.*values)[place]);
    const auto point = text.find('.');
    for (const std::size_t length : {point, text.size() - 1}) {
      if (length == std::string::npos || length == 0) continue;
      const auto bits = parse_value(subject.dtypes.in, text.substr(0, length));
      if (!bits) continue;
      candidates.push_back(subject);
      (candidates.back().data.*values)[place] = *bits;
    }
  }
}

void simplify_given(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  constexpr std::array<std::vector<Bits> Data::*, 2> both{&Data::a, &Data::b};
  for (const std::string_view text : {"0", "1"}) {
    for (const auto values : both) set_all(subject, values, text, candidates);
  }
  for (const std::string_view text : plain_values) {
    for (const auto values : both) set_each(subject, values, text, candidates);
  }
  for (const auto values : both) shorten_each(subject, values, candidates);
}

/// Value number n becomes 1 + n mod `distinct`. False if the dtype has no such value.
bool number_values(ProductCase& subject, std::int64_t distinct) {
  std::int64_t number = 0;
  for (std::vector<Bits>& values : subject.data.given) {
    for (Bits& each : values) {
      const auto bits = parse_value(subject.dtypes.in, std::to_string(1 + number++ % distinct));
      if (!bits) return false;
      each = *bits;
    }
  }
  return true;
}

}  // namespace

void reduce_sizes_and_values(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  if (subject.data.regime != Data::Regime::given) return;
  for (const Axis axis : {Axis::k, Axis::i, Axis::j}) {
    const std::int64_t length = extent(subject, axis);
    if (length == 0) continue;
    // Every dtype holds 1 to 7, f8e5m2 with its three significant bits too.
    for (const std::int64_t distinct : {1, 7}) {
      ProductCase candidate = without(subject, axis, length - 1, 1);
      if (number_values(candidate, distinct)) candidates.push_back(std::move(candidate));
    }
  }
}

void reduce_data(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  if (subject.data.regime == Data::Regime::given) {
    simplify_given(subject, candidates);
  } else {
    simplify_seeded(subject, candidates);
  }
}

}  // namespace shardcheck
