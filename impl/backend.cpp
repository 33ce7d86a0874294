#include "backend.h"

#include <utility>
#include <variant>

#include "calls/calls_run.h"
#include "product/product_run.h"

namespace shardcheck::impl {

ShardedBackend::ShardedBackend(EndpointWrapper wrap, const CollectiveTable& table)
    : wrap_(std::move(wrap)), table_(table) {}

std::string_view ShardedBackend::name() const { return "sharded"; }

bool ShardedBackend::serves(Kind /*kind*/) const { return true; }

Promises ShardedBackend::promises() const { return {}; }

Observation ShardedBackend::run(const Request& request) {
  if (workspaces_.size() < request.ranks.size()) workspaces_.resize(request.ranks.size());
  if (const auto* product = std::get_if<ProductCase>(&request.subject)) {
    return run_product(*product, request, wrap_, workspaces_);
  }
  return run_calls_case(std::get<CallsCase>(request.subject), request, wrap_, table_, workspaces_);
}

}  // namespace shardcheck::impl
