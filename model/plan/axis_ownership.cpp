#include "axis_ownership.h"

#include <algorithm>
#include <utility>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::model {

namespace {

enum class Question : std::uint64_t { kept, kept_balanced, joined, exchanged, same_sets, overlaps };

std::uint64_t key_of(Question question, AxisId id, std::uint64_t how, AxisId reference) {
  return static_cast<std::uint64_t>(question) << 60 | how << 48 |
         static_cast<std::uint64_t>(id) << 24 | static_cast<std::uint64_t>(reference + 1);
}

bool has(MeshAxes set, std::size_t mesh_axis) { return (set >> mesh_axis & 1) != 0; }

IndexList sorted(IndexList list) {
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

AxisStore::AxisStore(const Mesh& mesh)
    : mesh_(mesh),
      rank_count_(static_cast<std::size_t>(rank_count(mesh))),
      part_by_rank_(std::size_t{1} << mesh.axes.size()) {
  stored_.reserve(32);
}

std::size_t AxisStore::part_count(MeshAxes over) const {
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < mesh_.axes.size(); ++axis) {
    if (has(over, axis)) count *= static_cast<std::size_t>(mesh_.axes[axis].size);
  }
  return count;
}

const std::vector<std::size_t>& AxisStore::part_by_rank(MeshAxes over) const {
  std::vector<std::size_t>& part = part_by_rank_[over];
  if (!part.empty()) return part;
  part.assign(rank_count_, 0);
  for (std::size_t rank = 0; rank < rank_count_; ++rank) {
    std::size_t rest = rank;
    std::size_t stride = 1;
    for (std::size_t axis = mesh_.axes.size(); axis-- > 0;) {
      const auto size = static_cast<std::size_t>(mesh_.axes[axis].size);
      if (has(over, axis)) {
        part[rank] += rest % size * stride;
        stride *= size;
      }
      rest /= size;
    }
  }
  return part;
}

std::vector<std::size_t> AxisStore::one_rank_a_part(MeshAxes over) const {
  std::vector<std::size_t> ranks(part_count(over));
  const std::vector<std::size_t>& part = part_by_rank(over);
  for (std::size_t rank = rank_count_; rank-- > 0;) ranks[part[rank]] = rank;
  return ranks;
}

AxisId AxisStore::intern(AxisOwnership axis) {
  for (std::size_t id = 0; id < stored_.size(); ++id) {
    if (stored_[id].axis == axis) return static_cast<AxisId>(id);
  }
  stored_.push_back({std::move(axis), std::vector<std::vector<int>>(mesh_.axes.size())});
  return static_cast<AxisId>(stored_.size() - 1);
}

AxisId AxisStore::of_cut(const Cut& cut, std::int64_t extent) {
  std::vector<std::int64_t> part_counts;
  MeshAxes over = 0;
  for (const int axis : cut.over) {
    part_counts.push_back(mesh_.axes[static_cast<std::size_t>(axis)].size);
    over |= axis_bit(axis);
  }
  std::vector<IndexList> nested = parts(cut.split, extent, part_counts);
  if (std::is_sorted(cut.over.begin(), cut.over.end())) return intern({over, std::move(nested)});
  // The layout nests the mesh axes in another order than the mesh has them.
  AxisOwnership axis{over, std::vector<IndexList>(nested.size())};
  for (std::size_t rank = 0; rank < rank_count_; ++rank) {
    const std::vector<std::int64_t> at = coordinates(mesh_, static_cast<std::int64_t>(rank));
    std::int64_t number = 0;
    for (const int outer : cut.over) {
      const auto index = static_cast<std::size_t>(outer);
      number = number * mesh_.axes[index].size + at[index];
    }
    axis.lists[part_by_rank(over)[rank]] = nested[static_cast<std::size_t>(number)];
  }
  return intern(std::move(axis));
}

AxisId AxisStore::of_lists(MeshAxes over, const std::vector<const IndexList*>& by_rank) {
  AxisOwnership axis{over, std::vector<IndexList>(part_count(over))};
  const std::vector<std::size_t>& part = part_by_rank(over);
  for (std::size_t rank = 0; rank < rank_count_; ++rank) axis.lists[part[rank]] = *by_rank[rank];
  return intern(std::move(axis));
}

const IndexList& AxisStore::list(AxisId id, std::int64_t rank) const {
  const AxisOwnership& axis = stored(id).axis;
  return axis.lists[part_by_rank(axis.over)[static_cast<std::size_t>(rank)]];
}

/// For each index of the axis the coordinate on `mesh_axis` of the ranks that hold it: G as a map.
const std::vector<int>& AxisStore::owners(AxisId id, int mesh_axis) {
  Stored& entry = stored_[static_cast<std::size_t>(id)];
  std::vector<int>& owner = entry.owners[static_cast<std::size_t>(mesh_axis)];
  if (!owner.empty()) return owner;
  std::size_t extent = 0;
  for (const IndexList& list : entry.axis.lists) extent += list.size();
  owner.assign(extent, 0);
  const std::size_t stride = part_count(entry.axis.over & ~(axis_bit(mesh_axis + 1) - 1));
  const auto size = static_cast<std::size_t>(mesh_.axes[static_cast<std::size_t>(mesh_axis)].size);
  for (std::size_t part = 0; part < entry.axis.lists.size(); ++part) {
    for (const std::int64_t index : entry.axis.lists[part]) {
      owner[static_cast<std::size_t>(index)] = static_cast<int>(part / stride % size);
    }
  }
  return owner;
}

AxisId AxisStore::kept(AxisId id, int mesh_axis, AxisId reference) {
  const std::uint64_t key =
      key_of(Question::kept, id, static_cast<std::uint64_t>(mesh_axis), reference);
  if (const auto found = results_.find(key); found != results_.end()) return found->second;
  SHARDCHECK_REQUIRE((over(reference) & axis_bit(mesh_axis)) != 0, "the reference is cut over it");
  AxisOwnership result{over(id) | axis_bit(mesh_axis), {}};
  result.lists.resize(part_count(result.over));
  const std::vector<int> owner = owners(reference, mesh_axis);
  const std::size_t stride = part_count(result.over & ~(axis_bit(mesh_axis + 1) - 1));
  const auto size = static_cast<std::size_t>(mesh_.axes[static_cast<std::size_t>(mesh_axis)].size);
  for (std::size_t part = 0; part < result.lists.size(); ++part) {
    const std::size_t coordinate = part / stride % size;
    const std::size_t held = part / (stride * size) * stride + part % stride;
    for (const std::int64_t index : stored(id).axis.lists[held]) {
      if (static_cast<std::size_t>(owner[static_cast<std::size_t>(index)]) == coordinate) {
        result.lists[part].push_back(index);
      }
    }
  }
  return results_[key] = intern(std::move(result));
}

AxisId AxisStore::kept_balanced(AxisId id, int mesh_axis) {
  const std::uint64_t key =
      key_of(Question::kept_balanced, id, static_cast<std::uint64_t>(mesh_axis), no_axis);
  if (const auto found = results_.find(key); found != results_.end()) return found->second;
  AxisOwnership result{over(id) | axis_bit(mesh_axis), {}};
  result.lists.resize(part_count(result.over));
  const std::size_t stride = part_count(result.over & ~(axis_bit(mesh_axis + 1) - 1));
  const std::int64_t size = mesh_.axes[static_cast<std::size_t>(mesh_axis)].size;
  for (std::size_t held = 0; held < stored(id).axis.lists.size(); ++held) {
    const IndexList& whole = stored(id).axis.lists[held];
    const std::vector<IndexList> positions =
        parts(Split{}, static_cast<std::int64_t>(whole.size()), {size});
    for (std::size_t member = 0; member < positions.size(); ++member) {
      const std::size_t part =
          (held / stride * static_cast<std::size_t>(size) + member) * stride + held % stride;
      for (const std::int64_t position : positions[member]) {
        result.lists[part].push_back(whole[static_cast<std::size_t>(position)]);
      }
    }
  }
  return results_[key] = intern(std::move(result));
}

AxisId AxisStore::joined(AxisId id, int mesh_axis) {
  const std::uint64_t key =
      key_of(Question::joined, id, static_cast<std::uint64_t>(mesh_axis), no_axis);
  if (const auto found = results_.find(key); found != results_.end()) return found->second;
  const AxisOwnership& before = stored(id).axis;
  SHARDCHECK_REQUIRE((before.over & axis_bit(mesh_axis)) != 0, "only a cut axis can be joined");
  AxisOwnership result{before.over & ~axis_bit(mesh_axis), {}};
  result.lists.resize(part_count(result.over));
  const std::size_t stride = part_count(before.over & ~(axis_bit(mesh_axis + 1) - 1));
  const auto size = static_cast<std::size_t>(mesh_.axes[static_cast<std::size_t>(mesh_axis)].size);
  for (std::size_t part = 0; part < before.lists.size(); ++part) {
    IndexList& whole = result.lists[part / (stride * size) * stride + part % stride];
    whole.insert(whole.end(), before.lists[part].begin(), before.lists[part].end());
  }
  return results_[key] = intern(std::move(result));
}

AxisId AxisStore::exchanged(AxisId id, MeshAxes over_after, AxisId reference) {
  if ((over_after & ~(over(reference) | over(id))) != 0) return no_axis;
  const std::uint64_t key = key_of(Question::exchanged, id, over_after, reference);
  if (const auto found = results_.find(key); found != results_.end()) return found->second;
  const AxisId result = make_exchanged(id, over_after, reference);
  return results_[key] = result;
}

AxisId AxisStore::make_exchanged(AxisId id, MeshAxes over_after, AxisId reference) {
  AxisOwnership result{over_after, {}};
  result.lists.resize(part_count(over_after));
  std::size_t extent = 0;
  for (const IndexList& list : stored(id).axis.lists) extent += list.size();
  std::vector<std::size_t> part(extent, 0);
  for (std::size_t axis = 0; axis < mesh_.axes.size(); ++axis) {
    if (!has(over_after, axis)) continue;
    const AxisId source = has(over(reference), axis) ? reference : id;
    const std::vector<int>& owner = owners(source, static_cast<int>(axis));
    for (std::size_t index = 0; index < extent; ++index) {
      part[index] = part[index] * static_cast<std::size_t>(mesh_.axes[axis].size) +
                    static_cast<std::size_t>(owner[index]);
    }
  }
  for (std::size_t index = 0; index < extent; ++index) {
    result.lists[part[index]].push_back(static_cast<std::int64_t>(index));
  }
  if (keeps_sets_of(result, reference)) {
    for (std::size_t rank = 0; rank < rank_count_; ++rank) {
      result.lists[part_by_rank(over_after)[rank]] = list(reference, static_cast<int>(rank));
    }
  }
  return intern(std::move(result));
}

/// Requires: the lists of `axis` are ascending.
bool AxisStore::keeps_sets_of(const AxisOwnership& axis, AxisId reference) const {
  for (const std::size_t rank : one_rank_a_part(axis.over | over(reference))) {
    const IndexList& mine = axis.lists[part_by_rank(axis.over)[rank]];
    const IndexList& theirs = list(reference, static_cast<std::int64_t>(rank));
    if (mine.size() != theirs.size() || mine != sorted(theirs)) return false;
  }
  return true;
}

bool AxisStore::same_sets(AxisId left, AxisId right) {
  if (left == right) return true;
  const std::uint64_t key = key_of(Question::same_sets, left, 0, right);
  if (const auto found = results_.find(key); found != results_.end()) return found->second != 0;
  bool same = true;
  for (const std::size_t rank : one_rank_a_part(over(left) | over(right))) {
    const IndexList& mine = list(left, static_cast<std::int64_t>(rank));
    const IndexList& theirs = list(right, static_cast<std::int64_t>(rank));
    same = same && mine.size() == theirs.size() && sorted(mine) == sorted(theirs);
  }
  results_[key] = same ? 1 : 0;
  return same;
}

const std::vector<std::int64_t>& AxisStore::overlaps(AxisId left, AxisId right) {
  std::vector<std::int64_t>& counts = overlaps_[key_of(Question::overlaps, left, 0, right)];
  if (!counts.empty()) return counts;
  counts.assign(rank_count_, 0);
  const MeshAxes both = over(left) | over(right);
  const std::vector<std::size_t> asked = one_rank_a_part(both);
  for (const std::size_t rank : asked) {
    const std::size_t mine = part_by_rank(over(left))[rank];
    for (const std::int64_t index : list(right, static_cast<std::int64_t>(rank))) {
      std::size_t holder = 0;
      for (std::size_t axis = 0; axis < mesh_.axes.size(); ++axis) {
        if (!has(over(left), axis)) continue;
        holder = holder * static_cast<std::size_t>(mesh_.axes[axis].size) +
                 static_cast<std::size_t>(
                     owners(left, static_cast<int>(axis))[static_cast<std::size_t>(index)]);
      }
      counts[rank] += holder == mine ? 1 : 0;
    }
  }
  for (std::size_t rank = 0; rank < rank_count_; ++rank) {
    counts[rank] = counts[asked[part_by_rank(both)[rank]]];
  }
  return counts;
}

}  // namespace shardcheck::model
