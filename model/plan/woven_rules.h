#pragma once

/// What docs/plans.md, "Woven steps", says of schedules beyond the steps that they stand for, on
/// compact states: what else is required, and how many bytes all ranks together send.

#include <cstdint>
#include <optional>
#include <string>

#include <shardcheck/model/case/plan.h>

#include "steps.h"

namespace shardcheck::model {

/// The first thing that a schedule requires and the state lacks, whether or not the steps that it
/// stands for could be taken. Requires: a schedule, a state before `local`.
std::optional<Refusal> missing_for(const PlanSpace& space, const Ownership& state,
                                   const Step& step);

/// What is missing, for a person. Requires: a refusal of missing_for().
std::string describe_missing(Refusal refusal, const ProductCase& subject, const Step& step);

/// Bytes sent by all ranks. Requires: a schedule, after == take(space, before, step).
std::int64_t bytes_of_schedule(const PlanSpace& space, const Ownership& before,
                               const Ownership& after, const Step& step);

}  // namespace shardcheck::model
