#pragma once

/// Where in a plan the local product stands, and which ranks' products belong together.

#include <cstddef>
#include <cstdint>

#include <shardcheck/model/plan_rules.h>

namespace shardcheck {

/// The operands as they are multiplied.
const model::PlanState& before_local(const model::ResolvedPlan& plan);

/// C as it is born: partial over the mesh axes that cut k.
const model::TensorState& after_local(const model::ResolvedPlan& plan);

/// The first rank of the set of ranks that differ from `rank` on `axes` alone.
std::int64_t first_of_group(const Mesh& mesh, std::int64_t rank, const std::vector<int>& axes);

}  // namespace shardcheck
