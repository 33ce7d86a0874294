#pragma once

/// Could a case's data have shown a fault? Otherwise a pass says nothing. Each kind of case asks it
/// in its own way.

#include <cstdint>
#include <string>

namespace shardcheck::model {

struct Vacuity {
  bool is_trivial = false;  ///< nothing is contracted, or nothing is returned
  std::int64_t asked = 0;   ///< alterations tried
  std::int64_t blind = 0;   ///< alterations that no output would have shown
  std::string first_blind;  ///< the first of them: "would pass even if k = 3 were missing"
  bool gates = true;        ///< the regime promises to show everything: blind > 0 is vacuous
};

}  // namespace shardcheck::model
