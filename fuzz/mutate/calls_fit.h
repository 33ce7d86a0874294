#pragma once

/// What a case of calls needs to be valid again after one of its parts was changed without regard
/// to the others.

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/properties/generate/entropy.h>

namespace shardcheck::fuzz {

bool any_call(const CallsCase& subject, bool (*is_such)(Collective));

/// What one part's change makes meaningless elsewhere becomes its default.
void fit(CallsCase& subject, Entropy& entropy);

}  // namespace shardcheck::fuzz
