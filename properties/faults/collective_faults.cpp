#include "collective_fault.h"

#include <iterator>
#include <utility>

#include "collective_planted.h"

namespace shardcheck {

const std::vector<CollectiveFault>& collective_faults() {
  static const std::vector<CollectiveFault> table = [] {
    std::vector<CollectiveFault> all;
    for (auto* part :
         {&collective_algorithm_faults, &collective_endpoint_faults, &collective_harness_faults}) {
      std::vector<CollectiveFault> some = part();
      std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
  }();
  return table;
}

}  // namespace shardcheck
