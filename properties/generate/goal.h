#pragma once

/// One reach goal, as the table of its kind states it.

#include <cstdint>
#include <string_view>
#include <vector>

namespace shardcheck {

using Keys = std::vector<std::string_view>;

/// A count that a run must reach. With `value`, the cases (for grades, the elements) that had it;
/// without, the different values that were seen in the dimension.
struct Goal {
  std::string_view name;
  std::string_view meaning;
  std::string_view dimension;
  std::string_view value;
  std::int64_t required = 1;
  std::int64_t cases_min = 1000;  ///< of that goal's kind of case
  Keys ruled_out_by;              ///< restrictions that can make it unreachable
};

}  // namespace shardcheck
