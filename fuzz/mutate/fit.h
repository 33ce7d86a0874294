#pragma once

/// What every kind needs so that changed parts fit one another.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/layout.h>
#include <shardcheck/model/case/mesh.h>

namespace shardcheck::fuzz {

/// Parts of an axis that is cut over these mesh axes.
std::int64_t part_count(const Mesh& mesh, const std::vector<int>& over);

/// Whether a split cuts so many elements into so many parts.
bool fits(const Split& split, std::int64_t extent, std::int64_t parts);

}  // namespace shardcheck::fuzz
