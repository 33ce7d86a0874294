#pragma once

/// Which one mistake would give exactly a wrong value that came, in words: what an earlier call
/// left there, a member left out or counted twice, a value of another place or group.

#include <string>
#include <vector>

#include <shardcheck/properties/judge/elements.h>
#include <shardcheck/properties/judge/swaps.h>

#include "evidence.h"

namespace shardcheck {

/// By mismatch: "rank 1 is missing in call 0, or the value of coordinate 4"; empty where nothing
/// suits, or too little is wrong to tell.
std::vector<std::string> suspects_by_mismatch(const CallsEvidence& evidence,
                                              const Elements& elements,
                                              const std::vector<Swap>& swaps);

}  // namespace shardcheck
