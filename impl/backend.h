#pragma once

/// The optimised implementation as a Backend.

#include <string_view>
#include <vector>

#include <shardcheck/model/case/backend.h>

#include <shardcheck/impl/runtime/endpoint.h>

#include "workspace.h"

namespace shardcheck::impl {

class ShardedMatmul final : public Backend {
 public:
  explicit ShardedMatmul(EndpointWrapper wrap = {});

  std::string_view name() const override;
  Promises promises() const override;
  Observation run(const Request& request) override;

 private:
  EndpointWrapper wrap_;
  std::vector<Workspace> workspaces_;  ///< by rank, kept from run to run
};

}  // namespace shardcheck::impl
