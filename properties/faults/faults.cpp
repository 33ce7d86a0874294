#include "fault.h"

#include <iterator>
#include <utility>

#include "planted.h"

namespace shardcheck {

const std::vector<Fault>& faults() {
  static const std::vector<Fault> table = [] {
    std::vector<Fault> all;
    for (auto* part :
         {&liveness_faults, &memory_faults, &plan_faults, &coverage_faults, &ownership_faults,
          &ledger_faults, &value_faults, &determinism_faults, &schedule_faults}) {
      std::vector<Fault> some = part();
      std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
  }();
  return table;
}

}  // namespace shardcheck
