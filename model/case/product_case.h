#pragma once

/// A case: everything that is asked of a sharded product, and nothing that is answered.
///
/// One case is one line of text (text.h; docs/case-format.md). Every default is filled in when a
/// line is parsed, so that nobody who reads a Case needs to know the defaults.
///
///     matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 data=given A=1,2,3,4
///     B=5,6,7,8

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithm.h"
#include "layout.h"
#include "plan.h"
#include "setting.h"

namespace shardcheck {

/// Local product: the plain loop, or the optimised one. Both promise the same bits.
enum class Kernel : std::uint8_t { ordered, fast };
/// Whether a local product fuses multiply and add: it doesn't, it does, or it may.
enum class Fma : std::uint8_t { no, yes, any };

struct KernelInfo {
  Kernel kernel = Kernel::ordered;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<KernelInfo, 2> kernels{{
    {Kernel::ordered, "ordered", "the plain loop"},
    {Kernel::fast, "fast", "the optimised one"},
}};

constexpr std::string_view name(Kernel kernel) {
  return kernels[static_cast<std::size_t>(kernel)].name;
}

struct FmaInfo {
  Fma fma = Fma::no;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<FmaInfo, 3> fmas{{
    {Fma::no, "no", "product rounded, then sum rounded"},
    {Fma::yes, "yes", "product and sum rounded once"},
    {Fma::any, "any", "either, as the backend likes"},
}};

constexpr std::string_view name(Fma fma) { return fmas[static_cast<std::size_t>(fma)].name; }

struct ProductCase : Setting {
  std::int64_t i = 0;  ///< rows of A and C
  std::int64_t j = 0;  ///< columns of B and C
  std::int64_t k = 0;  ///< columns of A, rows of B
  Layout a;            ///< where A starts
  Layout b;            ///< where B starts
  Layout c;            ///< where the consumer wants C
  /// By Collective: the algorithm used wherever the plan uses that collective.
  std::array<Algorithm, plan_collective_count> algorithms{};
  std::optional<Plan> plan;  ///< nothing: `auto`
  Kernel kernel = Kernel::fast;
  Fma fma = Fma::no;

  bool operator==(const ProductCase&) const = default;
};

inline std::int64_t extent(const ProductCase& subject, Axis axis) {
  switch (axis) {
    case Axis::i: return subject.i;
    case Axis::j: return subject.j;
    case Axis::k: return subject.k;
  }
  return 0;
}

inline const Layout& layout(const ProductCase& subject, Tensor tensor) {
  switch (tensor) {
    case Tensor::a: return subject.a;
    case Tensor::b: return subject.b;
    case Tensor::c: return subject.c;
  }
  return subject.c;
}

/// The cut of one axis of one tensor. Requires: the tensor has that axis.
inline const Cut& cut_of(const Layout& layout, Tensor tensor, Axis axis) {
  return axes_of(tensor)[0] == axis ? layout.rows : layout.columns;
}

inline Algorithm algorithm_of(const ProductCase& subject, Collective collective) {
  return subject.algorithms[static_cast<std::size_t>(collective)];
}

}  // namespace shardcheck
