#include "fit.h"

#include <cstddef>
#include <numeric>
#include <utility>

namespace shardcheck::fuzz {

std::int64_t part_count(const Mesh& mesh, const std::vector<int>& over) {
  std::int64_t count = 1;
  for (const int axis : over) count *= mesh.axes[static_cast<std::size_t>(axis)].size;
  return count;
}

bool fits(const Split& split, std::int64_t extent, std::int64_t parts) {
  switch (split.rule) {
    case Split::Rule::balanced:
    case Split::Rule::ceil:
    case Split::Rule::cyclic: return true;
    case Split::Rule::sizes:
      return std::cmp_equal(split.sizes.size(), parts) &&
             std::accumulate(split.sizes.begin(), split.sizes.end(), std::int64_t{0}) == extent;
    case Split::Rule::sets: {
      std::size_t count = 0;
      for (const auto& set : split.sets) count += set.size();
      return std::cmp_equal(split.sets.size(), parts) && std::cmp_equal(count, extent);
    }
  }
  return true;
}

}  // namespace shardcheck::fuzz
