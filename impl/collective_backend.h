#pragma once

/// The optimised collectives, alone or a few in a row, as a CollectiveBackend.
///
///     ShardedCollectives().run({subject, memory})
///
/// Source: docs/collectives.md.

#include <string_view>
#include <vector>

#include <shardcheck/model/case/collective_backend.h>

#include <shardcheck/impl/runtime/endpoint.h>

#include "collectives/table.h"
#include "workspace.h"

namespace shardcheck::impl {

class ShardedCollectives final : public CollectiveBackend {
 public:
  /// `table`: ours, or a copy in which some entry is another function.
  explicit ShardedCollectives(EndpointWrapper wrap = {},
                              const CollectiveTable& table = collective_table());

  std::string_view name() const override;
  Promises promises() const override;
  /// Ends `unsupported`, on all ranks alike, where an algorithm can't serve the case.
  Observation run(const CollectiveRequest& request) override;

 private:
  EndpointWrapper wrap_;
  CollectiveTable table_;
  std::vector<Workspace> workspaces_;  ///< by rank, kept from run to run
};

}  // namespace shardcheck::impl
