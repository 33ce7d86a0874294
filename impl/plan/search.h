#pragma once

/// `plan=auto`: the cheapest legal plan by total bytes sent.
///
/// A* search over the states that steps lead to, with the lower bound of plan_bound.h. Ties by the
/// rule of docs/plans.md: fewest steps on A or B, then fewest steps, then fewest exchanges, then
/// the printed text. The text needs no place in the queue: every cheapest way is kept, and of the
/// steps that lie on one the smallest is taken at each state, for a step's end sorts before every
/// character that could follow.

#include <cstdint>
#include <optional>

#include "steps.h"

namespace shardcheck::impl {

/// States that a search may see; meshes of three axes need some thousands.
inline constexpr std::size_t plan_states_max = 200'000;

/// Nothing if no plan is legal or the search would see too many states.
std::optional<Plan> cheapest_plan(Situation& situation);

}  // namespace shardcheck::impl
