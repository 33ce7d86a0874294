#pragma once

/// Planted mistakes in collectives alone: as fault.h for products.

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck {

struct CollectiveFault {
  std::string_view name;  ///< snake_case
  std::string_view meaning;
  std::string_view origin;  ///< the public report or the class of mistakes it stands for
  Invariant caught_by = Invariant::value;
  /// A backend with the fault. `known_cases` that show it are in the tests.
  std::function<std::unique_ptr<Backend>()> make;
};

/// Every fault, in a fixed order.
const std::vector<CollectiveFault>& collective_faults();

}  // namespace shardcheck
