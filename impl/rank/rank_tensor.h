#pragma once

/// What one rank holds of a tensor, and the moves that change it without arithmetic.
///
///     select(block, rows, columns, 4, destination)   // a row-major part of a row-major block
///
/// Elements are row-major over the lists of rows and columns held (docs/plans.md, "Index lists").
/// Positions are places in such a list; no positions at all mean every place in turn.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <shardcheck/impl/collectives/collectives.h>
#include <shardcheck/impl/plan/lists_pool.h>
#include <shardcheck/impl/runtime/workspace.h>

namespace shardcheck::impl {

using Indices = std::span<const std::int32_t>;
using Positions = std::optional<Indices>;

/// One rank's part of a tensor.
struct Shard {
  Indices rows;
  Indices columns;
  const std::byte* elements = nullptr;

  std::int64_t row_count() const { return static_cast<std::int64_t>(rows.size()); }
  std::int64_t column_count() const { return static_cast<std::int64_t>(columns.size()); }
  std::int64_t count() const { return row_count() * column_count(); }
};

/// Where each index of `wanted` stands in `held`; none if the two are equal.
/// Requires: `held` has them all. `extent`: of the tensor axis.
Positions positions_in(Indices held, Indices wanted, std::int64_t extent, Workspace& workspace);

/// The first of places that follow one another, if they do; 0 if there are none.
std::optional<std::int64_t> first_of_run(const Positions& positions);

/// Writes the elements at `rows` × `columns` of `shard`, row-major.
void select(const Shard& shard, const Positions& rows, const Positions& columns,
            std::int64_t element_bytes, std::byte* destination);

/// The group of `rank` along `mesh_axis`.
Group group_along(const Grid& grid, int mesh_axis, std::int64_t rank);

}  // namespace shardcheck::impl
