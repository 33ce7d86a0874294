#include "fault.h"

#include <algorithm>
#include <iterator>

#include "calls/fault_tables.h"
#include "fault_tables.h"
#include "product/fault_tables.h"

namespace shardcheck {

namespace {

using TableOfFaults = std::vector<PlantedFault> (*)();

std::vector<Fault> collected(std::initializer_list<TableOfFaults> parts) {
  std::vector<Fault> all;
  for (const TableOfFaults part : parts) {
    std::ranges::transform(part(), std::back_inserter(all), [](const PlantedFault& row) {
      return Fault{row.name,      row.meaning,        row.origin,
                   row.caught_by, row.planting.kinds, row.planting.make};
    });
  }
  return all;
}

}  // namespace

const std::vector<Fault>& faults() {
  static const std::vector<Fault> table =
      collected({&liveness_faults, &memory_faults, &plan_faults, &coverage_faults,
                 &ownership_faults, &product_ownership_faults, &ledger_faults, &value_faults,
                 &product_value_faults, &determinism_faults, &woven_faults, &liars,
                 &algorithm_faults, &endpoint_faults, &calls_value_faults, &calls_harness_faults});
  return table;
}

const std::vector<Fault>& process_faults() {
  static const std::vector<Fault> table = collected({&product_process_faults});
  return table;
}

bool affects(const Fault& fault, Kind kind) {
  return std::ranges::find(fault.kinds, kind) != fault.kinds.end();
}

}  // namespace shardcheck
