#include "gather_local.h"

#include "moving_block.h"

namespace shardcheck::impl {
namespace {

/// What stays the same while the blocks go round.
struct Still {
  bool moves_a = true;
  bool is_k_cut = true;  ///< by the mesh axis of the ring
  Shard other;           ///< the operand that doesn't move
  SumsWindow sums;       ///< all of C
};

/// Where the rows or columns of a member's block begin in C.
std::byte* window_start(const RankRun& run, const MovingBlock& block, const Still& still,
                        std::int64_t member) {
  std::int64_t before = 0;
  for (std::int64_t earlier = 0; earlier < member; ++earlier) {
    const Shard lists = block.lists_of(earlier);
    before += still.moves_a ? lists.row_count() * still.sums.row_step : lists.column_count();
  }
  return still.sums.elements + before * bytes_of(run.storage);
}

/// Multiplies the block that `member` held at first.
void multiply_block(RankRun& run, const MovingBlock& block, const Still& still, std::int64_t member,
                    Sums sums) {
  const Shard& moved = block.shard();
  const Shard& a = still.moves_a ? moved : still.other;
  const Shard& b = still.moves_a ? still.other : moved;
  if (still.is_k_cut) {
    const Indices ks = still.moves_a ? moved.columns : moved.rows;
    run.multiply(a, b, {a.rows, ks, b.columns}, still.sums, sums);
    run.note_ks(ks);
  } else {
    run.multiply(a, b, {a.rows, a.columns, b.columns},
                 {window_start(run, block, still, member), still.sums.row_step}, Sums::begin);
  }
}

}  // namespace

void gather_local(RankRun& run, const Turn& turn) {
  const int mesh_axis = turn.step.mesh_axis;
  Shard c = run.held(turn.to.c, nullptr);
  Still still;
  still.sums = {run.room_for_sums(c.count()), c.column_count()};
  const Workspace::Mark mark = run.workspace.mark();
  still.moves_a = turn.step.tensor == Tensor::a;
  const ListsId k = still.moves_a ? turn.from.a.columns : turn.from.b.rows;
  still.is_k_cut = (run.pool.over(k) & only(mesh_axis)) != 0;
  still.other = still.moves_a ? run.b : run.a;
  if (still.moves_a && !still.is_k_cut) {
    still.other = run.rows_in_order(still.other, run.a.columns);
  }

  MovingBlock block(run, turn, turn.step.tensor, mesh_axis);
  const Group& ring = block.group();
  const std::int64_t next = wrapped(ring, ring.self + 1);
  const std::int64_t previous = wrapped(ring, ring.self - 1);
  for (std::int64_t step = 0; step < ring.count; ++step) {
    const bool is_last = step + 1 == ring.count;
    if (!is_last) block.start_hop(next, previous, wrapped(ring, previous - step));
    multiply_block(run, block, still, wrapped(ring, ring.self - step),
                   step == 0 ? Sums::begin : Sums::go_on);
    if (!is_last) block.finish_hop();
  }
  // Every block of an outer axis was multiplied with the same k's.
  if (!still.is_k_cut) run.note_ks(run.a.columns);
  run.workspace.release(mark);
  c.elements = still.sums.elements;
  run.c = c;
  run.note_partial(c.rows, c.columns, c.elements);
}

}  // namespace shardcheck::impl
