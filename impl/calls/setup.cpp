#include "setup.h"

#include <algorithm>
#include <numeric>

namespace shardcheck::impl {
namespace {

std::vector<std::int64_t> ascending(std::int64_t count) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

/// What a member gets in an all-to-all: from each source a block.
std::vector<std::int64_t> swapped_coordinates(const CollectiveSetup& setup, std::int64_t self) {
  const CallsCase& subject = setup.subject;
  std::vector<std::int64_t> owned;
  for (std::int64_t source = 0; source < setup.members; ++source) {
    const auto row = static_cast<std::size_t>(source);
    if (subject.counts.empty()) {
      for (const std::int32_t position : list_of(setup.blocks, self)) {
        owned.push_back(source * subject.n + position);
      }
      continue;
    }
    const std::vector<std::int64_t>& counts = subject.counts[row];
    const std::int64_t first =
        std::accumulate(counts.begin(), counts.begin() + self, setup.input_starts[row]);
    for (std::int64_t at = 0; at < counts[static_cast<std::size_t>(self)]; ++at) {
      owned.push_back(first + at);
    }
  }
  return owned;
}

}  // namespace

CollectiveSetup::CollectiveSetup(const CallsCase& asked)
    : subject(asked),
      grid(make_grid(asked.mesh)),
      over(mesh_axes(asked.over)),
      members(cell_count(grid, over)),
      ranks(static_cast<std::size_t>(grid.rank_count)) {
  const MeshAxes rest = ((MeshAxes{1} << grid.axis_count) - 1) & ~over;
  for (std::int64_t rank = 0; rank < grid.rank_count; ++rank) {
    const std::int64_t place = cell_of(grid, rest, rank) * members + cell_of(grid, over, rank);
    ranks[static_cast<std::size_t>(place)] = rank;
  }
  if (!subject.counts.empty()) {
    input_starts.push_back(0);
    for (const std::vector<std::int64_t>& row : subject.counts) {
      input_starts.push_back(std::accumulate(row.begin(), row.end(), input_starts.back()));
    }
    return;
  }
  const Grid line = make_grid({{{"m", members}}});
  blocks = cut(line, subject.n, {{0}, subject.split});
  starts.assign(blocks.starts.begin(), blocks.starts.end());
  is_contiguous = std::is_sorted(blocks.indices.begin(), blocks.indices.end());
}

Group group_of(const CollectiveSetup& setup, std::int64_t rank) {
  const Grid& grid = setup.grid;
  const MeshAxes rest = ((MeshAxes{1} << grid.axis_count) - 1) & ~setup.over;
  Group group;
  group.count = setup.members;
  group.self = cell_of(grid, setup.over, rank);
  group.ranks = std::span(setup.ranks)
                    .subspan(static_cast<std::size_t>(cell_of(grid, rest, rank) * setup.members),
                             static_cast<std::size_t>(setup.members));
  return group;
}

Held held_before(Collective collective) {
  switch (collective) {
    case Collective::all_gather:
    case Collective::gather: return Held::block;
    case Collective::broadcast:
    case Collective::scatter: return Held::at_root;
    case Collective::all_reduce:
    case Collective::reduce_scatter:
    case Collective::reduce:
    case Collective::all_to_all:
    case Collective::permute: return Held::whole;
  }
  return Held::whole;
}

Held held_after(Collective collective) {
  switch (collective) {
    case Collective::all_reduce:
    case Collective::all_gather:
    case Collective::broadcast: return Held::whole;
    case Collective::reduce_scatter:
    case Collective::scatter: return Held::block;
    case Collective::reduce:
    case Collective::gather: return Held::at_root;
    case Collective::all_to_all:
    case Collective::permute: return Held::other;
  }
  return Held::other;
}

std::vector<std::int64_t> owned_coordinates(const CollectiveSetup& setup, std::int64_t rank) {
  const CallsCase& subject = setup.subject;
  const std::int64_t self = group_of(setup, rank).self;
  const Collective last = subject.calls.back().collective;
  switch (held_after(last)) {
    case Held::whole: return ascending(subject.n);
    case Held::block: {
      const auto block = list_of(setup.blocks, self);
      return {block.begin(), block.end()};
    }
    case Held::at_root: return ascending(self == subject.root ? subject.n : 0);
    case Held::other: break;
  }
  if (last == Collective::all_to_all) return swapped_coordinates(setup, self);
  const auto source = std::find(subject.destinations.begin(), subject.destinations.end(), self);
  std::vector<std::int64_t> owned = ascending(source == subject.destinations.end() ? 0 : subject.n);
  for (std::int64_t& coordinate : owned) {
    coordinate += (source - subject.destinations.begin()) * subject.n;
  }
  return owned;
}

}  // namespace shardcheck::impl
