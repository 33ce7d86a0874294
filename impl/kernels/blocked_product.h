#pragma once

/// C = A · B in blocks that the caches hold, over register tiles.
///
/// k is taken in blocks: for each, a block of B's columns is packed, then blocks of A's rows, and
/// every tile goes through that piece of k. A tile starts from the sums so far, which changes no
/// bit, for they lie in memory as they lie in registers. Where one tile is as high as A, B is read
/// where it lies, for packing would cost as much as multiplying. Where C is narrower than half a
/// vector the operands change places, for a · b is b · a, and a vector then holds a column of C.
/// Sources: Goto, van de Geijn, Anatomy of High-Performance Matrix Multiplication (2008); Van Zee,
/// van de Geijn, BLIS (2015).

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel.h"
#include "packing.h"
#include "register_tile.h"

namespace shardcheck::impl {

template <typename Step>
class BlockedProduct {
 public:
  static std::int64_t scratch_bytes(const ProductShape& shape) {
    if (shape.rows == 0 || shape.depth == 0 || shape.columns == 0) return 0;
    return Scratch(across_tiles(shape)).bytes;
  }

  static void run(const Task& task) {
    if (task.shape.rows == 0 || task.shape.columns == 0) return;
    if (task.shape.depth == 0 && task.begins) {
      for (std::int64_t row = 0; row < task.shape.rows; ++row) {
        // All bits 0 is +0 in every storage.
        __builtin_memset(task.c + row * task.c_step * width, 0, bytes(task.shape.columns));
      }
    }
    BlockedProduct(task).run();
  }

 private:
  using Element = typename Step::Element;
  using Pack = Packing<Step>;

  static constexpr std::int64_t width = sizeof(Element);
  static constexpr std::int64_t lanes = Step::lanes;
  static constexpr std::int64_t panel = 2 * lanes;
  static constexpr std::int64_t tile_rows = Step::rows_per_tile;
  /// A panel stays in the first cache, a block of rows in the second, one of columns in the third;
  /// in the second too if the rows are a single block.
  static constexpr std::int64_t depth_per_block = 32768 / (panel * width);
  static constexpr std::int64_t rows_per_block = 96 / tile_rows * tile_rows;
  static constexpr std::int64_t columns_per_block = 512;
  static constexpr std::int64_t columns_beside_one_block = 128;
  /// Rows of B that are read where they lie at a time: as many as a cache that is entered by the
  /// low bits of an address holds if they begin at the same ones.
  static constexpr std::int64_t depth_where_it_lies = 8;

  static bool is_swapped(const ProductShape& shape) {
    return 2 * shape.columns <= lanes && shape.rows > shape.columns;
  }

  /// Rows and columns as tiles see them.
  static ProductShape across_tiles(const ProductShape& shape) {
    if (!is_swapped(shape)) return shape;
    return {shape.columns, shape.depth, shape.rows};
  }

  /// What lies where in a task's scratch. `shape`: across tiles.
  struct Scratch {
    explicit Scratch(const ProductShape& shape) {
      const std::int64_t depth = lesser(shape.depth, depth_per_block);
      const std::int64_t columns = lesser(shape.columns, columns_per_block);
      const std::int64_t turned = lesser(Pack::square, greater(shape.rows, shape.columns)) * depth;
      rows = Pack::padded(columns, lanes) * depth * width;
      staging = rows + lesser(shape.rows, rows_per_block) * depth * width;
      bytes = staging + greater(turned, columns) * width;
    }

    std::int64_t rows = 0;  ///< after the packed columns
    std::int64_t staging = 0;
    std::int64_t bytes = 0;
  };

  /// Columns at work, and where their k lie.
  struct Panel {
    const std::byte* b = nullptr;
    std::int64_t b_step = 0;  ///< bytes from one k to the next
    std::int64_t column = 0;
    std::int64_t columns = 0;
  };

  /// Rows and k at work, packed.
  struct Block {
    std::int64_t row = 0;
    std::int64_t rows = 0;
    std::int64_t first_k = 0;
    std::int64_t depth = 0;
  };

  explicit BlockedProduct(const Task& task)
      : task_(task),
        is_swapped_(is_swapped(task.shape)),
        shape_(across_tiles(task.shape)),
        scratch_(shape_) {}

  void run() {
    const bool packs = is_swapped_ || shape_.rows > tile_rows || task_.b.widen != nullptr;
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
    const bool is_one_block = shape_.rows <= rows_per_block;
    const std::int64_t widest = is_one_block ? columns_beside_one_block : columns_per_block;
    for (std::int64_t first = 0; first < shape_.columns; first += widest) {
      const std::int64_t columns = lesser(widest, shape_.columns - first);
      pack_columns(k, depth, first, columns);
      for (std::int64_t row = 0; row < shape_.rows; row += rows_per_block) {
        const Block block{row, lesser(rows_per_block, shape_.rows - row), k, depth};
        if (first == 0 || !is_one_block) pack_rows(block);
        for (std::int64_t column = 0; column < columns; column += panel) {
          const std::int64_t left = lesser(panel, columns - column);
          multiply_panel(block, {task_.scratch + column * depth * width,
                                 Pack::padded(left, lanes) * width, first + column, left});
        }
      }
    }
  }

