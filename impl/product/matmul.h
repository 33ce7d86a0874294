#pragma once

/// One rank's share of a sharded product: the steps of a plan, carried out through an endpoint.
///
/// The rank touches its own memory alone; what it doesn't own reaches it by message or not at all.
/// Source: docs/plans.md, "Values".

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/observation.h>

#include <shardcheck/impl/runtime/endpoint.h>

#include <shardcheck/impl/rank/rank_run.h>
#include <shardcheck/impl/runtime/workspace.h>

namespace shardcheck::impl {

/// Runs all steps and writes the rank's elements of C, in the consumer's order, to the start of
/// `memory.output`. What was multiplied is noted in `product`.
void run_rank(const Matmul& matmul, Endpoint& endpoint, const RankMemory& memory,
              Workspace& workspace, LocalProduct& product);

}  // namespace shardcheck::impl
