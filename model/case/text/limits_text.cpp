#include "limits_text.h"

#include <algorithm>

#include <fmt/core.h>

#include <shardcheck/model/case/limits.h>

namespace shardcheck {
namespace {

/// One index in a rank's lists of rows and columns: 64 bits.
constexpr std::int64_t index_bytes = 8;

/// Elements of one tensor over all ranks. A tensor lies once in each group of ranks that differ
/// only in mesh axes that cut it, whatever the splits.
std::int64_t copies(const Mesh& mesh, const std::vector<int>& rows_over,
                    const std::vector<int>& columns_over) {
  std::int64_t count = rank_count(mesh);
  for (const int axis : rows_over) count /= mesh.axes[static_cast<std::size_t>(axis)].size;
  for (const int axis : columns_over) count /= mesh.axes[static_cast<std::size_t>(axis)].size;
  return count;
}

/// A rank may hold no element and yet many indices: 10^6 rows of a tensor without columns.
std::int64_t bytes_of_lists(const ProductCase& subject, Tensor tensor) {
  const Layout& of = layout(subject, tensor);
  const auto [rows, columns] = axes_of(tensor);
  return index_bytes * (extent(subject, rows) * copies(subject.mesh, of.rows.over, {}) +
                        extent(subject, columns) * copies(subject.mesh, of.columns.over, {}));
}

std::int64_t bytes_of_input(const ProductCase& subject, Tensor tensor) {
  const Layout& of = layout(subject, tensor);
  const auto [rows, columns] = axes_of(tensor);
  return extent(subject, rows) * extent(subject, columns) * info(subject.dtypes.in).bytes *
         copies(subject.mesh, of.rows.over, of.columns.over);
}

}  // namespace

Failure check_elements(const Fields& fields, const ProductCase& subject) {
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    const auto [rows, columns] = axes_of(tensor);
    const std::int64_t row_count = std::max<std::int64_t>(extent(subject, rows), 1);
    if (extent(subject, columns) > limits::elements_per_tensor / row_count) {
      const Key key = columns == Axis::j ? Key::j : Key::k;
      return unexpected(fields[key].value, fmt::format("at most {} elements in {}",
                                                       limits::elements_per_tensor, name(tensor)));
    }
  }
  return std::nullopt;
}

Failure check_bytes(const Fields& fields, ProductCase& subject) {
  const std::int64_t bytes =
      bytes_of_input(subject, Tensor::a) + bytes_of_input(subject, Tensor::b) +
      rank_count(subject.mesh) * subject.i * subject.j * info(subject.dtypes.out).bytes +
      bytes_of_lists(subject, Tensor::a) + bytes_of_lists(subject, Tensor::b) +
      bytes_of_lists(subject, Tensor::c);
  if (bytes <= limits::bytes_per_case) return std::nullopt;
  return unexpected(fields[Key::i].value,
                    fmt::format("sizes that need at most {} bytes over all ranks, not {}",
                                limits::bytes_per_case, bytes));
}

}  // namespace shardcheck
