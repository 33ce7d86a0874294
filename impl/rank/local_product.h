#pragma once

/// One rank's product of what it holds: C = A · B, k ascending, product rounded, then sum rounded.
///
///     local_product({Kernel::fast, Fma::no, Dtype::bf16, Dtype::f32}, {2, 3, 4}, {3, 4, 4}, a, b,
///     c,
///                   Sums::begin, scratch);
///
/// `Kernel::ordered` is the plain loop. `Kernel::fast` keeps tiles of sums in the registers of the
/// machine's best instruction set (kernels/); each element still sees the same operations in the
/// same order, so the bits are the same on any of them. `Fma::any` doesn't fuse. A sum may be
/// continued: k in pieces, one after the other, gives the bits of all k at once.
/// Source: docs/plans.md, "Values".

#include <cstddef>
#include <cstdint>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/impl/kernels/isa.h>
#include <shardcheck/impl/kernels/kernel.h>

namespace shardcheck::impl {

/// How a product is computed.
struct Multiplication {
  Kernel kernel = Kernel::fast;
  Fma fma = Fma::no;
  Dtype in = Dtype::f32;   ///< elements of A and B
  Dtype acc = Dtype::f32;  ///< sums; every value of `in` is one of `acc`
};

enum class Sums : std::uint8_t {
  begin,  ///< C is overwritten
  go_on   ///< the sums in C are continued
};

/// Temporary memory that a product needs.
std::int64_t scratch_bytes(const Multiplication& how, const ProductShape& shape);

/// C = A · B, or C += A · B. A: rows×depth, B: depth×columns in dtype in, aligned or not. C:
/// rows×columns in the storage of `acc` (convert.h), aligned for it, apart from the others. All
/// row-major. With depth 0 sums that begin are +0.
/// Requires: `scratch` is aligned for the storage and has scratch_bytes(...). Any thread.
void local_product(const Multiplication& how, const ProductShape& shape, const RowSteps& row_steps,
                   const std::byte* a, const std::byte* b, std::byte* c, Sums sums,
                   std::byte* scratch);

/// For tests: the fast kernel of one instruction set, and what local_product() asks of it.
OrderedProduct kernel_for(const Kernels& kernels, const Multiplication& how);
Task task_of(const Multiplication& how, const ProductShape& shape, const RowSteps& row_steps,
             const std::byte* a, const std::byte* b, std::byte* c, Sums sums, std::byte* scratch);

}  // namespace shardcheck::impl
