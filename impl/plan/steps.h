#pragma once

/// What a step of a plan does to who holds what, when it may be taken, and what it sends.
///
///     after(situation, state, {.kind = Step::Kind::gather, .tensor = Tensor::a, .mesh_axis = 0})
///
/// Source: docs/plans.md, "Steps" and "Bytes". One thread.

#include <string_view>

#include <tl/expected.hpp>

#include <shardcheck/model/case/product_case.h>

#include "lists_pool.h"

namespace shardcheck::impl {

struct TensorState {
  ListsId rows = 0;
  ListsId columns = 0;

  bool operator==(const TensorState&) const = default;
};

/// Between two steps. A and B no longer matter once they are multiplied, nor C before.
struct PlanState {
  TensorState a;
  TensorState b;
  TensorState c;
  bool is_multiplied = false;
  MeshAxes partial_over = 0;  ///< mesh axes over which C is an unfinished sum

  bool operator==(const PlanState&) const = default;
};

/// A Step with its lists of mesh axes as sets, so that a search can make thousands of them.
struct CompactStep {
  Step::Kind kind = Step::Kind::local;
  Tensor tensor = Tensor::c;
  int mesh_axis = -1;
  bool has_brackets = false;
  MeshAxes rows_over = 0;
  MeshAxes columns_over = 0;
  int column_axis = -1;
};

CompactStep compact(const Step& step);
Step expanded(const CompactStep& step);

/// A case as the steps see it.
struct Situation {
  explicit Situation(const ProductCase& asked);

  const ProductCase& subject;
  ListsPool pool;
  PlanState start;
  TensorState consumer;
  MeshAxes consumer_partial = 0;
};

inline TensorState& tensor_of(PlanState& state, Tensor tensor) {
  return tensor == Tensor::a ? state.a : tensor == Tensor::b ? state.b : state.c;
}
inline const TensorState& tensor_of(const PlanState& state, Tensor tensor) {
  return tensor == Tensor::a ? state.a : tensor == Tensor::b ? state.b : state.c;
}

inline MeshAxes cut_over(const Situation& situation, const TensorState& tensor) {
  return situation.pool.over(tensor.rows) | situation.pool.over(tensor.columns);
}

/// True if C's elements are sums that nothing will be added to: they are in dtype out.
inline bool is_finished(const Situation& situation, const PlanState& state) {
  return state.is_multiplied && (state.partial_over & ~situation.consumer_partial) == 0;
}

/// True if C is what the consumer asks for.
bool is_goal(const Situation& situation, const PlanState& state);

/// The state after `step`, or why it may not be taken.
tl::expected<PlanState, std::string_view> after(Situation& situation, const PlanState& state,
                                                const CompactStep& step);

/// Payload bytes that all ranks together send in a step that leads from one state to the other.
std::int64_t bytes_sent(const Situation& situation, const CompactStep& step, const PlanState& from,
                        const PlanState& to);

}  // namespace shardcheck::impl
