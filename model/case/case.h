#pragma once

/// A case: everything that is asked of a sharded product, and nothing that is answered.
///
/// One case is one line of text (text.h; docs/case-format.md). Every default is filled in when a
/// line is parsed, so that nobody who reads a Case needs to know the defaults.
///
///     matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 data=given A=1,2,3,4
///     B=5,6,7,8

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithm.h"
#include "dtype.h"
#include "element.h"
#include "layout.h"
#include "mesh.h"
#include "plan.h"

namespace shardcheck {

/// Where the input values come from (inputs.h).
struct Data {
  enum class Regime : std::uint8_t { ints, rounding, probe, wide, cancel, special, given };

  Regime regime = Regime::ints;
  std::uint64_t seed = 0;  ///< not used by `given`
  std::vector<Bits> a;     ///< `given` only: i·k elements, row-major
  std::vector<Bits> b;     ///< `given` only: k·j elements, row-major

  bool operator==(const Data&) const = default;
};

struct RegimeInfo {
  Data::Regime regime = Data::Regime::ints;
  std::string_view name;
  std::string_view meaning;
  /// It is made so that a contribution dropped, doubled or mispaired changes some result.
  bool shows_every_fault = false;
};

/// In the order of the enumerators.
inline constexpr std::array<RegimeInfo, 7> regimes{{
    {Data::Regime::ints, "ints", "small integers; every sum is exact in every order", true},
    {Data::Regime::rounding, "rounding", "full-width values; nearly every sum rounds", true},
    {Data::Regime::probe, "probe", "digits that spell out who contributed, and how often", true},
    {Data::Regime::wide, "wide", "exponents over the whole range, subnormals included"},
    {Data::Regime::cancel, "cancel", "large terms that cancel exactly among tiny ones"},
    {Data::Regime::special, "special",
     "NaN, infinities, both zeros, extremes among small integers"},
    {Data::Regime::given, "given", "the values of A= and B=, or X="},
}};

constexpr bool shows_every_fault(Data::Regime regime) {
  return regimes[static_cast<std::size_t>(regime)].shows_every_fault;
}

/// How the ranks are scheduled.
struct Run {
  enum class Kind : std::uint8_t {
    fibers,  ///< one OS thread, a scheduler that draws from `seed`
    pct,     ///< one OS thread, priorities with `depth` change points drawn from `seed`
    trace,   ///< one OS thread, the recorded choices
    threads  ///< an OS thread a rank
  };

  Kind kind = Kind::fibers;
  std::uint64_t seed = 0;
  std::int64_t depth = 0;
  std::vector<std::int64_t> trace;

  bool operator==(const Run&) const = default;
};

/// What is promised about the order of additions across ranks.
enum class Order : std::uint8_t { declared, any };
/// Local product: the plain loop, or the optimised one. Both promise the same bits.
enum class Kernel : std::uint8_t { ordered, fast };
/// Whether a local product fuses multiply and add: it doesn't, it does, or it may.
enum class Fma : std::uint8_t { no, yes, any };

struct Case {
  Mesh mesh;
  std::int64_t i = 0;  ///< rows of A and C
  std::int64_t j = 0;  ///< columns of B and C
  std::int64_t k = 0;  ///< columns of A, rows of B
  Layout a;            ///< where A starts
  Layout b;            ///< where B starts
  Layout c;            ///< where the consumer wants C
  DtypeCombination dtypes;
  /// By Collective: the algorithm used wherever the plan uses that collective.
  std::array<Algorithm, plan_collective_count> algorithms{};
  std::optional<Plan> plan;  ///< nothing: `auto`
  Order order = Order::declared;
  Kernel kernel = Kernel::fast;
  Fma fma = Fma::no;
  Data data;
  Run run;

  bool operator==(const Case&) const = default;
};

inline std::int64_t extent(const Case& subject, Axis axis) {
  switch (axis) {
    case Axis::i: return subject.i;
    case Axis::j: return subject.j;
    case Axis::k: return subject.k;
  }
  return 0;
}

inline const Layout& layout(const Case& subject, Tensor tensor) {
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

inline Algorithm algorithm_of(const Case& subject, Collective collective) {
  return subject.algorithms[static_cast<std::size_t>(collective)];
}

}  // namespace shardcheck
