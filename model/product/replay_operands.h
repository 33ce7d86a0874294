#pragma once

/// A and B as a replay reads them: widened to acc, k in the order of its parts.

#include <bit>
#include <cstdint>
#include <vector>

#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/exact/exponent_span.h>

namespace shardcheck::model {

/// Columns of B that are multiplied together: a register tile.
inline constexpr std::int64_t replay_lanes = 8;

/// A by row, B by tile of `replay_lanes` columns, k innermost but for the lanes. B's last tile is
/// filled up with zeros. A place is one in the list of k's.
template <class Arithmetic>
class ReplayOperands {
 public:
  using Value = typename Arithmetic::Value;

  /// `ks`: every k once.
  ReplayOperands(const ProductCase& subject, const Arithmetic& arithmetic,
                 const std::vector<std::int64_t>& ks)
      : k_count_(subject.k) {
    const Inputs inputs(subject);
    a_.reserve(static_cast<std::size_t>(subject.i * k_count_));
    for (std::int64_t i = 0; i < subject.i; ++i) {
      for (const std::int64_t k : ks) a_.push_back(arithmetic.widen(inputs.at(Tensor::a, i, k)));
    }
    const std::int64_t tiles = (subject.j + replay_lanes - 1) / replay_lanes;
    b_.assign(static_cast<std::size_t>(tiles * k_count_ * replay_lanes), Value{0});
    for (std::int64_t place = 0; place < k_count_; ++place) {
      const std::int64_t k = ks[static_cast<std::size_t>(place)];
      for (std::int64_t j = 0; j < subject.j; ++j) {
        b_[b_index(place, j)] = arithmetic.widen(inputs.at(Tensor::b, k, j));
      }
    }
    if constexpr (Arithmetic::is_float) find_spans(subject.i, subject.j);
  }

  Value a(std::int64_t i, std::int64_t place) const {
    return a_[static_cast<std::size_t>(i * k_count_ + place)];
  }
  Value b(std::int64_t place, std::int64_t j) const { return b_[b_index(place, j)]; }

  /// Columns j, j + 1, … of the tile that starts at j.
  const Value* b_lanes(std::int64_t place, std::int64_t j) const { return &b_[b_index(place, j)]; }

  // Floats alone, from here on.
  const ExponentSpan& row_span(std::int64_t i) const { return rows_[static_cast<std::size_t>(i)]; }
  const ExponentSpan& column_span(std::int64_t j) const {
    return columns_[static_cast<std::size_t>(j)];
  }

  /// Every product of row i and column j is a multiple of 2^grid.
  std::int64_t grid(std::int64_t i, std::int64_t j) const {
    return row_span(i).grid + column_span(j).grid;
  }

  /// Σ|a·b| of row i and column j, every term twice, is below 2^(grid + this); more than any
  /// integer's width where a value is no integer in units of the grid.
  std::int64_t fixed_bits(std::int64_t i, std::int64_t j) const {
    const ExponentSpan& row = row_span(i);
    const ExponentSpan& column = column_span(j);
    if (!row.is_fixed_point() || !column.is_fixed_point()) return no_exponent;
    const auto terms = static_cast<std::uint64_t>(2 * k_count_);
    return row.width() + column.width() + static_cast<std::int64_t>(std::bit_width(terms));
  }

 private:
  void find_spans(std::int64_t i_count, std::int64_t j_count) {
    rows_.assign(static_cast<std::size_t>(i_count), {});
    columns_.assign(static_cast<std::size_t>(j_count), {});
    for (std::int64_t i = 0; i < i_count; ++i) {
      ExponentSpan& row = rows_[static_cast<std::size_t>(i)];
      for (std::int64_t place = 0; place < k_count_; ++place) {
        row.include(static_cast<double>(a(i, place)));
      }
    }
    for (std::int64_t place = 0; place < k_count_; ++place) {
      for (std::int64_t j = 0; j < j_count; ++j) {
        columns_[static_cast<std::size_t>(j)].include(static_cast<double>(b(place, j)));
      }
    }
  }

  std::size_t b_index(std::int64_t place, std::int64_t j) const {
    return static_cast<std::size_t>((j / replay_lanes * k_count_ + place) * replay_lanes +
                                    j % replay_lanes);
  }

  std::int64_t k_count_;
  std::vector<Value> a_;
  std::vector<Value> b_;
  std::vector<ExponentSpan> rows_;     ///< of A
  std::vector<ExponentSpan> columns_;  ///< of B
};

}  // namespace shardcheck::model
