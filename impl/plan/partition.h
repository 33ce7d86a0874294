#pragma once

/// Index lists: which rows or columns of a tensor each rank holds, written for speed.
///
/// One tensor axis cut over some mesh axes falls into *cells*, one for each combination of
/// coordinates on those mesh axes; ranks that differ elsewhere hold the same list. The lists of all
/// cells together are a permutation of the axis, stored in one piece. For k=5 cut `balanced` over
/// x of size 2: over = {x}, starts = 0 3 5, indices = 0 1 2 3 4.
///
/// Cells are numbered row-major over the cutting mesh axes in ascending order, the last fastest.
/// Source: docs/plans.md, "Index lists" and "Steps". Any thread; nothing here has state.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <shardcheck/model/case/layout.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/mesh.h>

namespace shardcheck::impl {

/// A set of mesh axes: bit number a stands for Mesh::axes[a].
using MeshAxes = std::uint32_t;

constexpr MeshAxes only(int mesh_axis) { return MeshAxes{1} << mesh_axis; }

/// The mesh as numbers.
struct Grid {
  int axis_count = 0;
  std::int64_t rank_count = 1;
  std::array<std::int64_t, limits::mesh_axes> sizes{};
  std::array<std::int64_t, limits::mesh_axes> strides{};  ///< in ranks
  MeshAxes longer_than_one = 0;                           ///< the mesh axes of more than one rank
};

/// Requires: at most limits::mesh_axes axes.
Grid make_grid(const Mesh& mesh);

MeshAxes mesh_axes(std::span<const int> axes);

std::int64_t cell_count(const Grid& grid, MeshAxes over);
std::int64_t cell_of(const Grid& grid, MeshAxes over, std::int64_t rank);
/// The coordinate on `mesh_axis` of the ranks in `cell`. Requires: `over` has the mesh axis.
std::int64_t coordinate_of(const Grid& grid, MeshAxes over, int mesh_axis, std::int64_t cell);

struct AxisLists {
  MeshAxes over = 0;
  std::vector<std::int32_t> starts;   ///< by cell, and the end
  std::vector<std::int32_t> indices;  ///< every index of the axis once

  bool operator==(const AxisLists&) const = default;
};

inline std::span<const std::int32_t> list_of(const AxisLists& lists, std::int64_t cell) {
  const auto c = static_cast<std::size_t>(cell);
  return std::span(lists.indices)
      .subspan(static_cast<std::size_t>(lists.starts[c]),
               static_cast<std::size_t>(lists.starts[c + 1] - lists.starts[c]));
}

/// The lists that a layout gives. Requires: extent <= limits::elements_per_tensor.
AxisLists cut(const Grid& grid, std::int64_t extent, const Cut& how);

/// By index: the cell that holds it.
std::vector<std::int32_t> cells_of_indices(const AxisLists& lists);

/// By index: m where G_x(m) holds it. Requires: `mesh_axis` cuts the axis.
std::vector<std::int32_t> parts_of_indices(const Grid& grid, const AxisLists& lists, int mesh_axis);

/// Each cell keeps the indices of its own part, in the order held. `part` is by index.
/// Requires: `mesh_axis` doesn't cut the axis.
AxisLists keep_parts(const Grid& grid, const AxisLists& lists, int mesh_axis,
                     std::span<const std::int32_t> part);

/// By index: the part in which it falls if each cell's list is cut `balanced` by position.
std::vector<std::int32_t> balanced_parts(const AxisLists& lists, std::int64_t part_count);

/// Each cell holds what its group along `mesh_axis` held, in the order of the members.
/// Requires: `mesh_axis` cuts the axis.
AxisLists join_parts(const Grid& grid, const AxisLists& lists, int mesh_axis);

/// The lists, each ascending, that put every index into the cell given for it.
AxisLists lists_from_cells(MeshAxes over, std::int64_t cells, std::span<const std::int32_t> cell);

}  // namespace shardcheck::impl
