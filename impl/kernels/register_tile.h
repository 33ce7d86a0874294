#pragma once

/// A tile of sums that stays in registers while k runs: what all else is arranged for.
///
/// A step of k reads one short row of B, a few vectors wide, and one element of each of the tile's
/// rows of A. Every sum sees the same operations in the same order as in the plain loop.
///
/// Only files that are compiled for one instruction set include this, and instantiate it with types
/// of their own that no other file sees. So no function compiled for a better machine can take the
/// place of another file's; for the same reason no inline function of the standard library is
/// called here.

#include <cstddef>
#include <cstdint>
#include <utility>

namespace shardcheck::impl {

template <typename Element>
struct TileTask {
  std::int64_t depth = 0;
  const Element* a = nullptr;    ///< packed: the elements of one k after those of the last
  const std::byte* b = nullptr;  ///< the first row
  std::int64_t b_step = 0;       ///< bytes to the next
  std::byte* c = nullptr;
  std::int64_t c_step = 0;  ///< bytes
  bool begins = true;       ///< sums begin at +0
};

/// Step: how a product is added; see steps.h. A tile has `Row...` rows of `Vector...` vectors.
template <typename Step, typename Rows, typename Vectors>
struct RegisterTile;

template <typename Step, std::size_t... Row, std::size_t... Vector>
struct RegisterTile<Step, std::index_sequence<Row...>, std::index_sequence<Vector...>> {
  using Element = typename Step::Element;
  using Lanes = typename Step::Lanes;
  static constexpr std::size_t rows = sizeof...(Row);
  static constexpr std::size_t vectors = sizeof...(Vector);
  static constexpr std::size_t vector_bytes = Step::lanes * sizeof(Element);

  static void run(const TileTask<Element>& task) {
    Lanes sums[rows][vectors] = {};
    if (!task.begins) (load_row(sums[Row], row_of(task, Row)), ...);
    const Element* a = task.a;
    const std::byte* b = task.b;
    for (std::int64_t k = 0; k < task.depth; ++k) {
      const Lanes b_row[vectors] = {Step::load(b + Vector * vector_bytes)...};
      (add_row(sums[Row], a[Row], b_row), ...);
      a += rows;
      b += task.b_step;
    }
    (store_row(sums[Row], row_of(task, Row)), ...);
  }

 private:
  static std::byte* row_of(const TileTask<Element>& task, std::size_t row) {
    return task.c + static_cast<std::int64_t>(row) * task.c_step;
  }

  [[gnu::always_inline]] static void load_row(Lanes* sums, const std::byte* c) {
    ((sums[Vector] = Step::load(c + Vector * vector_bytes)), ...);
  }

  [[gnu::always_inline]] static void store_row(const Lanes* sums, std::byte* c) {
    (Step::store(sums[Vector], c + Vector * vector_bytes), ...);
  }

  [[gnu::always_inline]] static void add_row(Lanes* sums, Element a, const Lanes* b_row) {
    const Lanes a_everywhere = Step::splat(a);
    ((sums[Vector] = Step::add(sums[Vector], a_everywhere, b_row[Vector])), ...);
  }
};

}  // namespace shardcheck::impl
