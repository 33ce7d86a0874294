#pragma once

/// One run of one case of collectives on one backend: as judge/run_record.h for products.
///
///     CollectiveArena arena;
///     RunRecord run = run_once(expectation, backend, arena, {.trace = true});

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/collective/expect.h>
#include <shardcheck/properties/judge/run_record.h>

#include "arena.h"

namespace shardcheck {

/// What run() is asked is `asked`, which may differ from the expectation's case in its schedule and
/// in the order that is promised. The arena is filled anew.
RunRecord run_once(const CallsCase& asked, const model::CollectiveExpectation& expectation,
                   Backend& backend, CollectiveArena& arena,
                   const RunOptions& options = {});

}  // namespace shardcheck
