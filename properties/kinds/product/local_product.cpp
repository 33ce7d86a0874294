#include "local_product.h"

#include <algorithm>
#include <cstddef>

#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck {

std::int64_t first_of_group(const Mesh& mesh, std::int64_t rank, const std::vector<int>& axes) {
  const std::vector<std::int64_t> at = model::coordinates(mesh, rank);
  std::int64_t first = rank;
  std::int64_t stride = 1;
  for (std::size_t axis = mesh.axes.size(); axis-- > 0;) {
    if (std::ranges::find(axes, static_cast<int>(axis)) != axes.end()) first -= at[axis] * stride;
    stride *= mesh.axes[axis].size;
  }
  return first;
}

}  // namespace shardcheck
