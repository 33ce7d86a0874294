#include "partition.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::impl {
namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

/// Ranks of the cutting mesh axes that vary faster than `mesh_axis`.
std::int64_t cells_inside(const Grid& grid, MeshAxes over, int mesh_axis) {
  std::int64_t inside = 1;
  for (int axis = mesh_axis + 1; axis < grid.axis_count; ++axis) {
    if (over & only(axis)) inside *= grid.sizes[static_cast<std::size_t>(axis)];
  }
  return inside;
}

/// Positions of a list of `count` elements at which its parts start, and the end.
void contiguous_starts(std::int64_t count, std::int64_t part_count, Split::Rule rule,
                       std::vector<std::int64_t>& starts) {
  starts.assign(1, 0);
  for (std::int64_t part = 0; part < part_count; ++part) {
    const std::int64_t length =
        rule == Split::Rule::balanced
            ? count / part_count + (part < count % part_count ? 1 : 0)
            : std::min((count + part_count - 1) / part_count, count - starts.back());
    starts.push_back(starts.back() + length);
  }
}

/// Cuts each list by position into `part_count` lists.
Lists cut_each(const Lists& lists, std::int64_t part_count, const Split& split) {
  Lists parts;
  parts.reserve(lists.size() * static_cast<std::size_t>(part_count));
  std::vector<std::int64_t> starts;
  for (const std::vector<std::int32_t>& list : lists) {
    if (split.rule == Split::Rule::cyclic) {
      const std::size_t first = parts.size();
      parts.resize(first + static_cast<std::size_t>(part_count));
      for (std::size_t at = 0; at < list.size(); ++at) {
        const std::int64_t part = static_cast<std::int64_t>(at) / split.block % part_count;
        parts[first + static_cast<std::size_t>(part)].push_back(list[at]);
      }
      continue;
    }
    contiguous_starts(static_cast<std::int64_t>(list.size()), part_count, split.rule, starts);
    for (std::size_t part = 0; part + 1 < starts.size(); ++part) {
      parts.emplace_back(list.begin() + starts[part], list.begin() + starts[part + 1]);
    }
  }
  return parts;
}

/// All final parts, the first mesh axis of `how.over` slowest.
Lists final_parts(const Grid& grid, std::int64_t extent, const Cut& how) {
  Lists parts(1);
  switch (how.split.rule) {
    case Split::Rule::balanced:
    case Split::Rule::ceil:
    case Split::Rule::cyclic:
      parts[0].resize(static_cast<std::size_t>(extent));
      std::iota(parts[0].begin(), parts[0].end(), 0);
      for (const int axis : how.over) {
        parts = cut_each(parts, grid.sizes[static_cast<std::size_t>(axis)], how.split);
      }
      return parts;
    case Split::Rule::sizes: {
      parts.clear();
      std::int32_t next = 0;
      for (const std::int64_t size : how.split.sizes) {
        parts.emplace_back(static_cast<std::size_t>(size));
        std::iota(parts.back().begin(), parts.back().end(), next);
        next += static_cast<std::int32_t>(size);
      }
      return parts;
    }
    case Split::Rule::sets:
      parts.clear();
      for (const std::vector<std::int64_t>& set : how.split.sets) {
        parts.emplace_back(set.begin(), set.end());
      }
      return parts;
  }
  return parts;
}

/// The number of a cell's part when the mesh axes are taken in the order in which the layout names
/// them.
std::size_t part_of_cell(const Grid& grid, const Cut& how, MeshAxes over, std::int64_t cell) {
  std::int64_t part = 0;
  for (const int axis : how.over) {
    part =
        part * grid.sizes[static_cast<std::size_t>(axis)] + coordinate_of(grid, over, axis, cell);
  }
  return static_cast<std::size_t>(part);
}

/// The usual case without a list a part: one mesh axis, contiguous parts.
AxisLists cut_contiguously(const Grid& grid, std::int64_t extent, const Cut& how) {
  AxisLists lists;
  lists.over = mesh_axes(how.over);
  lists.indices.resize(static_cast<std::size_t>(extent));
  std::iota(lists.indices.begin(), lists.indices.end(), 0);
  if (how.over.empty()) {
    lists.starts = {0, static_cast<std::int32_t>(extent)};
    return lists;
  }
  std::vector<std::int64_t> starts;
  contiguous_starts(extent, grid.sizes[static_cast<std::size_t>(how.over[0])], how.split.rule,
                    starts);
  lists.starts.assign(starts.begin(), starts.end());
  return lists;
}

}  // namespace

