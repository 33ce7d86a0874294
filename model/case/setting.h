#pragma once

/// What every case has, whatever its work: where it runs, in which dtypes, what is promised about
/// the order of its sums, where its values come from, and how its ranks are scheduled.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dtype.h"
#include "element.h"
#include "mesh.h"

namespace shardcheck {

/// Where the input values come from (inputs.h).
struct Data {
  enum class Regime : std::uint8_t { ints, rounding, probe, wide, cancel, special, given };

  Regime regime = Regime::ints;
  std::uint64_t seed = 0;  ///< not used by `given`
  /// `given` only, else empty. Of a product: A and B, row-major. Of calls: by rank, its input.
  std::vector<std::vector<Bits>> given;

  bool operator==(const Data&) const = default;
};

struct RegimeInfo {
  Data::Regime regime = Data::Regime::ints;
  std::string_view name;
  std::string_view form;  ///< as in a case line
  std::string_view meaning;
  /// It is made so that a contribution dropped, doubled or mispaired changes some result.
  bool shows_every_fault = false;
};

/// In the order of the enumerators.
inline constexpr std::array<RegimeInfo, 7> regimes{{
    {Data::Regime::ints, "ints", "ints:SEED", "small integers; every sum is exact in every order",
     true},
    {Data::Regime::rounding, "rounding", "rounding:SEED",
     "full-width values; nearly every sum rounds", true},
    {Data::Regime::probe, "probe", "probe:SEED",
     "digits that spell out who contributed, and how often", true},
    {Data::Regime::wide, "wide", "wide:SEED",
     "exponents over the whole range, subnormals included"},
    {Data::Regime::cancel, "cancel", "cancel:SEED",
     "large terms that cancel exactly among tiny ones"},
    {Data::Regime::special, "special", "special:SEED",
     "NaN, infinities, both zeros, extremes among small integers"},
    {Data::Regime::given, "given", "given", "the values of A= and B=, or X="},
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

struct RunInfo {
  Run::Kind kind = Run::Kind::fibers;
  std::string_view name;
  std::string_view form;  ///< as in a case line
  std::string_view meaning;
  bool is_drawn = true;  ///< by the generator: a trace comes from a run
};

/// In the order of the enumerators.
inline constexpr std::array<RunInfo, 4> run_kinds{{
    {Run::Kind::fibers, "fibers", "fibers:SEED", "one OS thread, a scheduler that draws from SEED"},
    {Run::Kind::pct, "pct", "pct:DEPTH:SEED",
     "one OS thread, priorities with DEPTH change points drawn from SEED"},
    {Run::Kind::trace, "trace", "trace:0,1,0", "one OS thread, the recorded choices", false},
    {Run::Kind::threads, "threads", "threads", "an OS thread a rank"},
}};

constexpr std::string_view name(Run::Kind kind) {
  return run_kinds[static_cast<std::size_t>(kind)].name;
}

constexpr std::string_view name(Data::Regime regime) {
  return regimes[static_cast<std::size_t>(regime)].name;
}

/// What is promised about the order of additions across ranks.
enum class Order : std::uint8_t { declared, any };

struct OrderInfo {
  Order order = Order::declared;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<OrderInfo, 2> orders{{
    {Order::declared, "declared", "the algorithm's documented tree"},
    {Order::any, "any", "whatever order"},
}};

constexpr std::string_view name(Order order) {
  return orders[static_cast<std::size_t>(order)].name;
}

struct Setting {
  Mesh mesh;
  DtypeCombination dtypes;
  Order order = Order::declared;
  Data data;
  Run run;

  bool operator==(const Setting&) const = default;
};

}  // namespace shardcheck
