#pragma once

/// The mistakes that every kind of case can have, a table an invariant that must see them.

#include <vector>

#include "planted.h"

namespace shardcheck {

std::vector<PlantedFault> liveness_faults();
std::vector<PlantedFault> memory_faults();
std::vector<PlantedFault> ownership_faults();
std::vector<PlantedFault> ledger_faults();
std::vector<PlantedFault> value_faults();
std::vector<PlantedFault> determinism_faults();

}  // namespace shardcheck
