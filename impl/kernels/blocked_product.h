#pragma once

/// C = A · B in blocks that the caches hold, over register tiles.
///
/// k is taken in blocks: for each, a block of B is packed into panels as wide as a tile, k slowest,
/// the last one padded with zeros, then blocks of A's rows, k slowest inside each tile's rows, and
/// every tile goes through that piece of k. A tile starts from the sums so far, which changes no
/// bit, for they lie in memory as they lie in registers. Elements that travel narrower are widened
/// as they are packed. Where A has few rows, B is read where it lies: packing would cost as much as
/// it saves.
/// Sources: Goto, van de Geijn, Anatomy of High-Performance Matrix Multiplication (2008); Van Zee,
/// van de Geijn, BLIS (2015).

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel.h"
#include "register_tile.h"

namespace shardcheck::impl {

template <typename Step>
class BlockedProduct {
 public:
  static std::int64_t scratch_bytes(const ProductShape& shape) {
    if (shape.rows == 0 || shape.columns == 0) return 0;
    const std::int64_t depth = lesser(shape.depth, depth_per_block);
    const std::int64_t columns = lesser(shape.columns, columns_per_block);
    return (padded(columns) * depth + lesser(shape.rows, rows_per_block) * depth +
            (depth > columns ? depth : columns)) *
           width;
  }

  static void run(const Task& task) {
    if (task.shape.rows == 0 || task.shape.columns == 0) return;
    if (task.shape.depth == 0 && task.begins) {
      for (std::int64_t row = 0; row < task.shape.rows; ++row) {
        __builtin_memset(task.c + row * task.c_step * width, 0, bytes(task.shape.columns));
      }
    }
    BlockedProduct(task).run();
  }

 private:
  using Element = typename Step::Element;

  static constexpr std::int64_t width = sizeof(Element);
  static constexpr std::int64_t lanes = Step::lanes;
  static constexpr std::int64_t panel = 2 * lanes;
  static constexpr std::int64_t tile_rows = Step::rows_per_tile;
  /// A panel of B stays in the first cache, a block of A in the second, a block of B in the third.
  static constexpr std::int64_t depth_per_block = 16384 / (panel * width);
  static constexpr std::int64_t rows_per_block = 96 / tile_rows * tile_rows;
  static constexpr std::int64_t columns_per_block = 1024;
  /// With so few rows B is read where it lies, in pieces of k that touch few pages at a time.
  static constexpr std::int64_t few_rows = 3 * tile_rows;
  static constexpr std::int64_t depth_where_it_lies = 64;

  /// Columns of B at work, and where its rows lie.
  struct Panel {
    const std::byte* b = nullptr;
    std::int64_t b_step = 0;  ///< bytes
    std::int64_t column = 0;
    std::int64_t columns = 0;
  };

  /// Rows and k of A at work, packed.
  struct Block {
    std::int64_t row = 0;
    std::int64_t rows = 0;
    std::int64_t first_k = 0;
    std::int64_t depth = 0;
  };

  explicit BlockedProduct(const Task& task) : task_(task), shape_(task.shape) {
    const std::int64_t depth = lesser(shape_.depth, depth_per_block);
    const std::int64_t columns = lesser(shape_.columns, columns_per_block);
    packed_b_ = task.scratch;
    packed_a_ = packed_b_ + padded(columns) * depth * width;
    staging_ = packed_a_ + lesser(shape_.rows, rows_per_block) * depth * width;
  }

  void run() {
    const bool packs = shape_.rows > few_rows || task_.b.widen != nullptr;
    const std::int64_t deepest = packs ? depth_per_block : depth_where_it_lies;
    for (std::int64_t k = 0; k < shape_.depth; k += deepest) {
      const std::int64_t depth = lesser(deepest, shape_.depth - k);
      if (packs) {
        multiply_packed(k, depth);
      } else {
        multiply_where_it_lies(k, depth);
      }
    }
  }

  void multiply_packed(std::int64_t k, std::int64_t depth) {
    for (std::int64_t first = 0; first < shape_.columns; first += columns_per_block) {
      const std::int64_t columns = lesser(columns_per_block, shape_.columns - first);
      pack_b(k, depth, first, columns);
      for (std::int64_t row = 0; row < shape_.rows; row += rows_per_block) {
        const Block block{row, lesser(rows_per_block, shape_.rows - row), k, depth};
        pack_a(block);
        for (std::int64_t column = 0; column < columns; column += panel) {
          const std::int64_t left = lesser(panel, columns - column);
          const std::int64_t row_bytes = (left > lanes ? panel : lanes) * width;
          multiply_panel(block,
                         {packed_b_ + column * depth * width, row_bytes, first + column, left});
        }
      }
    }
  }

  void multiply_where_it_lies(std::int64_t k, std::int64_t depth) {
    const Block block{0, shape_.rows, k, depth};
    pack_a(block);
    const std::int64_t whole = shape_.columns - shape_.columns % panel;
    for (std::int64_t column = 0; column < whole; column += panel) {
      multiply_panel(block, {b_at(k, column), task_.b.row_step * width, column, panel});
    }
    const std::int64_t left = shape_.columns - whole;
    if (left == 0) return;
    pack_b(k, depth, whole, left);
    multiply_panel(block, {packed_b_, padded(left) * width, whole, left});
  }

