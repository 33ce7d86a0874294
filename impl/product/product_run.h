#pragma once

/// A sharded product from its request to what its ranks did.

#include <span>

#include <shardcheck/model/case/backend.h>

#include <shardcheck/impl/runtime/endpoint.h>

#include <shardcheck/impl/runtime/workspace.h>

namespace shardcheck::impl {

/// Ends `unsupported` if the case can't be run. `subject`: the request's. Requires: a workspace for
/// each of the request's ranks.
Observation run_product(const ProductCase& subject, const Request& request,
                        const EndpointWrapper& wrap, std::span<Workspace> workspaces);

}  // namespace shardcheck::impl
