#pragma once

/// The families of smaller calls that shrinking tries, each appended to the list, the boldest
/// first. Candidates are rough: settle() makes whole what hangs together.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/properties/generate/measure.h>

namespace shardcheck {

/// One mesh axis with few ranks; each axis with fewer.
void reduce_mesh(const CallsCase& subject, std::vector<CallsCase>& candidates);

/// Fewer calls; fewer elements, plainer and more even cuts, fewer counts and destinations.
void reduce_sizes(const CallsCase& subject, std::vector<CallsCase>& candidates);

/// Root, operator, algorithms and placement towards the defaults.
void reduce_choices(const CallsCase& subject, std::vector<CallsCase>& candidates);

/// All of one dtype, or sums in f32 or as now.
std::vector<DtypeCombination> plainer_call_dtypes(const DtypeCombination& now);

/// Of all inputs.
std::int64_t value_count(const CallsCase& subject);

/// The case with the values that its regime makes written out. Requires: not many values.
CallsCase with_values_given(const CallsCase& subject);

/// What no call asks for goes, and every input has its values. False if the rest isn't a valid
/// case.
bool settle(CallsCase& candidate);

/// False of what a backend must refuse; it says nothing else.
bool is_served(const CallsCase& subject);

OwnMeasure measure_own(const CallsCase& subject);

}  // namespace shardcheck