Grid make_grid(const Mesh& mesh) {
  SHARDCHECK_REQUIRE(mesh.axes.size() <= static_cast<std::size_t>(limits::mesh_axes),
                     "a case's mesh keeps to the limit");
  Grid grid;
  grid.axis_count = static_cast<int>(mesh.axes.size());
  for (std::size_t axis = mesh.axes.size(); axis-- > 0;) {
    grid.sizes[axis] = mesh.axes[axis].size;
    grid.strides[axis] = grid.rank_count;
    grid.rank_count *= mesh.axes[axis].size;
    if (mesh.axes[axis].size > 1) grid.longer_than_one |= only(static_cast<int>(axis));
  }
  return grid;
}

MeshAxes mesh_axes(std::span<const int> axes) {
  MeshAxes set = 0;
  for (const int axis : axes) set |= only(axis);
  return set;
}

std::int64_t cell_count(const Grid& grid, MeshAxes over) {
  std::int64_t count = 1;
  for (; over != 0; over &= over - 1) {
    count *= grid.sizes[static_cast<std::size_t>(std::countr_zero(over))];
  }
  return count;
}

std::int64_t cell_of(const Grid& grid, MeshAxes over, std::int64_t rank) {
  std::int64_t cell = 0;
  for (; over != 0; over &= over - 1) {
    const auto axis = static_cast<std::size_t>(std::countr_zero(over));
    cell = cell * grid.sizes[axis] + rank / grid.strides[axis] % grid.sizes[axis];
  }
  return cell;
}

std::int64_t coordinate_of(const Grid& grid, MeshAxes over, int mesh_axis, std::int64_t cell) {
  return cell / cells_inside(grid, over, mesh_axis) %
         grid.sizes[static_cast<std::size_t>(mesh_axis)];
}

AxisLists cut(const Grid& grid, std::int64_t extent, const Cut& how) {
  SHARDCHECK_REQUIRE(extent <= limits::elements_per_tensor, "indices are held in 32 bits");
  const bool contiguous =
      how.split.rule == Split::Rule::balanced || how.split.rule == Split::Rule::ceil;
  if (how.over.empty() || (how.over.size() == 1 && contiguous)) {
    return cut_contiguously(grid, extent, how);
  }
  const Lists parts = final_parts(grid, extent, how);
  AxisLists lists;
  lists.over = mesh_axes(how.over);
  const std::int64_t cells = cell_count(grid, lists.over);
  SHARDCHECK_REQUIRE(static_cast<std::int64_t>(parts.size()) == cells,
                     "a case's cut names one part for each cell");
  lists.starts.reserve(static_cast<std::size_t>(cells) + 1);
  lists.starts.push_back(0);
  lists.indices.reserve(static_cast<std::size_t>(extent));
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const std::vector<std::int32_t>& part = parts[part_of_cell(grid, how, lists.over, cell)];
    lists.indices.insert(lists.indices.end(), part.begin(), part.end());
    lists.starts.push_back(static_cast<std::int32_t>(lists.indices.size()));
  }
  return lists;
}

std::vector<std::int32_t> cells_of_indices(const AxisLists& lists) {
  std::vector<std::int32_t> cells(lists.indices.size());
  for (std::size_t cell = 0; cell + 1 < lists.starts.size(); ++cell) {
    for (std::int32_t at = lists.starts[cell]; at < lists.starts[cell + 1]; ++at) {
      cells[static_cast<std::size_t>(lists.indices[static_cast<std::size_t>(at)])] =
          static_cast<std::int32_t>(cell);
    }
  }
  return cells;
}

std::vector<std::int32_t> parts_of_indices(const Grid& grid, const AxisLists& lists,
                                           int mesh_axis) {
  std::vector<std::int32_t> parts(lists.indices.size());
  const auto cells = static_cast<std::int64_t>(lists.starts.size()) - 1;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const auto part = static_cast<std::int32_t>(coordinate_of(grid, lists.over, mesh_axis, cell));
    for (const std::int32_t index : list_of(lists, cell)) {
      parts[static_cast<std::size_t>(index)] = part;
    }
  }
  return parts;
}

