#include <algorithm>
#include <array>

#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/case/limits.h>

#include "reductions.h"

namespace shardcheck {
namespace {

struct Range {
  std::int64_t start = 0;
  std::int64_t count = 0;

  bool contains(std::int64_t index) const { return index >= start && index < start + count; }
};

void take_out(Split& split, const Range& gone) {
  std::int64_t start = 0;
  for (std::int64_t& size : split.sizes) {
    const std::int64_t end = start + size;
    const std::int64_t overlap =
        std::min(end, gone.start + gone.count) - std::max(start, gone.start);
    size -= std::max<std::int64_t>(overlap, 0);
    start = end;
  }
  for (auto& set : split.sets) {
    std::erase_if(set, [&](std::int64_t index) { return gone.contains(index); });
    for (std::int64_t& index : set) index -= index >= gone.start + gone.count ? gone.count : 0;
  }
}

std::vector<Bits> values_kept(const ProductCase& subject, const Inputs& inputs, Tensor tensor,
                              Axis axis, const Range& gone) {
  const auto [row_axis, column_axis] = axes_of(tensor);
  std::vector<Bits> kept;
  for (std::int64_t row = 0; row < extent(subject, row_axis); ++row) {
    if (row_axis == axis && gone.contains(row)) continue;
    for (std::int64_t column = 0; column < extent(subject, column_axis); ++column) {
      if (column_axis == axis && gone.contains(column)) continue;
      kept.push_back(inputs.at(tensor, row, column));
    }
  }
  return kept;
}

std::int64_t value_count(const ProductCase& subject) {
  return subject.i * subject.k + subject.k * subject.j;
}

void set_extent(ProductCase& subject, Axis axis, std::int64_t extent) {
  switch (axis) {
    case Axis::i: subject.i = extent; break;
    case Axis::j: subject.j = extent; break;
    case Axis::k: subject.k = extent; break;
  }
}

Cut& cut_of_axis(Layout& layout, Tensor tensor, Axis axis) {
  return axes_of(tensor)[0] == axis ? layout.rows : layout.columns;
}

/// Sizes all at most `extent_max`, what is kept being the front.
ProductCase with_extents_at_most(const ProductCase& subject, std::int64_t extent_max) {
  ProductCase candidate = subject;
  for (const Axis axis : {Axis::i, Axis::j, Axis::k}) {
    const std::int64_t excess = extent(subject, axis) - extent_max;
    if (excess > 0) candidate = without(candidate, axis, extent_max, excess);
  }
  return candidate;
}

ProductCase without_end(const ProductCase& subject, Axis axis, std::int64_t count) {
  return without(subject, axis, extent(subject, axis) - count, count);
}

/// A short front of one axis: what fails because of a remainder fails at some sizes alone, and no
/// walk by ones or halves leads from one to the next.
void shorten_to_few(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  constexpr std::int64_t few = 16;
  for (const Axis axis : {Axis::k, Axis::i, Axis::j}) {
    const std::int64_t length = extent(subject, axis);
    for (std::int64_t kept = 1; kept <= few && kept < length; ++kept) {
      candidates.push_back(without(subject, axis, kept, length - kept));
    }
  }
}

/// Two axes at once, by halves and by one or two: what fails because two counts of bytes agree goes
/// on failing only if both shrink.
void shrink_two_axes(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  constexpr std::array<std::array<Axis, 2>, 3> pairs{
      {{Axis::i, Axis::j}, {Axis::i, Axis::k}, {Axis::j, Axis::k}}};
  const auto add = [&](const std::array<Axis, 2>& pair, std::int64_t first, std::int64_t second) {
    if (extent(subject, pair[0]) < first || extent(subject, pair[1]) < second) return;
    candidates.push_back(without_end(without_end(subject, pair[0], first), pair[1], second));
  };
  for (const auto& pair : pairs) {
    add(pair, (extent(subject, pair[0]) + 1) / 2, (extent(subject, pair[1]) + 1) / 2);
  }
  for (const auto& pair : pairs) {
    for (const auto& [first, second] : {std::array{1, 1}, std::array{1, 2}, std::array{2, 1}}) {
      add(pair, first, second);
    }
  }
}

}  // namespace

ProductCase with_values_given(const ProductCase& subject) {
  const Inputs inputs(subject);
  Data given;
  given.regime = Data::Regime::given;
  given.given = {values_kept(subject, inputs, Tensor::a, Axis::i, Range{}),
                 values_kept(subject, inputs, Tensor::b, Axis::j, Range{})};
  ProductCase candidate = subject;
  candidate.data = std::move(given);
  return candidate;
}

ProductCase without(const ProductCase& subject, Axis axis, std::int64_t start, std::int64_t count) {
  const Range gone{start, count};
  ProductCase candidate = subject;
  set_extent(candidate, axis, extent(subject, axis) - count);
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    const auto axes = axes_of(tensor);
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) continue;
    Layout& layout = tensor == Tensor::a   ? candidate.a
                     : tensor == Tensor::b ? candidate.b
                                           : candidate.c;
    take_out(cut_of_axis(layout, tensor, axis).split, gone);
  }
  const bool becomes_given = subject.data.regime == Data::Regime::given ||
                             value_count(candidate) <= limits::given_values_when_minimised;
  if (!becomes_given) return candidate;
  const Inputs inputs(subject);
  candidate.data = Data{};
  candidate.data.regime = Data::Regime::given;
  candidate.data.given = {values_kept(subject, inputs, Tensor::a, axis, gone),
                          values_kept(subject, inputs, Tensor::b, axis, gone)};
  return candidate;
}

void reduce_sizes(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  for (const std::int64_t extent_max : {1, 2}) {
    candidates.push_back(with_extents_at_most(subject, extent_max));
  }
  // Halves first over all axes, then quarters, and so on: the boldest of each axis before the timid
  // of any.
  const std::int64_t longest = std::max({subject.i, subject.j, subject.k});
  for (std::int64_t divisor = 1; divisor <= 2 * longest; divisor *= 2) {
    for (const Axis axis : {Axis::k, Axis::i, Axis::j}) {
      const std::int64_t length = extent(subject, axis);
      const std::int64_t chunk = (length + divisor - 1) / divisor;
      const std::int64_t longer_chunk = divisor == 1 ? 0 : (2 * length + divisor - 1) / divisor;
      if (chunk == 0 || chunk == longer_chunk) continue;
      for (std::int64_t end = length; end > 0; end -= chunk) {
        const std::int64_t start = std::max<std::int64_t>(end - chunk, 0);
        candidates.push_back(without(subject, axis, start, end - start));
      }
    }
  }
  shorten_to_few(subject, candidates);
  shrink_two_axes(subject, candidates);
}

}  // namespace shardcheck
