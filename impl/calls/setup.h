#pragma once

/// Who takes part in a case of collectives, how its vector is divided, and who owns what in the
/// end.
///
///     CollectiveSetup setup(subject);   // mesh=x2,y3 over=y: groups {0 1 2} and {3 4 5}
///
/// Source: docs/collectives.md, "Meaning". Any thread, once it is made.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/calls_case.h>

#include <shardcheck/impl/collectives/collectives.h>
#include <shardcheck/impl/plan/partition.h>

namespace shardcheck::impl {

/// What all ranks share, unchanged while they run.
struct CollectiveSetup {
  explicit CollectiveSetup(const CallsCase& asked);

  const CallsCase& subject;
  Grid grid;
  MeshAxes over = 0;  ///< mesh axes along which the members of a group differ
  std::int64_t members = 1;
  std::vector<std::int64_t> ranks;   ///< of the groups one after the other, by member
  AxisLists blocks;                  ///< of n; its indices are the positions in block order
  std::vector<std::int64_t> starts;  ///< of the blocks, in elements, and the end
  bool is_contiguous = true;         ///< the block order is that of the positions
  /// By member: where its input of an all-to-all with counts starts among those of all members.
  std::vector<std::int64_t> input_starts;
};

Group group_of(const CollectiveSetup& setup, std::int64_t rank);

/// What the members hold between two calls.
enum class Held : std::uint8_t {
  whole,    ///< each the whole vector
  block,    ///< each its block
  at_root,  ///< the root the whole vector, the others nothing
  other     ///< what no call starts from
};

/// What a call starts from, and what it leaves.
Held held_before(Collective collective);
Held held_after(Collective collective);

/// The coordinates of what the last call gives a rank, in order.
std::vector<std::int64_t> owned_coordinates(const CollectiveSetup& setup, std::int64_t rank);

}  // namespace shardcheck::impl
