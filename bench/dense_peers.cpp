#include "dense_peers.h"

#include <Eigen/Core>
#ifdef SHARDCHECK_BENCH_OPENBLAS
#include <cblas.h>
#endif

namespace shardcheck::bench {
namespace {

using impl::ProductShape;

template <typename Real>
void multiply_with_eigen(const ProductShape& shape, const Real* a, const Real* b, Real* c) {
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Matrix>(c, shape.rows, shape.columns).noalias() =
      Eigen::Map<const Matrix>(a, shape.rows, shape.depth) *
      Eigen::Map<const Matrix>(b, shape.depth, shape.columns);
}

#ifdef SHARDCHECK_BENCH_OPENBLAS
template <typename Real, typename Gemm>
void multiply_with(Gemm gemm, const ProductShape& shape, const Real* a, const Real* b, Real* c) {
  const auto rows = static_cast<blasint>(shape.rows);
  const auto depth = static_cast<blasint>(shape.depth);
  const auto columns = static_cast<blasint>(shape.columns);
  gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, Real{1}, a, depth, b,
       columns, Real{0}, c, columns);
}

void multiply_with_openblas(const ProductShape& shape, const float* a, const float* b, float* c) {
  multiply_with(cblas_sgemm, shape, a, b, c);
}
void multiply_with_openblas(const ProductShape& shape, const double* a, const double* b,
                            double* c) {
  multiply_with(cblas_dgemm, shape, a, b, c);
}
#endif

}  // namespace

template <typename Real>
std::vector<DensePeer<Real>> dense_peers(int threads) {
  std::vector<DensePeer<Real>> peers;
#ifdef SHARDCHECK_BENCH_OPENBLAS
  openblas_set_num_threads(threads);
  peers.push_back({"OpenBLAS", multiply_with_openblas});
#endif
  if (threads == 1) peers.push_back({"Eigen", multiply_with_eigen<Real>});
  return peers;
}

template std::vector<DensePeer<float>> dense_peers(int threads);
template std::vector<DensePeer<double>> dense_peers(int threads);

}  // namespace shardcheck::bench
