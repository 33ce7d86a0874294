#pragma once

/// Operands in the order in which register tiles read them.
///
/// A *line* is a row of A or a column of B: what is multiplied, k after k, by every line of the
/// other operand. Lines are packed in strips of `width` lines, k slowest inside a strip; the last
/// strip has as many as are left, padded with zeros to a multiple of `multiple`. Elements that
/// travel narrower are widened on the way.
///
///     A = [1 2 3; 4 5 6; 7 8 9], strips of two lines:  1 4 2 5 3 6 | 7 8 9
///
/// The rules of register_tile.h hold here too.

#include <cstddef>
#include <cstdint>

#include "kernel.h"

namespace shardcheck::impl {

template <typename Element, int bytes>
struct VectorOf {
  typedef Element Type __attribute__((vector_size(bytes)));
};

/// Step: as for a register tile; its Element is packed.
template <typename Step>
class Packing {
 public:
  using Element = typename Step::Element;
  static constexpr std::int64_t element_bytes = sizeof(Element);
  /// Lines that are packed together where k lies along rows: a square is turned in registers.
  static constexpr std::int64_t square = 16 / element_bytes;
  static constexpr std::int64_t rows_ahead = 4;

  static constexpr std::int64_t padded(std::int64_t count, std::int64_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
  }

  /// The lines are rows of `operand`. `staging`: room for `square` of them, or all if fewer.
  template <std::int64_t width, std::int64_t multiple>
  static void rows(const Operand& operand, std::int64_t first_line, std::int64_t lines,
                   std::int64_t first_k, std::int64_t depth, std::byte* packed,
                   std::byte* staging) {
    for (std::int64_t strip = 0; strip < lines; strip += width) {
      const std::int64_t left = lines - strip < width ? lines - strip : width;
      const std::int64_t stride = padded(left, multiple);
      for (std::int64_t line = 0; line < left; line += square) {
        const std::int64_t together = left - line < square ? left - line : square;
        const std::byte* pieces[square];
        for (std::int64_t at = 0; at < together; ++at) {
          pieces[at] = in_storage(operand, first_line + strip + line + at, first_k, depth,
                                  staging + at * depth * element_bytes);
        }
        turn(together, pieces, depth, packed + line * element_bytes, stride * element_bytes,
             width * operand.row_step * operand.element_bytes);
      }
      pad(left, stride, depth, packed);
      packed += stride * depth * element_bytes;
    }
  }

  /// The lines are columns of `operand`. `staging`: room for an element of each.
  template <std::int64_t width, std::int64_t multiple>
  static void columns(const Operand& operand, std::int64_t first_line, std::int64_t lines,
                      std::int64_t first_k, std::int64_t depth, std::byte* packed,
                      std::byte* staging) {
    const std::int64_t whole = lines - lines % width;
    const std::int64_t left = lines - whole;
    const std::int64_t stride = padded(left, multiple);
    for (std::int64_t k = 0; k < depth; ++k) {
      const std::byte* piece = in_storage(operand, first_k + k, first_line, lines, staging);
      for (std::int64_t line = 0; line < whole; line += width) {
        prefetch(piece + line * element_bytes, rows_ahead * operand.row_step * element_bytes);
        __builtin_memcpy(packed + (line * depth + k * width) * element_bytes,
                         piece + line * element_bytes, width * element_bytes);
      }
      if (left > 0) {
        __builtin_memcpy(packed + (whole * depth + k * stride) * element_bytes,
                         piece + whole * element_bytes,
                         static_cast<std::size_t>(left * element_bytes));
      }
    }
    if (left > 0) pad(left, stride, depth, packed + whole * depth * element_bytes);
  }

 private:
  using Square = typename VectorOf<Element, 16>::Type;

  /// A piece of a row in storage: where it lies, or widened into `staging`.
  static const std::byte* in_storage(const Operand& operand, std::int64_t row, std::int64_t column,
                                     std::int64_t count, std::byte* staging) {
    const std::byte* piece =
        operand.elements + (row * operand.row_step + column) * operand.element_bytes;
    if (operand.widen == nullptr) return piece;
    operand.widen(piece, staging, count);
    return staging;
  }

  static void pad(std::int64_t lines, std::int64_t stride, std::int64_t depth, std::byte* packed) {
    if (lines == stride) return;
    for (std::int64_t k = 0; k < depth; ++k) {
      __builtin_memset(packed + (k * stride + lines) * element_bytes, 0,
                       static_cast<std::size_t>((stride - lines) * element_bytes));
    }
  }

  /// Rows lie far apart, where a machine doesn't look ahead by itself. There may be nothing.
  static void prefetch(const std::byte* from, std::int64_t bytes_ahead) {
    const auto place = reinterpret_cast<std::uintptr_t>(from);
    __builtin_prefetch(
        reinterpret_cast<const void*>(place + static_cast<std::uintptr_t>(bytes_ahead)));
  }

  static void turn(std::int64_t lines, const std::byte* const* pieces, std::int64_t depth,
                   std::byte* to, std::int64_t step, std::int64_t ahead) {
    switch (lines) {
      case 1: return turn_lines<1>(pieces, depth, to, step, ahead);
      case 2: return turn_lines<2>(pieces, depth, to, step, ahead);
      case 3: return turn_lines<3>(pieces, depth, to, step, ahead);
      default: return turn_lines<4>(pieces, depth, to, step, ahead);
    }
  }

  /// `step`: bytes from one k to the next.
  template <std::int64_t lines>
  static void turn_lines(const std::byte* const* pieces, std::int64_t depth, std::byte* to,
                         std::int64_t step, std::int64_t ahead) {
    const std::byte* from[square];
    for (std::int64_t at = 0; at < square; ++at) from[at] = pieces[at < lines ? at : 0];
    std::int64_t k = 0;
    if constexpr (lines > 1 && lines <= square) {
      for (; k + square <= depth; k += square) {
        prefetch(from[k / square % square] + k * element_bytes, ahead);
        Square turned[square];
        for (std::int64_t at = 0; at < square; ++at) {
          __builtin_memcpy(&turned[at], from[at] + k * element_bytes, 16);
        }
        transpose(turned);
        for (std::int64_t at = 0; at < square; ++at) {
          __builtin_memcpy(to + (k + at) * step, &turned[at], lines * element_bytes);
        }
      }
    }
    for (; k < depth; ++k) {
      for (std::int64_t at = 0; at < lines && at < square; ++at) {
        __builtin_memcpy(to + k * step + at * element_bytes, from[at] + k * element_bytes,
                         element_bytes);
      }
    }
  }

  static void transpose(Square* rows) {
    if constexpr (square == 4) {
      const Square low01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
      const Square high01 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
      const Square low23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
      const Square high23 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
      rows[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
      rows[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
      rows[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
      rows[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
    } else {
      const Square first = __builtin_shufflevector(rows[0], rows[1], 0, 2);
      rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 3);
      rows[0] = first;
    }
  }
};

}  // namespace shardcheck::impl
