#include <memory>

#include "last_case.h"
#include "planted.h"

namespace shardcheck {

std::vector<Fault> determinism_faults() {
  return {
      {"second_run_differs", "the same case on another schedule gives other bits",
       "class G: no wait between reduce-scatter and all-gather", Invariant::determinism,
       [] {
         auto last = std::make_shared<LastCase<ProductCase>>();
         return planted([last](const Request& request, Backend& inner) {
           return last->run(request, inner,
                            [&](std::size_t rank) { return request.ranks[rank].output; });
         })();
       }},
  };
}

}  // namespace shardcheck
