// For every x86-64: compiled without further instruction sets.

#include "kernels_on.h"

namespace shardcheck::impl {
namespace {

struct Sse2 {
  static constexpr int vector_bytes = 16;
  /// Twelve of the sixteen registers hold sums, or four where rounding takes most.
  static constexpr int rows_per_tile = 6;
  static constexpr int rows_per_narrow_tile = 2;

  using Floats = VectorOf<float, vector_bytes>::Type;
  using Doubles = VectorOf<double, vector_bytes>::Type;
  using Patterns = VectorOf<std::int32_t, vector_bytes>::Type;

  /// The C library's, which is right on every machine, and slow where there is no instruction.
  static Floats fuse(Floats a, Floats b, Floats sum) {
    for (int lane = 0; lane < 4; ++lane) sum[lane] = __builtin_fmaf(a[lane], b[lane], sum[lane]);
    return sum;
  }
  static Doubles fuse(Doubles a, Doubles b, Doubles sum) {
    for (int lane = 0; lane < 2; ++lane) sum[lane] = __builtin_fma(a[lane], b[lane], sum[lane]);
    return sum;
  }

  /// As RoundToBf16, thirteen places further down.
  static Floats round_to_f16(Floats values) {
    const auto bits = reinterpret_cast<Patterns>(values);
    const Patterns sign = bits & INT32_MIN;
    const auto magnitude = reinterpret_cast<Floats>(bits ^ sign);
    const auto normal =
        reinterpret_cast<Floats>(((bits ^ sign) + (((bits >> 13) & 1) + 0xfff)) & ~0x1fff);
    // In its subnormal range f16 counts in 2^-24, the last place of 0.75.
    constexpr float anchor = 0.75F;
    const Floats subnormal = (magnitude + anchor) - anchor;
    const Floats nearest = magnitude < 0x1p-14F ? subnormal : normal;
    // From 2^16 on it overflows, as a float does from 2^128 on; the scaling is exact else.
    const Floats bounded = (nearest * 0x1p112F) * 0x1p-112F;
    return reinterpret_cast<Floats>(reinterpret_cast<Patterns>(bounded) | sign);
  }
};

constexpr Kernels kernels = kernels_on<Sse2>();

}  // namespace

const Kernels& sse2_kernels() { return kernels; }

}  // namespace shardcheck::impl
