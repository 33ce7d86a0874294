#pragma once

/// What a run has tried of products, and what it must have tried.

#include <vector>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/properties/generate/goal.h>
#include <shardcheck/properties/generate/goals.h>
#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck {

void count_own(Tally& tally, const ProductCase& subject, const Verdict& verdict);

std::vector<Goal> product_goals();

}  // namespace shardcheck
