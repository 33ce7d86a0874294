#pragma once

/// What a target is about that judges cases of one kind: the target's own file says of which,
/// case_target.cpp is the rest. SHARDCHECK_FAULT=NAME plants that mistake (`shardcheck list` names
/// them), to see how soon it is found.

#include <shardcheck/model/case/case.h>

namespace shardcheck::fuzz {

extern const Kind kind_taken;

}  // namespace shardcheck::fuzz
