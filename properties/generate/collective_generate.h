#pragma once

/// Random valid cases of collectives from an entropy source.

#include <optional>

#include <shardcheck/model/case/calls_case.h>

#include "collective_cells.h"
#include "collective_scope.h"
#include "entropy.h"

namespace shardcheck {

/// A valid and legal case, drawn so that odd rank counts, uneven and empty blocks and every
/// algorithm are common. The same entropy gives the same case on every machine. Nothing if the
/// scope wasn't met in 2,000 draws.
std::optional<CallsCase> draw_collective(Entropy& entropy, const CollectiveScope& scope = {});

/// The same for a scope that is known to be met: from the entropy, or at last from a fixed source.
CallsCase generate_collective(Entropy& entropy, const CollectiveScope& scope = {});

/// A case in that cell, if the scope has any; else any case of the scope.
CallsCase generate_collective_in(const Cell& cell, Entropy& entropy,
                                      const CollectiveScope& scope = {});

/// Whether the algorithm may carry out the call with this operator and root; docs/collectives.md,
/// "Where order matters". Blocks of an all_to_all aside.
bool keeps_order_enough(const Call& call, Operator op, std::int64_t root);

/// Whether every member sends as much to every other: what Bruck's all_to_all needs.
bool has_equal_blocks(const CallsCase& subject);

}  // namespace shardcheck
