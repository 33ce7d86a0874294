#include "local_scatter.h"

#include <algorithm>
#include <array>

#include <shardcheck/impl/collectives/partials.h>

namespace shardcheck::impl {
namespace {

/// This rank's partials, block by block.
class Blocks {
 public:
  Blocks(RankRun& run, const Turn& turn, const Group& group)
      : run_(run),
        lists_(turn.to.c),
        group_(group),
        a_(run.a),
        b_(run.rows_in_order(run.b, a_.columns)) {
    std::int64_t longest = 0;
    for (std::int64_t member = 0; member < group.count; ++member) {
      longest = std::max(longest, count_of(member));
    }
    longest_ = longest;
    for (std::byte*& room : rooms_) room = run.workspace.take(longest * bytes_of(run.storage));
  }

  std::int64_t longest() const { return longest_; }
  std::int64_t count_of(std::int64_t member) const { return lists_of(member).count(); }

  /// What `member` keeps, as this rank has it. Takes the room of the block before the last one.
  std::byte* multiply(std::int64_t member) {
    std::byte* sums = rooms_[free_room_];
    free_room_ = 1 - free_room_;
    const Shard block = lists_of(member);
    run_.multiply(a_, b_, {block.rows, a_.columns, block.columns}, {sums, block.column_count()},
                  Sums::begin);
    run_.note_partial(block.rows, block.columns, sums);
    return sums;
  }

 private:
  Shard lists_of(std::int64_t member) const {
    const std::int64_t rank = rank_of(group_, member);
    return {run_.pool.held(lists_.rows, rank), run_.pool.held(lists_.columns, rank), nullptr};
  }

  RankRun& run_;
  TensorState lists_;
  const Group& group_;
  Shard a_;
  Shard b_;
  std::int64_t longest_ = 0;
  std::array<std::byte*, 2> rooms_{};
  std::size_t free_room_ = 0;
};

}  // namespace

void local_scatter(RankRun& run, const Turn& turn) {
  const Group ring = group_along(run.pool.grid(), turn.step.mesh_axis, run.rank);
  const Member member{run.endpoint, ring, turn.phase, run.workspace};
  const Reduction reduction = run.reduction_to(turn.to);
  Blocks blocks(run, turn, ring);
  run.note_ks(run.a.columns);
  const PartialSender sender(member, reduction, blocks.longest());
  const std::int64_t next = wrapped(ring, ring.self + 1);
  const std::int64_t previous = wrapped(ring, ring.self - 1);
  std::int64_t due = previous;
  std::byte* sums = blocks.multiply(due);
  for (std::int64_t step = 0; step + 1 < ring.count; ++step) {
    const Pending sent = sender.start(next, sums, blocks.count_of(due));
    due = wrapped(ring, due - 1);
    sums = blocks.multiply(due);
    // Added straight from where the sender has it, so that the receive starts after the product.
    receive_partials(member, previous, reduction, Side::left, sums, blocks.count_of(due));
    run.endpoint.wait(sent);
  }
  run.c = run.held(turn.to.c, sums);
}

}  // namespace shardcheck::impl
