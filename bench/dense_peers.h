#pragma once

/// The dense product by libraries that CMake found, row-major, of floats or doubles.

#include <string>
#include <vector>

#include <shardcheck/impl/kernels/kernel.h>

namespace shardcheck::bench {

template <typename Real>
struct DensePeer {
  std::string name;
  /// C = A · B.
  void (*multiply)(const impl::ProductShape& shape, const Real* a, const Real* b,
                   Real* c) = nullptr;
};

/// Single-threaded where `threads` is 1; those that take no more than one thread are left out else.
template <typename Real>
std::vector<DensePeer<Real>> dense_peers(int threads);

}  // namespace shardcheck::bench
