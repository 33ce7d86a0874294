#pragma once

/// The mistakes that collectives alone can have.

#include <vector>

#include <shardcheck/properties/faults/planted.h>

namespace shardcheck {

/// Another function stands in the table of algorithms.
std::vector<PlantedFault> algorithm_faults();
/// In what a rank sends and receives.
std::vector<PlantedFault> endpoint_faults();
/// In what is asked of a correct backend: wrong values.
std::vector<PlantedFault> calls_value_faults();
/// In what is asked of a correct backend, or done and told after it: owners, memory, ledger.
std::vector<PlantedFault> calls_harness_faults();

}  // namespace shardcheck
