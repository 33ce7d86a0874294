#include "lists_pool.h"

#include <bit>
#include <utility>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::impl {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(const AxisLists& lists) {
  std::uint64_t hash = lists.over;
  for (const std::int32_t start : lists.starts) {
    hash = mixed(hash, static_cast<std::uint32_t>(start));
  }
  for (const std::int32_t index : lists.indices) {
    hash = mixed(hash, static_cast<std::uint32_t>(index));
  }
  return hash;
}

}  // namespace

template <typename Derive>
ListsId ListsPool::remembered(Operation operation, ListsId id, std::uint64_t operand,
                              ListsId reference, Derive derive) {
  // 2 bits, 24, 8 and 24: a pool of 2^24 lists would not fit into memory.
  const std::uint64_t key = static_cast<std::uint64_t>(operation) << 62 |
                            static_cast<std::uint64_t>(id) << 32 | operand << 24 |
                            static_cast<std::uint64_t>(reference);
  const auto known = derived_.find(key);
  if (known != derived_.end()) return known->second;
  const ListsId result = intern(derive());
  derived_.emplace(key, result);
  return result;
}

ListsId ListsPool::intern(AxisLists lists) {
  const std::uint64_t hash = hash_of(lists);
  const auto [first, last] = by_content_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (entry(known->second).lists == lists) return known->second;
  }
  const auto id = static_cast<ListsId>(entries_.size());
  SHARDCHECK_REQUIRE(id < (1 << 24), "remembered() packs numbers into 24 bits");
  std::vector<std::int32_t> cells = cells_of_indices(lists);
  entries_.push_back({std::move(lists), std::move(cells)});
  by_content_.emplace(hash, id);
  return id;
}

ListsId ListsPool::keep(ListsId id, int mesh_axis, ListsId reference) {
  const auto axis = static_cast<std::uint64_t>(mesh_axis);
  return remembered(Operation::keep, id, axis, reference, [&] {
    return keep_parts(grid_, (*this)[id], mesh_axis,
                      parts_of_indices(grid_, (*this)[reference], mesh_axis));
  });
}

ListsId ListsPool::keep_balanced(ListsId id, int mesh_axis) {
  const auto axis = static_cast<std::size_t>(mesh_axis);
  return remembered(Operation::keep_balanced, id, axis, 0, [&] {
    return keep_parts(grid_, (*this)[id], mesh_axis,
                      balanced_parts((*this)[id], grid_.sizes[axis]));
  });
}

ListsId ListsPool::join(ListsId id, int mesh_axis) {
  return remembered(Operation::join, id, static_cast<std::uint64_t>(mesh_axis), 0,
                    [&] { return join_parts(grid_, (*this)[id], mesh_axis); });
}

ListsId ListsPool::recut(ListsId id, MeshAxes over, ListsId reference) {
  return remembered(Operation::recut, id, over, reference, [&] {
    std::vector<std::int32_t> cell(static_cast<std::size_t>(extent(id)), 0);
    for (MeshAxes left = over; left != 0; left &= left - 1) {
      const int axis = std::countr_zero(left);
      const ListsId source = (this->over(reference) & only(axis)) != 0 ? reference : id;
      const auto size = static_cast<std::int32_t>(grid_.sizes[static_cast<std::size_t>(axis)]);
      const std::vector<std::int32_t> part = parts_of_indices(grid_, (*this)[source], axis);
      for (std::size_t index = 0; index < cell.size(); ++index) {
        cell[index] = cell[index] * size + part[index];
      }
    }
    // Mesh axes of one rank don't change the numbers of cells.
    const bool same_cut = ((over ^ this->over(reference)) & grid_.longer_than_one) == 0;
    if (same_cut && cell == entry(reference).cells) {
      AxisLists lists = (*this)[reference];
      lists.over = over;
      return lists;
    }
    return lists_from_cells(over, cell_count(grid_, over), cell);
  });
}

bool ListsPool::are_same_sets(ListsId one, ListsId other) const {
  if (one == other || extent(one) == 0) return true;
  return ((over(one) ^ over(other)) & grid_.longer_than_one) == 0 &&
         entry(one).cells == entry(other).cells;
}

}  // namespace shardcheck::impl
