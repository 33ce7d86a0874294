#pragma once

/// Schedules as steps of a plan: each does what a few plain steps do in turn, and asks for a little
/// more, so that replicas of C add in the same order.
///
///     after_schedule(situation, state, {.kind = Step::Kind::summa, .mesh_axis = 0, .column_axis =
///     1})
///
/// Source: docs/plans.md, "Woven steps". One thread.

#include <shardcheck/impl/plan/steps.h>

namespace shardcheck::impl {

/// As after(). Requires: the step is a schedule.
tl::expected<PlanState, std::string_view> after_schedule(Situation& situation,
                                                         const PlanState& state,
                                                         const CompactStep& step);

/// As bytes_sent(); `from` is the state before the schedule. Requires: the step is a schedule.
std::int64_t schedule_bytes_sent(const Situation& situation, const CompactStep& step,
                                 const PlanState& from);

}  // namespace shardcheck::impl
