#pragma once

/// What each step of a plan does to ownership, whether it may be taken, and which plan `auto` is.
/// The definition is docs/plans.md, "Steps"; this follows it word by word.

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck::model {

/// One tensor at one point of a plan.
struct TensorState {
  std::vector<Shard> shards;      ///< by rank
  std::vector<int> rows_over;     ///< mesh axes that cut the rows, ascending
  std::vector<int> columns_over;  ///< mesh axes that cut the columns, ascending
  std::vector<int> partial_over;  ///< C alone, ascending

  bool operator==(const TensorState&) const = default;
};

struct PlanState {
  TensorState a;
  TensorState b;
  std::optional<TensorState> c;  ///< from `local` on

  bool operator==(const PlanState&) const = default;
};

/// The local product of a plan, be it `local` or part of a schedule.
struct PlannedProduct {
  std::size_t step = 0;  ///< its place in the plan
  /// By rank, the k's in the order in which a schedule adds them; empty: in that of A's columns.
  std::vector<IndexList> order;
  /// Mesh axes on which that order depends, where it isn't that of the part of k alone. None of
  /// them cuts k; each cuts the rows or the columns of C as it is born.
  std::vector<int> order_over;
  std::optional<TensorState> born;  ///< C before the step itself reduces it
};

/// A legal plan with the ownership that it goes through: states[s] stands before steps[s],
/// states.back() at the end.
struct ResolvedPlan {
  Plan steps;
  std::vector<PlanState> states;
  PlannedProduct product;
};

/// A and B as they are multiplied, by who holds what.
const PlanState& multiplied(const ResolvedPlan& plan);

/// The k's of a rank's local sums, in the order in which they are added.
const IndexList& ks_added(const ResolvedPlan& plan, std::int64_t rank);

/// C before any reduction.
const TensorState& born(const ResolvedPlan& plan);

PlanState initial_state(const ProductCase& subject);

/// The state after `step`, or why the step may not be taken.
tl::expected<PlanState, std::string> apply(const ProductCase& subject, const PlanState& state,
                                           const Step& step);

/// The case's plan, or what `auto` means for it; or why there is none or it isn't legal.
tl::expected<ResolvedPlan, std::string> resolve(const ProductCase& subject);

}  // namespace shardcheck::model
