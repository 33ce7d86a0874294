#pragma once

/// In which order a rank's local sum adds its products: docs/plans.md, "Woven steps", as index
/// lists.
///
///     // A[i,k/x] B[k,j/x], gather_local:A/x, K = 3 over three ranks: 1's own part first
///     k_order(mesh, step, before, 1)    // {1, 0, 2}

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/mesh.h>
#include <shardcheck/model/case/plan.h>
#include <shardcheck/model/plan/rules.h>

namespace shardcheck {

/// Requires: the step multiplies, and may be taken in this state.
std::vector<std::int64_t> k_order(const Mesh& mesh, const Step& step,
                                  const model::PlanState& before, std::int64_t rank);

}  // namespace shardcheck
