#pragma once

/// Which ranks' local products belong together.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/mesh.h>

namespace shardcheck {

/// The first rank of the set of ranks that differ from `rank` on `axes` alone.
std::int64_t first_of_group(const Mesh& mesh, std::int64_t rank, const std::vector<int>& axes);

}  // namespace shardcheck
