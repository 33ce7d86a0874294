#include <memory>

#include "fault_tables.h"
#include "last_case.h"

namespace shardcheck {

namespace {

Mistake another_result_the_second_time() {
  return [last = std::make_shared<LastCase>()](const Request& request, Backend& inner) {
    return last->run(request, inner);
  };
}

}  // namespace

std::vector<PlantedFault> determinism_faults() {
  return {
      {"second_run_differs", "the same case on another schedule gives other bits",
       "class G: no wait between reduce-scatter and all-gather", Invariant::determinism,
       planted_anew(&another_result_the_second_time)},
  };
}

}  // namespace shardcheck
