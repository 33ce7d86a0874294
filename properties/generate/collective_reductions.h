#pragma once

/// The families of smaller cases of collectives that shrinking tries, each appended to the list,
/// the boldest first. Candidates are rough: collective_shrink.cpp settles what hangs together
/// (values for every input, no root where none is asked for) and drops those that aren't smaller.

#include <vector>

#include <shardcheck/model/case/calls_case.h>

namespace shardcheck {

/// One mesh axis with few ranks; each axis with fewer.
void reduce_collective_mesh(const CallsCase& subject, std::vector<CallsCase>& candidates);

/// Fewer calls; fewer elements, plainer and more even cuts, fewer counts and destinations.
void reduce_collective_sizes(const CallsCase& subject,
                             std::vector<CallsCase>& candidates);

/// Root, operator, dtypes, algorithms, placement, promise and schedule towards the defaults.
void reduce_collective_choices(const CallsCase& subject,
                               std::vector<CallsCase>& candidates);

/// Data of a regime becomes `given` or gets a smaller seed; given values become small integers.
void reduce_collective_data(const CallsCase& subject, std::vector<CallsCase>& candidates);

}  // namespace shardcheck