  void multiply_where_it_lies(std::int64_t k, std::int64_t depth) {
    const Block block{0, shape_.rows, k, depth};
    pack_rows(block);
    const std::int64_t whole = shape_.columns - shape_.columns % panel;
    for (std::int64_t column = 0; column < whole; column += panel) {
      multiply_panel(block, {task_.b.elements + (k * task_.b.row_step + column) * width,
                             task_.b.row_step * width, column, panel});
    }
    const std::int64_t left = shape_.columns - whole;
    if (left == 0) return;
    pack_columns(k, depth, whole, left);
    multiply_panel(block, {task_.scratch, Pack::padded(left, lanes) * width, whole, left});
  }

  void pack_rows(const Block& block) const {
    const auto pack =
        is_swapped_ ? Pack::template columns<tile_rows, 1> : Pack::template rows<tile_rows, 1>;
    pack(is_swapped_ ? task_.b : task_.a, block.row, block.rows, block.first_k, block.depth,
         task_.scratch + scratch_.rows, task_.scratch + scratch_.staging);
  }

  void pack_columns(std::int64_t k, std::int64_t depth, std::int64_t first,
                    std::int64_t columns) const {
    const auto pack =
        is_swapped_ ? Pack::template rows<panel, lanes> : Pack::template columns<panel, lanes>;
    pack(is_swapped_ ? task_.a : task_.b, first, columns, k, depth, task_.scratch,
         task_.scratch + scratch_.staging);
  }

  /// All tiles of a panel. One at C's edge is filled by way of a full one.
  void multiply_panel(const Block& block, const Panel& at) const {
    const bool is_whole = !is_swapped_ && (at.columns == panel || at.columns == lanes);
    const std::int64_t vectors = at.columns > lanes ? 2 : 1;
    const auto* rows = reinterpret_cast<const Element*>(task_.scratch + scratch_.rows);
    for (std::int64_t row = 0; row < block.rows; row += tile_rows) {
      const std::int64_t count = lesser(tile_rows, block.rows - row);
      TileTask<Element> tile{
          block.depth, rows, at.b, at.b_step, nullptr, 0, task_.begins && block.first_k == 0};
      if (is_whole) {
        tile.c = task_.c + ((block.row + row) * task_.c_step + at.column) * width;
        tile.c_step = task_.c_step * width;
        // The next tile's sums are on their way while this one is at work.
        for (std::int64_t ahead = tile_rows; ahead < 2 * tile_rows; ++ahead) {
          if (row + ahead < block.rows) __builtin_prefetch(tile.c + ahead * tile.c_step);
        }
        run_tile(count, vectors, tile);
      } else {
        std::byte edge[tile_rows * panel * width];
        tile.c = edge;
        tile.c_step = panel * width;
        const Edge window{block.row + row, count, at.column, at.columns};
        if (!tile.begins) copy_edge<true>(window, edge);
        run_tile(count, vectors, tile);
        copy_edge<false>(window, edge);
      }
      rows += count * block.depth;
    }
  }

  /// The part of C under a tile that isn't whole, or lies on its side.
  struct Edge {
    std::int64_t row = 0;
    std::int64_t rows = 0;
    std::int64_t column = 0;
    std::int64_t columns = 0;
  };

  template <bool into_edge>
  void copy_edge(const Edge& at, std::byte* edge) const {
    const auto copy = [](std::byte* c, std::byte* in_edge, std::size_t count) {
      __builtin_memcpy(into_edge ? in_edge : c, into_edge ? c : in_edge, count);
    };
    for (std::int64_t row = 0; row < at.rows; ++row) {
      std::byte* edge_row = edge + row * panel * width;
      if (!is_swapped_) {
        copy(task_.c + ((at.row + row) * task_.c_step + at.column) * width, edge_row,
             bytes(at.columns));
        continue;
      }
      for (std::int64_t column = 0; column < at.columns; ++column) {
        copy(task_.c + ((at.column + column) * task_.c_step + at.row + row) * width,
             edge_row + column * width, sizeof(Element));
      }
    }
  }

  using Run = void (*)(const TileTask<Element>&);

  struct Tiles {
    Run of[tile_rows][2];
  };

  static void run_tile(std::int64_t rows, std::int64_t vectors, const TileTask<Element>& tile) {
    tiles(std::make_index_sequence<tile_rows>{}).of[rows - 1][vectors - 1](tile);
  }

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
  static constexpr std::int64_t greater(std::int64_t one, std::int64_t other) {
    return one > other ? one : other;
  }
  static constexpr std::size_t bytes(std::int64_t elements) {
    return static_cast<std::size_t>(elements * width);
  }

  const Task& task_;
  bool is_swapped_;
  ProductShape shape_;
  Scratch scratch_;
};

template <typename Step>
constexpr OrderedProduct ordered_product() {
  return {BlockedProduct<Step>::run, BlockedProduct<Step>::scratch_bytes};
}

}  // namespace shardcheck::impl
