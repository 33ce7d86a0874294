// Compiled with -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma.

#include <immintrin.h>

#include "kernels_on.h"

namespace shardcheck::impl {
namespace {

struct Avx512 {
  static constexpr int vector_bytes = 64;
  /// 24 of the 32 registers hold sums, or 16 where rounding takes some.
  static constexpr int rows_per_tile = 12;
  static constexpr int rows_per_narrow_tile = 8;

  [[gnu::always_inline]] static __m512 fuse(__m512 a, __m512 b, __m512 sum) {
    return _mm512_fmadd_ps(a, b, sum);
  }
  [[gnu::always_inline]] static __m512d fuse(__m512d a, __m512d b, __m512d sum) {
    return _mm512_fmadd_pd(a, b, sum);
  }
  [[gnu::always_inline]] static __m512 round_to_f16(__m512 values) {
    constexpr int to_nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    // All lanes are asked for: the forms without a mask start from an undefined register, which g++
    // 12 warns of.
    constexpr __mmask16 all = 0xffff;
    return _mm512_maskz_cvtph_ps(all, _mm512_maskz_cvtps_ph(all, values, to_nearest));
  }
};

constexpr Kernels kernels = kernels_on<Avx512>();

}  // namespace

const Kernels& avx512_kernels() { return kernels; }

}  // namespace shardcheck::impl
