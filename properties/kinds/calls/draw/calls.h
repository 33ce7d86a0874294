#pragma once

/// Random calls from an entropy source.

#include <cstdint>
#include <optional>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/properties/generate/entropy.h>

#include "cells.h"
#include "scope.h"

namespace shardcheck {

/// Whether there is a dtype that the scope's operator and accumulator go with.
bool is_for_some_dtype(const CallsScope& scope);

/// One draw, so that odd rank counts, uneven and empty blocks and every algorithm are common; it
/// may miss the scope. Requires: is_for_some_dtype(scope).
CallsCase draw_calls_case(Entropy& entropy, const CallsScope& scope);

/// A case in that cell, if the scope has any that is found.
std::optional<CallsCase> draw_in(const Cell& cell, Entropy& entropy, const CallsScope& scope);

/// A valid and legal case. Requires: some case meets the scope. The same entropy gives the same
/// case on every machine.
CallsCase generate_calls(Entropy& entropy, const CallsScope& scope = {});

/// Whether the algorithm may carry out the call with this operator and root; docs/collectives.md,
/// "Where order matters". Blocks of an all_to_all aside.
bool keeps_order_enough(const Call& call, Operator op, std::int64_t root);

/// Whether every member sends as much to every other: what Bruck's all_to_all needs.
bool has_equal_blocks(const CallsCase& subject);

}  // namespace shardcheck
