#pragma once

/// A block of an operand that the members of a group hand on to one another: one is multiplied
/// while its successor is on the way.
///
///     MovingBlock block(run, turn, Tensor::a, mesh_axis);
///     block.start_hop(next, previous, previous);   // the first: what the previous member held
///     multiply(block.shard());                     // still the block before
///     block.finish_hop();                          // now it is the one that has arrived
///
/// There is room for two blocks, however many members there are. What the rank held at first is
/// sent and multiplied where it lies.

#include <array>
#include <cstdint>

#include <shardcheck/impl/collectives/partials.h>
#include <shardcheck/impl/rank/rank_run.h>

namespace shardcheck::impl {

class MovingBlock {
 public:
  /// Starts with what the rank holds of `tensor`, A or B. Announces the dtype.
  MovingBlock(RankRun& run, const Turn& turn, Tensor tensor, int mesh_axis);
  MovingBlock(const MovingBlock&) = delete;
  MovingBlock& operator=(const MovingBlock&) = delete;

  const Group& group() const { return member_.group; }
  /// What a member held at first. No elements.
  Shard lists_of(std::int64_t member) const;

  /// The block that is here, in dtype in.
  const Shard& shard() const { return here_; }

  /// Sends the block that is here to `destination`, and receives from `source` the one that
  /// `origin` held at first: all are other members. Requires: no hop is under way.
  void start_hop(std::int64_t destination, std::int64_t source, std::int64_t origin);
  /// Requires: a hop is under way.
  void finish_hop();

 private:
  RankRun& run_;
  TensorState held_;
  Member member_;
  std::int64_t width_;
  std::array<std::byte*, 2> rooms_{};
  std::size_t free_room_ = 0;
  Shard here_;
  Shard arriving_;
  Pending receive_;
  Pending send_;
};

}  // namespace shardcheck::impl
