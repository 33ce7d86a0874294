#pragma once

/// Bytes that every rank must send, in closed form (docs/plans.md, "Bytes" and "Schedules"):
/// nothing is simulated; Cannon's are summed up shift by shift.
///
/// Sources: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
/// MPICH" (2005) for the algorithms; the uneven forms follow from each algorithm's definition.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/case/product_case.h>

#include "rules.h"

namespace shardcheck::model {

/// Ascending by (phase, source, destination), entries of 0 bytes left out, `messages` left at 0.
std::vector<Transfer> ledger(const ProductCase& subject, const ResolvedPlan& plan);

/// Bytes sent by each rank in all phases.
std::vector<std::int64_t> bytes_sent(const ProductCase& subject,
                                     const std::vector<Transfer>& transfers);

/// The memory-independent lower bound on what the busiest rank communicates, in elements, for an
/// m×k by k×n product over `ranks`. Source: Al Daas, Ballard, Grigori, Kumar, Rouse, SPAA 2022.
double lower_bound_elements(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t ranks);

}  // namespace shardcheck::model
