#pragma once

/// What a run has tried of calls, and what it must have tried.

#include <string_view>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/properties/generate/goal.h>
#include <shardcheck/properties/generate/goals.h>

namespace shardcheck {

/// Before the names of their dimensions, where products have a dimension of that name.
inline constexpr std::string_view calls_prefix = "alone: ";
/// The dimension of the cells of cells.h.
inline constexpr std::string_view reach_table = "reach table";

void count_own(Tally& tally, const CallsCase& subject);

std::vector<Goal> calls_goals();

}  // namespace shardcheck
