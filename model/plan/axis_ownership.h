#pragma once

/// One axis of one tensor while a plan runs: which mesh axes cut it, and the index list of every
/// part; and what a step does to it (docs/plans.md, "Index lists" and "Steps").
///
/// Every step acts on each axis by itself, and a rank's list depends on the rank's coordinates over
/// the cutting mesh axes alone. So a plan is a walk over a handful of these, and a search that
/// meets one of them again need not work it out again: equal contents have equal ids.
///
///     AxisStore store(mesh);
///     const AxisId k = store.of_cut(subject.a.columns, subject.k);
///     store.list(store.joined(k, 0), rank)      // what `gather:A/x` leaves to a rank

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <shardcheck/model/case/layout.h>
#include <shardcheck/model/case/mesh.h>

#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck::model {

/// A set of mesh axes: bit x stands for Mesh::axes[x].
using MeshAxes = std::uint32_t;

inline MeshAxes axis_bit(int mesh_axis) { return MeshAxes{1} << mesh_axis; }

/// Index of an AxisOwnership in its store.
using AxisId = int;

inline constexpr AxisId no_axis = -1;

struct AxisOwnership {
  MeshAxes over = 0;
  /// By part: one a combination of coordinates on `over`, row-major, the last mesh axis fastest.
  /// They partition the axis.
  std::vector<IndexList> lists;

  bool operator==(const AxisOwnership&) const = default;
};

/// One thread. The mesh must outlive it. What is asked again is remembered.
class AxisStore {
 public:
  explicit AxisStore(const Mesh& mesh);

  AxisId of_cut(const Cut& cut, std::int64_t extent);

  /// By rank. Requires: ranks that agree on their coordinates over `over` have the same list.
  AxisId of_lists(MeshAxes over, const std::vector<const IndexList*>& by_rank);

  MeshAxes over(AxisId id) const { return stored(id).axis.over; }
  const IndexList& list(AxisId id, std::int64_t rank) const;

  /// Cut over `mesh_axis` too, by the G of `reference`, in the order held. Requires: `mesh_axis`
  /// cuts `reference` and not `id`.
  AxisId kept(AxisId id, int mesh_axis, AxisId reference);

  /// Cut over `mesh_axis` too, `balanced` by position in the list held.
  AxisId kept_balanced(AxisId id, int mesh_axis);

  /// The lists of each group joined in the order of its members. Requires: `mesh_axis` cuts it.
  AxisId joined(AxisId id, int mesh_axis);

  /// Cut anew over exactly `over`, as an exchange does; no_axis if neither `reference` nor `id` is
  /// cut over one of them.
  AxisId exchanged(AxisId id, MeshAxes over, AxisId reference);

  /// Every rank holds the same set of indices in both.
  bool same_sets(AxisId left, AxisId right);

  /// By rank: how many indices it holds in both.
  const std::vector<std::int64_t>& overlaps(AxisId left, AxisId right);

 private:
  struct Stored {
    AxisOwnership axis;
    std::vector<std::vector<int>> owners;  ///< by mesh axis, by index; empty until asked for
  };

  const Stored& stored(AxisId id) const { return stored_[static_cast<std::size_t>(id)]; }
  AxisId intern(AxisOwnership axis);
  std::size_t part_count(MeshAxes over) const;
  const std::vector<std::size_t>& part_by_rank(MeshAxes over) const;
  std::vector<std::size_t> one_rank_a_part(MeshAxes over) const;  ///< by part, the lowest rank
  const std::vector<int>& owners(AxisId id, int mesh_axis);
  AxisId make_kept(AxisId id, int mesh_axis, const std::vector<int>& owner);
  AxisId make_exchanged(AxisId id, MeshAxes over, AxisId reference);
  bool keeps_sets_of(const AxisOwnership& axis, AxisId reference) const;

  const Mesh& mesh_;
  std::size_t rank_count_ = 1;
  std::vector<Stored> stored_;
  mutable std::vector<std::vector<std::size_t>> part_by_rank_;  ///< by MeshAxes; empty until asked
  std::unordered_map<std::uint64_t, AxisId> results_;
  std::unordered_map<std::uint64_t, std::vector<std::int64_t>> overlaps_;
};

}  // namespace shardcheck::model
