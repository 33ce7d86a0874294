#pragma once

/// What the kinds count their own dimensions with.

#include <string>
#include <string_view>

#include "goals.h"

namespace shardcheck {

void add(Tally& tally, const std::string& dimension, std::string_view value);

}  // namespace shardcheck
