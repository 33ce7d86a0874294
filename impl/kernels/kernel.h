#pragma once

/// The fast local product as each instruction set has it: what it is asked, and the table of what
/// there is.
///
///     const Kernels& kernels = kernels_of(Isa::avx2);
///     kernels.f32_fused.run(task);
///
/// Every kernel gives each element of C one sum, k ascending, so that all instruction sets and the
/// plain loop give the same bits. Source: docs/plans.md, "Values".

#include <cstddef>
#include <cstdint>

namespace shardcheck::impl {

struct ProductShape {
  std::int64_t rows = 0;     ///< of A and C
  std::int64_t depth = 0;    ///< columns of A, rows of B
  std::int64_t columns = 0;  ///< of B and C
};

/// Elements from the start of a row to that of the next; no less than the row's length.
struct RowSteps {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
};

/// Elements as they travel become elements of the storage (convert.h), `count` of them.
using Widen = void (*)(const std::byte* source, std::byte* destination, std::int64_t count);

/// A or B, row-major, aligned or not.
struct Operand {
  const std::byte* elements = nullptr;
  std::int64_t row_step = 0;       ///< elements
  std::int64_t element_bytes = 0;  ///< of one element as it lies
  Widen widen = nullptr;           ///< nothing if the elements lie in storage already
};

struct Task {
  ProductShape shape;
  Operand a;
  Operand b;
  std::byte* c = nullptr;   ///< in storage, apart from A and B, aligned or not
  std::int64_t c_step = 0;  ///< elements from one row of C to the next
  bool begins = true;       ///< sums begin at +0; else those in C are continued
  std::byte* scratch = nullptr;
};

struct OrderedProduct {
  void (*run)(const Task& task) = nullptr;
  /// Aligned for the storage; for vectors, it is faster. At most twice as many elements as A has,
  /// and B with its columns rounded up to a multiple of 16.
  std::int64_t (*scratch_bytes)(const ProductShape& shape) = nullptr;
};

/// By accumulator. Narrow sums, f16 and bf16, are floats in storage.
struct Kernels {
  OrderedProduct f32;
  OrderedProduct f32_fused;
  OrderedProduct f64;
  OrderedProduct f64_fused;
  OrderedProduct f16;
  OrderedProduct f16_fused;
  OrderedProduct bf16;
  OrderedProduct bf16_fused;
  OrderedProduct u32;
  OrderedProduct u64;
};

/// Each in a file that is compiled for its instruction set. Only machines that have it may run it.
const Kernels& sse2_kernels();
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();

}  // namespace shardcheck::impl
