#pragma once

/// One rank's product of what it holds: C = A · B, k ascending, product rounded, then sum rounded.
///
/// `Kernel::ordered` is the plain loop. `Kernel::fast` keeps a tile of sums in registers while k
/// runs; each element still sees the same operations in the same order, so the bits are the same on
/// any instruction set. Narrow accumulators and fused products run the plain loop in both.
/// `Fma::any` doesn't fuse. A sum may be continued: k in pieces, one after the other, gives the
/// bits of all k at once. Source: docs/plans.md, "Values".

#include <cstddef>
#include <cstdint>

#include <shardcheck/model/case/product_case.h>

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

/// Temporary memory that a product needs.
std::int64_t scratch_bytes(Kernel kernel, Fma fma, Dtype acc, const ProductShape& shape);

/// A: rows×depth, B: depth×columns, C: rows×columns, row-major, in the storage of `acc`
/// (convert.h), aligned for it, C apart from the others. With depth 0 C is +0 throughout.
/// Requires: `scratch` is aligned for the storage and has scratch_bytes(...). Any thread.
void local_product(Kernel kernel, Fma fma, Dtype acc, const ProductShape& shape, const std::byte* a,
                   const std::byte* b, std::byte* c, std::byte* scratch);

/// C += A · B: the sums in C, of dtype acc in storage, are continued, k after k. Apart from that,
/// and from rows that lie row_steps apart, as local_product().
void continue_product(Kernel kernel, Fma fma, Dtype acc, const ProductShape& shape,
                      const RowSteps& row_steps, const std::byte* a, const std::byte* b,
                      std::byte* c, std::byte* scratch);

}  // namespace shardcheck::impl
