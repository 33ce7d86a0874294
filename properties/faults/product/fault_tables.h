#pragma once

/// The mistakes that products alone can have.

#include <vector>

#include <shardcheck/properties/faults/planted.h>

namespace shardcheck {

std::vector<PlantedFault> plan_faults();
std::vector<PlantedFault> coverage_faults();
std::vector<PlantedFault> product_ownership_faults();
std::vector<PlantedFault> product_value_faults();
/// Mistakes in steps that weave a product into its moves.
std::vector<PlantedFault> woven_faults();
/// Backends that do one thing and tell another.
std::vector<PlantedFault> liars();
/// See process_faults().
std::vector<PlantedFault> product_process_faults();

}  // namespace shardcheck
