#pragma once

/// The fast local product: a tile of sums stays in registers while k runs.
///
/// B is packed once into panels of tile_columns columns, k slowest, padded with zeros, so that a
/// step of k reads one short row of a panel and one element of each of the tile's rows of A. The
/// depth is taken in blocks that keep a panel in the first cache; a tile then starts from the sums
/// so far, which changes no bit, for they lie in memory as they lie in registers.

#include <cstdint>

#include "local_product.h"

namespace shardcheck::impl {

inline constexpr std::int64_t tile_columns = 8;

/// Elements of the packed B.
inline std::int64_t packed_elements(const ProductShape& shape) {
  return (shape.columns + tile_columns - 1) / tile_columns * tile_columns * shape.depth;
}

/// T is float, double, std::uint32_t or std::uint64_t. Arrays as for continue_product(); `packed`
/// has packed_elements(shape).
template <typename T>
void tiled_product(const ProductShape& shape, const RowSteps& row_steps, const T* a, const T* b,
                   T* c, T* packed);

}  // namespace shardcheck::impl
