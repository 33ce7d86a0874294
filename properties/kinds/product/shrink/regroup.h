#pragma once

/// A cut over fewer ranks: which members of a mesh axis become one, and what becomes of the parts
/// that a cut names for each of them.
///
///     sizes:4,0,3 over three, the last two joined: sizes:4,3

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

/// Member m of a mesh axis becomes member to[m] of `count`; members that nobody becomes hold
/// nothing.
struct Joining {
  std::vector<std::int64_t> to;
  std::int64_t count = 1;
};

/// Neighbours joined so that `target` members remain. Requires: 1 <= target <= size.
Joining joined_evenly(std::int64_t size, std::int64_t target);

/// One member joined with the one before it. Requires: 1 <= member < size.
Joining joined_with_predecessor(std::int64_t size, std::int64_t member);

/// The cut after the joining; the parts of `sizes` and `sets` are added and strung together.
Cut regrouped(const Cut& cut, const Mesh& mesh, int mesh_axis, const Joining& joining);

/// The cut without one of its mesh axes, all of whose parts are joined. Undivided if it was the
/// only one.
Cut without_axis(const Cut& cut, const Mesh& mesh, int mesh_axis);

}  // namespace shardcheck
