#include "local_product.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <shardcheck/model/case/contract.h>

#include <shardcheck/impl/kernels/isa.h>
#include <shardcheck/impl/numbers/convert.h>

#ifdef __FAST_MATH__
#error "-ffast-math changes what a sum means"
#endif

namespace shardcheck::impl {
namespace {

template <typename T>
struct Operands {
  const T* a;
  const T* b;
  T* c;
  RowSteps row_steps;
};

/// One step of a sum: what is added, and how often it is rounded.
struct Unfused {
  template <typename T>
  T operator()(T sum, T a, T b) const {
    return sum + a * b;
  }
};

struct Fused {
  template <typename T>
  T operator()(T sum, T a, T b) const {
    return std::fma(a, b, sum);
  }
};

/// A float holds every product of two f16 or bf16 numbers exactly, except for those of bf16 below
/// 2^-134, which round to zero either way; and a sum that is rounded to 24 bits first rounds to 8
/// or 11 as it would have at once, for 24 >= 2·11 + 2.
template <float (*round)(float)>
struct NarrowUnfused {
  float operator()(float sum, float a, float b) const { return round(sum + round(a * b)); }
};

/// The exact product and the sum are added in double, rounded to odd: what was cut off shows in the
/// last place, so that the second rounding, to a format less than half as wide, sees on which side
/// of a tie the exact sum lies.
template <float (*round_once)(double)>
struct NarrowFused {
  float operator()(float sum, float a, float b) const {
    const double product = static_cast<double>(a) * static_cast<double>(b);
    const double addend = sum;
    const double rounded = product + addend;
    const double addend_seen = rounded - product;
    const double cut_off = (product - (rounded - addend_seen)) + (addend - addend_seen);
    auto bits = std::bit_cast<std::int64_t>(rounded);
    if (std::isfinite(rounded) && cut_off != 0 && (bits & 1) == 0) {
      // Towards the exact sum: away from zero if what was cut off has the sum's sign.
      bits += (cut_off > 0) == (rounded > 0) ? 1 : -1;
    }
    return round_once(std::bit_cast<double>(bits));
  }
};

template <typename T, typename Step>
void plain_loop(const ProductShape& shape, const Operands<T>& operands, Step step) {
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const T* a = operands.a + row * operands.row_steps.a;
    T* c = operands.c + row * operands.row_steps.c;
    for (std::int64_t column = 0; column < shape.columns; ++column) {
      const T* b = operands.b + column;
      T sum = c[column];
      for (std::int64_t k = 0; k < shape.depth; ++k) {
        sum = step(sum, a[k], b[k * operands.row_steps.b]);
      }
      c[column] = sum;
    }
  }
}

/// A or B as the plain loop reads it: where it lies, or widened into `room`, dense.
template <typename T>
const T* in_storage(const Multiplication& how, std::int64_t rows, std::int64_t columns,
                    const std::byte* elements, std::int64_t& row_step, std::byte*& room) {
  const Storage storage = storage_of(how.acc);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(elements) % sizeof(T) == 0;
  if (is_stored_as_is(how.in, storage) && is_aligned) return reinterpret_cast<const T*>(elements);
  std::byte* dense = room;
  for (std::int64_t row = 0; row < rows; ++row) {
    widen(how.in, elements + row * row_step * info(how.in).bytes, storage, room, columns);
    room += columns * static_cast<std::int64_t>(sizeof(T));
  }
  row_step = columns;
  return reinterpret_cast<const T*>(dense);
}

void multiply_plainly(const Multiplication& how, const ProductShape& shape, RowSteps row_steps,
                      const std::byte* a, const std::byte* b, std::byte* c, std::byte* scratch) {
  const auto loop = [&]<typename T, typename Step>(T, Step step) {
    const T* a_stored = in_storage<T>(how, shape.rows, shape.depth, a, row_steps.a, scratch);
    const T* b_stored = in_storage<T>(how, shape.depth, shape.columns, b, row_steps.b, scratch);
    plain_loop(shape, Operands<T>{a_stored, b_stored, reinterpret_cast<T*>(c), row_steps}, step);
  };
  const bool is_fused = how.fma == Fma::yes;
  switch (storage_of(how.acc)) {
    case Storage::f32:
      if (how.acc == Dtype::f16) {
        return is_fused ? loop(0.0F, NarrowFused<round_to_f16>{})
                        : loop(0.0F, NarrowUnfused<round_to_f16>{});
      }
      if (how.acc == Dtype::bf16) {
        return is_fused ? loop(0.0F, NarrowFused<round_to_bf16>{})
                        : loop(0.0F, NarrowUnfused<round_to_bf16>{});
      }
      return is_fused ? loop(0.0F, Fused{}) : loop(0.0F, Unfused{});
    case Storage::f64: return is_fused ? loop(0.0, Fused{}) : loop(0.0, Unfused{});
    case Storage::u32: return loop(std::uint32_t{0}, Unfused{});
    case Storage::u64: return loop(std::uint64_t{0}, Unfused{});
  }
}

}  // namespace

OrderedProduct kernel_for(const Kernels& kernels, const Multiplication& how) {
  const bool is_fused = how.fma == Fma::yes;
  switch (storage_of(how.acc)) {
    case Storage::f32:
      if (how.acc == Dtype::f16) return is_fused ? kernels.f16_fused : kernels.f16;
      if (how.acc == Dtype::bf16) return is_fused ? kernels.bf16_fused : kernels.bf16;
      return is_fused ? kernels.f32_fused : kernels.f32;
    case Storage::f64: return is_fused ? kernels.f64_fused : kernels.f64;
    case Storage::u32: return kernels.u32;
    case Storage::u64: break;
  }
  return kernels.u64;
}

Task task_of(const Multiplication& how, const ProductShape& shape, const RowSteps& row_steps,
             const std::byte* a, const std::byte* b, std::byte* c, Sums sums, std::byte* scratch) {
  const Widen widen = widening(how.in, storage_of(how.acc));
  const std::int64_t width = info(how.in).bytes;
  return {shape,
          {a, row_steps.a, width, widen},
          {b, row_steps.b, width, widen},
          c,
          row_steps.c,
          sums == Sums::begin,
          scratch};
}

std::int64_t scratch_bytes(const Multiplication& how, const ProductShape& shape) {
  switch (how.kernel) {
    case Kernel::ordered:
      return (shape.rows + shape.columns) * shape.depth * bytes_of(storage_of(how.acc));
    case Kernel::fast: break;
  }
  return kernel_for(kernels_of(chosen_isa()), how).scratch_bytes(shape);
}

void local_product(const Multiplication& how, const ProductShape& shape, const RowSteps& row_steps,
                   const std::byte* a, const std::byte* b, std::byte* c, Sums sums,
                   std::byte* scratch) {
  switch (how.kernel) {
    case Kernel::ordered:
      if (sums == Sums::begin) {
        const std::int64_t width = bytes_of(storage_of(how.acc));
        for (std::int64_t row = 0; row < shape.rows; ++row) {
          // All bits 0 is +0 in every storage.
          std::fill_n(c + row * row_steps.c * width, shape.columns * width, std::byte{0});
        }
      }
      return multiply_plainly(how, shape, row_steps, a, b, c, scratch);
    case Kernel::fast:
      kernel_for(kernels_of(chosen_isa()), how)
          .run(task_of(how, shape, row_steps, a, b, c, sums, scratch));
  }
}

}  // namespace shardcheck::impl
