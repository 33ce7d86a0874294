#pragma once

/// What the targets that judge a case have in common: how thoroughly they do.

#include <string_view>

#include <shardcheck/properties/check.h>

namespace shardcheck::fuzz {

/// One line in four is run again under another schedule, another one in four compared with a
/// related case, a third run in i64 too if its products aren't told: to do all always would cost
/// two thirds of the executions.
CheckOptions options_for(std::string_view line);

}  // namespace shardcheck::fuzz
