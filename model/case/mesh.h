#pragma once

/// A mesh: ranks laid out in a grid with named axes.
///
/// `mesh=x2,y3` has six ranks. Rank order is row-major: the last axis varies fastest, so that rank
/// = x·3 + y. A group along axis x is the set of ranks that differ in x alone, in ascending x.

#include <cstdint>
#include <string>
#include <vector>

namespace shardcheck {

struct MeshAxis {
  std::string name;       ///< a letter, then letters or digits up to the size
  std::int64_t size = 1;  ///< at least 1

  bool operator==(const MeshAxis&) const = default;
};

struct Mesh {
  std::vector<MeshAxis> axes;

  bool operator==(const Mesh&) const = default;
};

/// Number of ranks; 1 for a mesh with no axis.
inline std::int64_t rank_count(const Mesh& mesh) {
  std::int64_t count = 1;
  for (const MeshAxis& axis : mesh.axes) count *= axis.size;
  return count;
}

}  // namespace shardcheck
