#include "rank_tensor.h"

#include <algorithm>
#include <cstring>

namespace shardcheck::impl {
namespace {

/// One row's elements at the given columns.
template <typename Word>
void pick(const std::byte* row, Indices columns, std::byte* destination) {
  for (const std::int32_t column : columns) {
    std::memcpy(
        destination,
        row + static_cast<std::ptrdiff_t>(column) * static_cast<std::ptrdiff_t>(sizeof(Word)),
        sizeof(Word));
    destination += sizeof(Word);
  }
}

void pick_columns(const std::byte* row, Indices columns, std::int64_t element_bytes,
                  std::byte* destination) {
  switch (element_bytes) {
    case 1: return pick<std::uint8_t>(row, columns, destination);
    case 2: return pick<std::uint16_t>(row, columns, destination);
    case 4: return pick<std::uint32_t>(row, columns, destination);
    default: return pick<std::uint64_t>(row, columns, destination);
  }
}

}  // namespace

Positions positions_in(Indices held, Indices wanted, std::int64_t extent, Workspace& workspace) {
  if (held.data() == wanted.data() && held.size() == wanted.size()) return std::nullopt;
  if (std::equal(held.begin(), held.end(), wanted.begin(), wanted.end())) return std::nullopt;
  const auto width = static_cast<std::int64_t>(sizeof(std::int32_t));
  auto* place = reinterpret_cast<std::int32_t*>(workspace.take_for_lists(extent * width));
  for (std::size_t at = 0; at < held.size(); ++at) {
    place[held[at]] = static_cast<std::int32_t>(at);
  }
  auto* positions = reinterpret_cast<std::int32_t*>(
      workspace.take_for_lists(static_cast<std::int64_t>(wanted.size()) * width));
  for (std::size_t at = 0; at < wanted.size(); ++at) positions[at] = place[wanted[at]];
  return Indices(positions, wanted.size());
}

std::optional<std::int64_t> first_of_run(const Positions& positions) {
  if (!positions || positions->empty()) return 0;
  for (std::size_t at = 1; at < positions->size(); ++at) {
    if ((*positions)[at] != (*positions)[at - 1] + 1) return std::nullopt;
  }
  return positions->front();
}

void select(const Shard& shard, const Positions& rows, const Positions& columns,
            std::int64_t element_bytes, std::byte* destination) {
  const std::int64_t row_bytes = shard.column_count() * element_bytes;
  if (!rows && !columns) {
    std::copy_n(shard.elements, shard.row_count() * row_bytes, destination);
    return;
  }
  const std::int64_t row_count = rows ? static_cast<std::int64_t>(rows->size()) : shard.row_count();
  const std::int64_t picked_bytes =
      columns ? static_cast<std::int64_t>(columns->size()) * element_bytes : row_bytes;
  const std::optional<std::int64_t> first_column = first_of_run(columns);
  for (std::int64_t at = 0; at < row_count; ++at) {
    const std::int64_t row = rows ? (*rows)[static_cast<std::size_t>(at)] : at;
    const std::byte* source = shard.elements + row * row_bytes;
    if (first_column) {
      std::copy_n(source + *first_column * element_bytes, picked_bytes, destination);
    } else {
      pick_columns(source, *columns, element_bytes, destination);
    }
    destination += picked_bytes;
  }
}

Group group_along(const Grid& grid, int mesh_axis, std::int64_t rank) {
  const auto axis = static_cast<std::size_t>(mesh_axis);
  Group group;
  group.stride = grid.strides[axis];
  group.count = grid.sizes[axis];
  group.self = rank / group.stride % group.count;
  group.first = rank - group.self * group.stride;
  return group;
}

}  // namespace shardcheck::impl
