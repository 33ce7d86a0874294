#pragma once

/// What a plan's local product, alone or woven into a schedule, multiplies and makes, and which
/// ranks' products belong together.

#include <cstdint>

#include <shardcheck/model/plan_rules.h>

namespace shardcheck {

/// A and B as they are multiplied, by who holds what: a schedule that gathers has gathered them.
const model::PlanState& operands_multiplied(const model::ResolvedPlan& plan);

/// C as it is born: partial over the mesh axes that cut k. In `local_scatter` it is so only in
/// between.
model::TensorState born(const model::ResolvedPlan& plan);

/// The first rank of the set of ranks that differ from `rank` on `axes` alone.
std::int64_t first_of_group(const Mesh& mesh, std::int64_t rank, const std::vector<int>& axes);

}  // namespace shardcheck
