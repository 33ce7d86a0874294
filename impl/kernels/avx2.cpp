// Compiled with -mavx2 -mfma -mf16c.

#include <immintrin.h>

#include "kernels_on.h"

namespace shardcheck::impl {
namespace {

struct Avx2 {
  static constexpr int vector_bytes = 32;
  /// Twelve of the sixteen registers hold sums, or eight where rounding takes some.
  static constexpr int rows_per_tile = 6;
  static constexpr int rows_per_narrow_tile = 4;

  [[gnu::always_inline]] static __m256 fuse(__m256 a, __m256 b, __m256 sum) {
    return _mm256_fmadd_ps(a, b, sum);
  }
  [[gnu::always_inline]] static __m256d fuse(__m256d a, __m256d b, __m256d sum) {
    return _mm256_fmadd_pd(a, b, sum);
  }
  [[gnu::always_inline]] static __m256 round_to_f16(__m256 values) {
    constexpr int to_nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    return _mm256_cvtph_ps(_mm256_cvtps_ph(values, to_nearest));
  }
};

constexpr Kernels kernels = kernels_on<Avx2>();

}  // namespace

const Kernels& avx2_kernels() { return kernels; }

}  // namespace shardcheck::impl
