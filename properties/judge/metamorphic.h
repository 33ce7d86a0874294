#pragma once

/// Two cases that a relation binds, each run and judged by itself, side by side.

#include <shardcheck/properties/metamorphic/related_case.h>

#include "judgement.h"

namespace shardcheck {

/// `second` is the evidence of `related.subject`, `alone` the verdict on it. Kinds of findings are
/// the relation's name and what is wrong: `transpose_bits`. Not observed if the backend doesn't run
/// the related case. Requires: nothing is wrong with `first`, and its steps are those that
/// `related` was made for.
Judgement judge_metamorphic(const Evidence& first, Relation relation, const Related& related,
                            const Evidence& second, const Verdict& alone);

}  // namespace shardcheck
