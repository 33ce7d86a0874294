#pragma once

/// The optimised implementation as a Backend: sharded products, and collectives alone.
///
///     ShardedBackend().run({subject, memory})

#include <string_view>
#include <vector>

#include <shardcheck/model/case/backend.h>

#include <shardcheck/impl/runtime/endpoint.h>

#include "collectives/table.h"
#include "runtime/workspace.h"

namespace shardcheck::impl {

class ShardedBackend final : public Backend {
 public:
  /// `table`: ours, or a copy in which some entry is another function; for collectives alone.
  explicit ShardedBackend(EndpointWrapper wrap = {},
                          const CollectiveTable& table = collective_table());

  std::string_view name() const override;
  bool serves(Kind kind) const override;
  Promises promises() const override;
  /// Ends `unsupported`, on all ranks alike, where an algorithm can't serve the case.
  Observation run(const Request& request) override;

 private:
  EndpointWrapper wrap_;
  CollectiveTable table_;
  std::vector<Workspace> workspaces_;  ///< by rank, kept from run to run
};

}  // namespace shardcheck::impl
