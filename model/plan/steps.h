#pragma once

/// The rules of docs/plans.md, "Steps", on compact states: what a step does, whether it may be
/// taken, how many bytes all ranks together send for it.
///
/// plan_rules.cpp (one plan, spelled out) and plan_search.cpp (all plans) both stand on this, so
/// that the rules are written once.

#include <array>
#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include <shardcheck/model/case/product_case.h>

#include "axis_ownership.h"

namespace shardcheck::model {

/// TensorState with ids in place of lists.
struct TensorOwnership {
  std::array<AxisId, 2> axes{no_axis, no_axis};  ///< rows, columns
  MeshAxes partial_over = 0;                     ///< C alone

  bool operator==(const TensorOwnership&) const = default;
};

/// PlanState with ids in place of lists. Before `local` C has no axes.
struct Ownership {
  TensorOwnership a;
  TensorOwnership b;
  TensorOwnership c;

  bool operator==(const Ownership&) const = default;
};

inline bool is_multiplied(const Ownership& state) { return state.c.axes[0] != no_axis; }

/// Why a step may not be taken.
enum class Refusal : std::uint8_t {
  before_local,
  after_local,
  not_cut,
  cut_already,
  is_partial,
  not_partial,
  no_axis_to_slice,
  no_reference,
  cuts_both_axes,
  exchange_of_c,
  partial_where_cut,
  k_cut_differently,
  k_sets_differ,
  outer_axes_share,
  // Of schedules alone:
  outer_axis_not_cut,
  one_axis_grid,
  k_not_over_grid,
  outer_axes_not_over_grid,
  grid_not_square,
  k_parts_differ
};

/// "C is not partial over x". Of a schedule: what it requires beyond the steps that it stands for.
std::string describe(Refusal refusal, const ProductCase& subject, const Step& step);

/// One thread. The case must outlive it.
struct PlanSpace {
  explicit PlanSpace(const ProductCase& asked);

  const ProductCase& subject;
  AxisStore axes;
  Ownership start;
  TensorOwnership consumer;  ///< what C must be at the end
};

tl::expected<Ownership, Refusal> take(PlanSpace& space, const Ownership& state, const Step& step);

/// A legal plan may end here: C's sets and its partial axes are the consumer's.
bool is_what_the_consumer_wants(PlanSpace& space, const Ownership& state);

/// Width in bytes of an element of C that travels once C is partial over `partial_over` at most:
/// wire while something is still to be reduced, else out.
std::int64_t width_of_c(const ProductCase& subject, MeshAxes partial_over, MeshAxes wanted_partial);

/// Bytes sent by all ranks. Requires: after == take(space, before, step).
std::int64_t bytes_of(PlanSpace& space, const Ownership& before, const Ownership& after,
                      const Step& step);

}  // namespace shardcheck::model
