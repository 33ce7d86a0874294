#include "local_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <shardcheck/model/case/contract.h>

#include "convert.h"
#include "register_tile.h"

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

template <typename T>
void multiply(Kernel kernel, const ProductShape& shape, const Operands<T>& operands,
              std::byte* scratch) {
  switch (kernel) {
    case Kernel::ordered: return plain_loop(shape, operands, Unfused{});
    case Kernel::fast:
      return tiled_product<T>(shape, operands.row_steps, operands.a, operands.b, operands.c,
                              reinterpret_cast<T*>(scratch));
  }
}

}  // namespace

std::int64_t scratch_bytes(Kernel kernel, Fma fma, Dtype acc, const ProductShape& shape) {
  const bool is_plain = kernel == Kernel::ordered || acc == Dtype::f16 || acc == Dtype::bf16 ||
                        (fma == Fma::yes && info(acc).is_float);
  return is_plain ? 0 : packed_elements(shape) * bytes_of(storage_of(acc));
}

void local_product(Kernel kernel, Fma fma, Dtype acc, const ProductShape& shape, const std::byte* a,
                   const std::byte* b, std::byte* c, std::byte* scratch) {
  // All bits 0 is +0 in every storage.
  std::fill_n(c, shape.rows * shape.columns * bytes_of(storage_of(acc)), std::byte{0});
  continue_product(kernel, fma, acc, shape, {shape.depth, shape.columns, shape.columns}, a, b, c,
                   scratch);
}

void continue_product(Kernel kernel, Fma fma, Dtype acc, const ProductShape& shape,
                      const RowSteps& row_steps, const std::byte* a, const std::byte* b,
                      std::byte* c, std::byte* scratch) {
  const auto operands = [&]<typename T>(T) {
    return Operands<T>{reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b),
                       reinterpret_cast<T*>(c), row_steps};
  };
  const bool is_fused = fma == Fma::yes;
  switch (storage_of(acc)) {
    case Storage::f32:
      if (acc == Dtype::f16) {
        return is_fused ? plain_loop(shape, operands(0.0F), NarrowFused<round_to_f16>{})
                        : plain_loop(shape, operands(0.0F), NarrowUnfused<round_to_f16>{});
      }
      if (acc == Dtype::bf16) {
        return is_fused ? plain_loop(shape, operands(0.0F), NarrowFused<round_to_bf16>{})
                        : plain_loop(shape, operands(0.0F), NarrowUnfused<round_to_bf16>{});
      }
      return is_fused ? plain_loop(shape, operands(0.0F), Fused{})
                      : multiply(kernel, shape, operands(0.0F), scratch);
    case Storage::f64:
      return is_fused ? plain_loop(shape, operands(0.0), Fused{})
                      : multiply(kernel, shape, operands(0.0), scratch);
    case Storage::u32: return multiply(kernel, shape, operands(std::uint32_t{0}), scratch);
    case Storage::u64: return multiply(kernel, shape, operands(std::uint64_t{0}), scratch);
  }
}

}  // namespace shardcheck::impl
