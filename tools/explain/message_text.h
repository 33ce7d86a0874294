#pragma once

/// The messages of a traced run in words, for products and for collectives alone.

#include <cstddef>
#include <string>

#include <shardcheck/model/case/observation.h>

#include "ownership_text.h"

namespace shardcheck::tools {

/// A line a message of the phase, in the order sent: "  rank 1 → rank 0: [14 16] as f32, 8 bytes".
/// Empty if nothing was sent.
std::string messages_text(const Observation& observation, std::size_t phase, const Detail& detail);

}  // namespace shardcheck::tools
