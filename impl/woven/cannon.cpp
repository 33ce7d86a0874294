#include "cannon.h"

#include "moving_block.h"

namespace shardcheck::impl {
namespace {

/// Towards the members with lower numbers, `distance` places; `part` arrives.
void start_shift(MovingBlock& block, std::int64_t distance, std::int64_t part) {
  const Group& group = block.group();
  block.start_hop(wrapped(group, group.self - distance), wrapped(group, group.self + distance),
                  part);
}

/// Rank (x, y) gets part x + y of k of both operands.
void skew(MovingBlock& a, MovingBlock& b, std::int64_t x, std::int64_t y) {
  const std::int64_t part = wrapped(a.group(), x + y);
  if (x != 0) start_shift(a, x, part);
  if (y != 0) start_shift(b, y, part);
  if (x != 0) a.finish_hop();
  if (y != 0) b.finish_hop();
}

}  // namespace

void cannon(RankRun& run, const Turn& turn) {
  Shard c = run.held(turn.to.c, nullptr);
  std::byte* sums = run.room_for_sums(c.count());
  const Workspace::Mark mark = run.workspace.mark();
  MovingBlock a(run, turn, Tensor::a, turn.step.column_axis);
  MovingBlock b(run, turn, Tensor::b, turn.step.mesh_axis);
  const std::int64_t x = b.group().self;
  const std::int64_t y = a.group().self;
  const std::int64_t rounds = a.group().count;
  skew(a, b, x, y);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const bool is_last = round + 1 == rounds;
    if (!is_last) {
      const std::int64_t part = wrapped(a.group(), x + y + round + 1);
      start_shift(a, 1, part);
      start_shift(b, 1, part);
    }
    const Workspace::Mark round_mark = run.workspace.mark();
    const Indices ks = a.shard().columns;
    run.multiply(a.shard(), b.shard(), {c.rows, ks, c.columns}, {sums, c.column_count()},
                 round == 0 ? Sums::begin : Sums::go_on);
    run.note_ks(ks);
    run.workspace.release(round_mark);
    if (!is_last) {
      a.finish_hop();
      b.finish_hop();
    }
  }
  run.workspace.release(mark);
  c.elements = sums;
  run.c = c;
  run.note_partial(c.rows, c.columns, sums);
}

}  // namespace shardcheck::impl
