#pragma once

/// Every set of index lists that a plan meets, held once and named by a number.
///
/// Equal lists get equal numbers, so that states compare as integers, and what was derived once
/// (a part kept, parts joined) is looked up the next time. A number stays valid as long as the
/// pool. One thread fills a pool; then any thread may read it.

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "partition.h"

namespace shardcheck::impl {

using ListsId = std::int32_t;

class ListsPool {
 public:
  explicit ListsPool(const Grid& grid) : grid_(grid) {}

  const Grid& grid() const { return grid_; }
  const AxisLists& operator[](ListsId id) const { return entry(id).lists; }
  MeshAxes over(ListsId id) const { return entry(id).lists.over; }
  /// Number of indices of the whole axis.
  std::int64_t extent(ListsId id) const {
    return static_cast<std::int64_t>(entry(id).lists.indices.size());
  }
  /// By index: the cell that holds it.
  std::span<const std::int32_t> cells(ListsId id) const { return entry(id).cells; }

  /// The indices that `rank` holds, in order.
  std::span<const std::int32_t> held(ListsId id, std::int64_t rank) const {
    const AxisLists& lists = entry(id).lists;
    return list_of(lists, cell_of(grid_, lists.over, rank));
  }

  ListsId intern(AxisLists lists);

  /// What each rank keeps of `id` if it keeps G_x of `reference`, x being `mesh_axis`.
  /// Requires: it cuts `reference`, and not `id`.
  ListsId keep(ListsId id, int mesh_axis, ListsId reference);
  /// The same with each list cut `balanced` by position.
  ListsId keep_balanced(ListsId id, int mesh_axis);
  /// Requires: `mesh_axis` cuts `id`.
  ListsId join(ListsId id, int mesh_axis);
  /// `id` cut over `over`, as an exchange cuts it.
  /// Requires: each mesh axis of `over` cuts `reference` or `id`.
  ListsId recut(ListsId id, MeshAxes over, ListsId reference);

  /// True if every rank holds the same indices, in whatever order.
  bool are_same_sets(ListsId one, ListsId other) const;

 private:
  struct Entry {
    AxisLists lists;
    std::vector<std::int32_t> cells;
  };
  enum class Operation : std::uint64_t { keep, keep_balanced, join, recut };

  const Entry& entry(ListsId id) const { return entries_[static_cast<std::size_t>(id)]; }
  /// `derive` gives the lists if they aren't known yet.
  template <typename Derive>
  ListsId remembered(Operation operation, ListsId id, std::uint64_t operand, ListsId reference,
                     Derive derive);

  Grid grid_;
  std::deque<Entry> entries_;
  std::unordered_multimap<std::uint64_t, ListsId> by_content_;
  std::unordered_map<std::uint64_t, ListsId> derived_;
};

}  // namespace shardcheck::impl
