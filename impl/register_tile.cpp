#include "register_tile.h"

#include <algorithm>
#include <array>
#include <utility>

#include <Eigen/Core>

namespace shardcheck::impl {
namespace {

constexpr std::int64_t rows_per_tile = 4;
constexpr std::int64_t depth_per_block = 512;
/// Rows of A that stay in the second cache while all panels of B pass.
constexpr std::int64_t rows_per_block = 64;

template <typename T>
using TileRow = Eigen::Array<T, static_cast<int>(tile_columns), 1>;

/// Panels one after the other; panel p holds columns p·tile_columns and on, row-major.
template <typename T>
void pack(const ProductShape& shape, const T* b, std::int64_t row_step, T* packed) {
  for (std::int64_t first = 0; first < shape.columns; first += tile_columns) {
    const std::int64_t width = std::min(tile_columns, shape.columns - first);
    for (std::int64_t k = 0; k < shape.depth; ++k) {
      const T* row = b + k * row_step + first;
      for (std::int64_t column = 0; column < width; ++column) packed[column] = row[column];
      for (std::int64_t column = width; column < tile_columns; ++column) packed[column] = T{0};
      packed += tile_columns;
    }
  }
}

/// Adds `depth` products to each of Rows × tile_columns sums. `row_step`: elements from one row of
/// A to the next. `sums` is row-major, dense.
template <typename T, std::size_t... Row>
void run_tile(std::index_sequence<Row...> /*rows*/, std::int64_t depth, const T* a,
              std::int64_t row_step, const T* panel, T* sums) {
  using Map = Eigen::Map<TileRow<T>>;
  std::array<TileRow<T>, sizeof...(Row)> sum{
      TileRow<T>(Map(sums + static_cast<std::int64_t>(Row) * tile_columns))...};
  for (std::int64_t k = 0; k < depth; ++k) {
    const TileRow<T> b = Eigen::Map<const TileRow<T>>(panel + k * tile_columns);
    ((sum[Row] += b * a[static_cast<std::int64_t>(Row) * row_step + k]), ...);
  }
  ((Map(sums + static_cast<std::int64_t>(Row) * tile_columns) = sum[Row]), ...);
}

template <typename T>
void run_tile_of(std::int64_t rows, std::int64_t depth, const T* a, std::int64_t row_step,
                 const T* panel, T* sums) {
  switch (rows) {
    case 1: return run_tile(std::make_index_sequence<1>{}, depth, a, row_step, panel, sums);
    case 2: return run_tile(std::make_index_sequence<2>{}, depth, a, row_step, panel, sums);
    case 3: return run_tile(std::make_index_sequence<3>{}, depth, a, row_step, panel, sums);
    default: return run_tile(std::make_index_sequence<4>{}, depth, a, row_step, panel, sums);
  }
}

/// One tile of C: its sums so far are taken up, and put back, whether or not it is full.
template <typename T>
void add_to_tile(std::int64_t rows, std::int64_t width, std::int64_t depth, const T* a,
                 std::int64_t a_step, const T* panel, T* c, std::int64_t c_step) {
  std::array<T, static_cast<std::size_t>(rows_per_tile * tile_columns)> sums{};
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(c + row * c_step, width, sums.data() + row * tile_columns);
  }
  run_tile_of(rows, depth, a, a_step, panel, sums.data());
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(sums.data() + row * tile_columns, width, c + row * c_step);
  }
}

}  // namespace

template <typename T>
void tiled_product(const ProductShape& shape, const RowSteps& row_steps, const T* a, const T* b,
                   T* c, T* packed) {
  pack(shape, b, row_steps.b, packed);
  for (std::int64_t k = 0; k < shape.depth; k += depth_per_block) {
    const std::int64_t depth = std::min(depth_per_block, shape.depth - k);
    for (std::int64_t block = 0; block < shape.rows; block += rows_per_block) {
      const std::int64_t block_end = std::min(block + rows_per_block, shape.rows);
      for (std::int64_t column = 0; column < shape.columns; column += tile_columns) {
        const T* panel = packed + column * shape.depth + k * tile_columns;
        const std::int64_t width = std::min(tile_columns, shape.columns - column);
        for (std::int64_t row = block; row < block_end; row += rows_per_tile) {
          add_to_tile(std::min(rows_per_tile, block_end - row), width, depth,
                      a + row * row_steps.a + k, row_steps.a, panel, c + row * row_steps.c + column,
                      row_steps.c);
        }
      }
    }
  }
}

template void tiled_product(const ProductShape&, const RowSteps&, const float*, const float*,
                            float*, float*);
template void tiled_product(const ProductShape&, const RowSteps&, const double*, const double*,
                            double*, double*);
template void tiled_product(const ProductShape&, const RowSteps&, const std::uint32_t*,
                            const std::uint32_t*, std::uint32_t*, std::uint32_t*);
template void tiled_product(const ProductShape&, const RowSteps&, const std::uint64_t*,
                            const std::uint64_t*, std::uint64_t*, std::uint64_t*);

}  // namespace shardcheck::impl
