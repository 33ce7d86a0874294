#pragma once

/// The smaller cases that shrinking tries of what every kind has. Each appends its candidates to
/// the list, the boldest first; a candidate may turn out not to be smaller, and is dropped then.

#include <vector>

#include <shardcheck/model/case/case.h>

namespace shardcheck {

/// Mesh axes named x, y, z.
void reduce_names(const Case& subject, std::vector<Case>& candidates);

/// Towards f32.
void reduce_dtypes(const Case& subject, std::vector<Case>& candidates);

/// The declared order; schedules towards 0.
void reduce_promise_and_run(const Case& subject, std::vector<Case>& candidates);

/// Data of a regime becomes `given` or gets a smaller seed; given values become small integers.
void reduce_data(const Case& subject, std::vector<Case>& candidates);

/// Changes the dtypes, given values included. False if one of those doesn't exist in the new `in`.
bool set_dtypes(Setting& setting, const DtypeCombination& combination);

}  // namespace shardcheck