  /// All tiles of a panel. One at C's edge is filled by way of a full one.
  void multiply_panel(const Block& block, const Panel& at) const {
    const bool is_whole = at.columns == panel || at.columns == lanes;
    const std::int64_t vectors = at.columns > lanes ? 2 : 1;
    const Element* a = reinterpret_cast<const Element*>(packed_a_);
    for (std::int64_t row = 0; row < block.rows; row += tile_rows) {
      const std::int64_t rows = lesser(tile_rows, block.rows - row);
      std::byte* c = task_.c + ((block.row + row) * task_.c_step + at.column) * width;
      TileTask<Element> tile{block.depth,  a, at.b, at.b_step, c, task_.c_step * width,
                             begins(block)};
      if (is_whole) {
        run_tile(rows, vectors, tile);
      } else {
        std::byte edge[tile_rows * panel * width];
        tile.c = edge;
        tile.c_step = panel * width;
        const std::size_t row_bytes = bytes(at.columns);
        if (!tile.begins) copy_rows(rows, row_bytes, c, task_.c_step * width, edge, tile.c_step);
        run_tile(rows, vectors, tile);
        copy_rows(rows, row_bytes, edge, tile.c_step, c, task_.c_step * width);
      }
      a += rows * block.depth;
    }
  }

  static void copy_rows(std::int64_t rows, std::size_t row_bytes, const std::byte* from,
                        std::int64_t from_step, std::byte* to, std::int64_t to_step) {
    for (std::int64_t row = 0; row < rows; ++row) {
      __builtin_memcpy(to + row * to_step, from + row * from_step, row_bytes);
    }
  }

  bool begins(const Block& block) const { return task_.begins && block.first_k == 0; }

  const std::byte* b_at(std::int64_t k, std::int64_t column) const {
    return task_.b.elements + (k * task_.b.row_step + column) * task_.b.element_bytes;
  }

  /// A piece of a row in storage: where it lies, or widened into the staging buffer.
  const std::byte* in_storage(const Operand& operand, std::int64_t row, std::int64_t column,
                              std::int64_t count) const {
    const std::byte* piece =
        operand.elements + (row * operand.row_step + column) * operand.element_bytes;
    if (operand.widen == nullptr) return piece;
    operand.widen(piece, staging_, count);
    return staging_;
  }

  void pack_a(const Block& block) const {
    std::byte* packed = packed_a_;
    for (std::int64_t row = 0; row < block.rows; row += tile_rows) {
      const std::int64_t rows = lesser(tile_rows, block.rows - row);
      for (std::int64_t at = 0; at < rows; ++at) {
        const std::byte* piece =
            in_storage(task_.a, block.row + row + at, block.first_k, block.depth);
        std::byte* to = packed + at * width;
        for (std::int64_t k = 0; k < block.depth; ++k) {
          __builtin_memcpy(to + k * rows * width, piece + k * width, width);
        }
      }
      packed += rows * block.depth * width;
    }
  }

  void pack_b(std::int64_t first_k, std::int64_t depth, std::int64_t column,
              std::int64_t columns) const {
    const std::int64_t whole = columns - columns % panel;
    const std::int64_t left = columns - whole;
    for (std::int64_t k = 0; k < depth; ++k) {
      const std::byte* piece = in_storage(task_.b, first_k + k, column, columns);
      for (std::int64_t at = 0; at < whole; at += panel) {
        __builtin_memcpy(packed_b_ + (at * depth + k * panel) * width, piece + at * width,
                         panel * width);
      }
      if (left == 0) continue;
      std::byte* last = packed_b_ + (whole * depth + k * padded(left)) * width;
      __builtin_memcpy(last, piece + whole * width, bytes(left));
      __builtin_memset(last + left * width, 0, bytes(padded(left) - left));
    }
  }

  using Run = void (*)(const TileTask<Element>&);

  static void run_tile(std::int64_t rows, std::int64_t vectors, const TileTask<Element>& tile) {
    tiles(std::make_index_sequence<tile_rows>{}).of[rows - 1][vectors - 1](tile);
  }

  struct Tiles {
    Run of[tile_rows][2];
  };

  template <std::size_t... Fewer>
  static const Tiles& tiles(std::index_sequence<Fewer...> /*rows less one*/) {
    using One = std::make_index_sequence<1>;
    using Two = std::make_index_sequence<2>;
    static constexpr Tiles all{
        {{RegisterTile<Step, std::make_index_sequence<Fewer + 1>, One>::run,
          RegisterTile<Step, std::make_index_sequence<Fewer + 1>, Two>::run}...}};
    return all;
  }

  static constexpr std::int64_t lesser(std::int64_t one, std::int64_t other) {
    return one < other ? one : other;
  }
  static constexpr std::int64_t padded(std::int64_t columns) {
    return (columns + lanes - 1) / lanes * lanes;
  }
  static constexpr std::size_t bytes(std::int64_t elements) {
    return static_cast<std::size_t>(elements * width);
  }

  const Task& task_;
  ProductShape shape_;
  std::byte* packed_b_ = nullptr;
  std::byte* packed_a_ = nullptr;
  std::byte* staging_ = nullptr;
};

template <typename Step>
constexpr OrderedProduct ordered_product() {
  return {BlockedProduct<Step>::run, BlockedProduct<Step>::scratch_bytes};
}

}  // namespace shardcheck::impl
