#pragma once

/// One rank's share of a case of collectives: the calls, one after the other, through an endpoint.
///
/// The rank touches its own memory alone. Between two calls it holds elements of dtype in: the
/// whole vector by position, its block in the block's order, or nothing.
/// Source: docs/collectives.md, "Meaning".

#include <shardcheck/model/case/backend.h>

#include <shardcheck/impl/runtime/endpoint.h>

#include <shardcheck/impl/collectives/table.h>
#include <shardcheck/impl/runtime/workspace.h>
#include "setup.h"

namespace shardcheck::impl {

/// Runs all calls and writes the rank's elements to the start of its output.
void run_calls(const CollectiveSetup& setup, const CollectiveTable& table, Endpoint& endpoint,
               const RankMemory& memory, Workspace& workspace);

}  // namespace shardcheck::impl