AxisLists keep_parts(const Grid& grid, const AxisLists& lists, int mesh_axis,
                     std::span<const std::int32_t> part) {
  const std::int64_t inside = cells_inside(grid, lists.over, mesh_axis);
  const std::int64_t part_count = grid.sizes[static_cast<std::size_t>(mesh_axis)];
  const auto old_cells = static_cast<std::int64_t>(lists.starts.size()) - 1;
  // The new cell's digit for `mesh_axis` goes in between the slower and the faster mesh axes.
  const auto new_cell = [&](std::int64_t cell, std::int64_t member) {
    return static_cast<std::size_t>((cell / inside * part_count + member) * inside + cell % inside);
  };
  AxisLists kept;
  kept.over = lists.over | only(mesh_axis);
  kept.starts.assign(static_cast<std::size_t>(old_cells * part_count) + 1, 0);
  kept.indices.resize(lists.indices.size());
  for (std::int64_t cell = 0; cell < old_cells; ++cell) {
    for (const std::int32_t index : list_of(lists, cell)) {
      ++kept.starts[new_cell(cell, part[static_cast<std::size_t>(index)]) + 1];
    }
  }
  std::partial_sum(kept.starts.begin(), kept.starts.end(), kept.starts.begin());
  std::vector<std::int32_t> next(kept.starts.begin(), kept.starts.end() - 1);
  for (std::int64_t cell = 0; cell < old_cells; ++cell) {
    for (const std::int32_t index : list_of(lists, cell)) {
      std::int32_t& at = next[new_cell(cell, part[static_cast<std::size_t>(index)])];
      kept.indices[static_cast<std::size_t>(at++)] = index;
    }
  }
  return kept;
}

std::vector<std::int32_t> balanced_parts(const AxisLists& lists, std::int64_t part_count) {
  std::vector<std::int32_t> parts(lists.indices.size());
  std::vector<std::int64_t> starts;
  const auto cells = static_cast<std::int64_t>(lists.starts.size()) - 1;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const std::span<const std::int32_t> list = list_of(lists, cell);
    contiguous_starts(static_cast<std::int64_t>(list.size()), part_count, Split::Rule::balanced,
                      starts);
    for (std::size_t part = 0; part + 1 < starts.size(); ++part) {
      for (std::int64_t at = starts[part]; at < starts[part + 1]; ++at) {
        parts[static_cast<std::size_t>(list[static_cast<std::size_t>(at)])] =
            static_cast<std::int32_t>(part);
      }
    }
  }
  return parts;
}

AxisLists join_parts(const Grid& grid, const AxisLists& lists, int mesh_axis) {
  const std::int64_t inside = cells_inside(grid, lists.over, mesh_axis);
  const std::int64_t part_count = grid.sizes[static_cast<std::size_t>(mesh_axis)];
  const auto old_cells = static_cast<std::int64_t>(lists.starts.size()) - 1;
  AxisLists joined;
  joined.over = lists.over & ~only(mesh_axis);
  joined.starts.reserve(static_cast<std::size_t>(old_cells / part_count) + 1);
  joined.starts.push_back(0);
  joined.indices.reserve(lists.indices.size());
  for (std::int64_t cell = 0; cell < old_cells / part_count; ++cell) {
    for (std::int64_t member = 0; member < part_count; ++member) {
      const auto part =
          list_of(lists, (cell / inside * part_count + member) * inside + cell % inside);
      joined.indices.insert(joined.indices.end(), part.begin(), part.end());
    }
    joined.starts.push_back(static_cast<std::int32_t>(joined.indices.size()));
  }
  return joined;
}

AxisLists lists_from_cells(MeshAxes over, std::int64_t cells, std::span<const std::int32_t> cell) {
  AxisLists lists;
  lists.over = over;
  lists.starts.assign(static_cast<std::size_t>(cells) + 1, 0);
  for (const std::int32_t c : cell) ++lists.starts[static_cast<std::size_t>(c) + 1];
  std::partial_sum(lists.starts.begin(), lists.starts.end(), lists.starts.begin());
  lists.indices.resize(cell.size());
  std::vector<std::int32_t> next(lists.starts.begin(), lists.starts.end() - 1);
  for (std::size_t index = 0; index < cell.size(); ++index) {
    std::int32_t& at = next[static_cast<std::size_t>(cell[index])];
    lists.indices[static_cast<std::size_t>(at++)] = static_cast<std::int32_t>(index);
  }
  return lists;
}

}  // namespace shardcheck::impl
