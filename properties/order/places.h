#pragma once

/// The places of a backend's results at which its order is looked at: the same in every run.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <shardcheck/properties/judge/run_record.h>

#include "masks.h"
#include "order.h"

namespace shardcheck {

struct OrderPlace {
  std::int64_t rank = 0;
  std::int64_t position = 0;  ///< in the rank's output
  std::int64_t coordinate = 0;
};

/// Of the elements that a finished run returned, at most 4,096, evenly spread.
std::vector<OrderPlace> places_of(const RunRecord& run);

/// By place, the number of units there; -1 if it is none.
std::vector<std::int64_t> units_at(const std::vector<OrderPlace>& places, const RunRecord& run,
                                   const DtypeCombination& d, const Masks& masks);

/// Fills report.found. `sizes`: by place, over report.terms. `documented`: over all terms; nothing
/// where a result is none of them.
void hold_against(const std::vector<OrderPlace>& places,
                  const std::vector<std::vector<std::int64_t>>& sizes,
                  const std::function<std::optional<SummationTree>(const OrderPlace&)>& documented,
                  OrderReport& report);

}  // namespace shardcheck
