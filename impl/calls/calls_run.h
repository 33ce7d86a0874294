#pragma once

/// A case of collectives alone from its request to what its ranks did.

#include <span>

#include <shardcheck/model/case/backend.h>

#include <shardcheck/impl/runtime/endpoint.h>

#include <shardcheck/impl/collectives/table.h>
#include <shardcheck/impl/runtime/workspace.h>

namespace shardcheck::impl {

/// Ends `unsupported`, on all ranks alike, where an algorithm can't serve the case. `subject`: the
/// request's. Requires: a workspace for each of the request's ranks.
Observation run_calls_case(const CallsCase& subject, const Request& request,
                           const EndpointWrapper& wrap, const CollectiveTable& table,
                           std::span<Workspace> workspaces);

}  // namespace shardcheck::impl
