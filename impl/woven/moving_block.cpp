#include "moving_block.h"

#include <algorithm>

namespace shardcheck::impl {

MovingBlock::MovingBlock(RankRun& run, const Turn& turn, Tensor tensor, int mesh_axis)
    : run_(run),
      held_(tensor_of(turn.from, tensor)),
      member_{run.endpoint, group_along(run.pool.grid(), mesh_axis, run.rank), turn.phase,
              run.workspace},
      width_(info(run.subject.dtypes.in).bytes),
      here_(run.shard_of(tensor)) {
  announce(member_, run.subject.dtypes.in);
  if (group().count == 1) return;
  std::int64_t longest = 0;
  for (std::int64_t member = 0; member < group().count; ++member) {
    longest = std::max(longest, lists_of(member).count());
  }
  for (std::byte*& room : rooms_) room = run.workspace.take(longest * width_);
}

Shard MovingBlock::lists_of(std::int64_t member) const {
  const std::int64_t rank = rank_of(group(), member);
  return {run_.pool.held(held_.rows, rank), run_.pool.held(held_.columns, rank), nullptr};
}

void MovingBlock::start_hop(std::int64_t destination, std::int64_t source, std::int64_t origin) {
  std::byte* room = rooms_[free_room_];
  arriving_ = lists_of(origin);
  arriving_.elements = room;
  receive_ = start_receive(member_, source, room, arriving_.count() * width_);
  send_ = start_send(member_, destination, here_.elements, here_.count() * width_);
}

void MovingBlock::finish_hop() {
  run_.endpoint.wait(receive_);
  run_.endpoint.wait(send_);
  here_ = arriving_;
  free_room_ = 1 - free_room_;
}

}  // namespace shardcheck::impl
