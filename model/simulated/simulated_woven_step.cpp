#include "simulated_woven_step.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <shardcheck/model/exact/format.h>

namespace shardcheck::model {
namespace {

std::vector<std::int64_t> places(const ProductCase& subject, const Shard& c) {
  std::vector<std::int64_t> result;
  for (const std::int64_t i : c.rows) {
    for (const std::int64_t j : c.columns) result.push_back(i * subject.j + j);
  }
  return result;
}

bool is_in(const IndexList& list, std::int64_t index) {
  return std::find(list.begin(), list.end(), index) != list.end();
}

bool is_cut(const std::vector<int>& over, int mesh_axis) {
  return std::find(over.begin(), over.end(), mesh_axis) != over.end();
}

}  // namespace

SimulatedSchedule::SimulatedSchedule(const ProductCase& subject, const Step& step,
                                     const PlanState& before, const PlanState& after)
    : subject_(subject),
      step_(step),
      before_(before),
      after_(after),
      ranks_(rank_count(subject.mesh)),
      a_(blocks_of(subject, Tensor::a)),
      b_(blocks_of(subject, Tensor::b)) {
  switch (step.kind) {
    case Step::Kind::gather_local: gather_local(); break;
    case Step::Kind::local_scatter: local_scatter(); return;
    case Step::Kind::summa: summa(); break;
    case Step::Kind::cannon: cannon(); break;
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: ADD_FAILURE() << "no schedule"; break;
  }
  // Elements without a k begin and end with +0.
  for (std::int64_t rank = 0; rank < ranks_; ++rank) {
    for (const std::int64_t c : places(subject, after.c->shards[static_cast<std::size_t>(rank)])) {
      sums_.insert({{rank, c}, 0});
    }
  }
  held_ = sums_;
}

SimulatedSchedule::Blocks SimulatedSchedule::blocks_of(const ProductCase& subject,
                                                       Tensor operand) const {
  const Inputs inputs(subject);
  Blocks blocks;
  for (const Shard& shard : (operand == Tensor::a ? before_.a : before_.b).shards) {
    Block& block = blocks.emplace_back(Block{shard, {}});
    for (const std::int64_t row : shard.rows) {
      for (const std::int64_t column : shard.columns) {
        block.elements[{row, column}] =
            convert(subject.dtypes.in, subject.dtypes.acc, inputs.at(operand, row, column));
      }
    }
  }
  return blocks;
}

/// Its rows or columns that are kept, in the order in which they stand in `kept`.
SimulatedSchedule::Block SimulatedSchedule::part_of(const Block& block, IndexList Shard::*list_of,
                                                    const IndexList& kept) {
  Block part{block.shard, {}};
  part.shard.*list_of = kept;
  for (const std::int64_t row : part.shard.rows) {
    for (const std::int64_t column : part.shard.columns) {
      part.elements[{row, column}] = block.elements.at({row, column});
    }
  }
  return part;
}

std::int64_t SimulatedSchedule::member(std::int64_t rank, int mesh_axis) const {
  return coordinates(subject_.mesh, rank)[static_cast<std::size_t>(mesh_axis)];
}

/// The rank that lies so far on along a mesh axis, which is a ring.
std::int64_t SimulatedSchedule::neighbour(std::int64_t rank, int mesh_axis,
                                          std::int64_t distance) const {
  std::vector<std::int64_t> at = coordinates(subject_.mesh, rank);
  std::int64_t& moved = at[static_cast<std::size_t>(mesh_axis)];
  const std::int64_t size = subject_.mesh.axes[static_cast<std::size_t>(mesh_axis)].size;
  moved = ((moved + distance) % size + size) % size;
  std::int64_t result = 0;
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    result = result * subject_.mesh.axes[axis].size + at[axis];
  }
  return result;
}

SimulatedSchedule::Block SimulatedSchedule::send(std::int64_t source, std::int64_t destination,
                                                 const Block& block) {
  if (source != destination && !block.elements.empty()) {
    sent_[{source, destination}] +=
        static_cast<std::int64_t>(block.elements.size()) * info(subject_.dtypes.in).bytes;
  }
  return block;
}

/// All ranks send at once, each as far along the mesh axis as `distances` says of it.
SimulatedSchedule::Blocks SimulatedSchedule::shifted(const Blocks& blocks, int mesh_axis,
                                                     const std::vector<std::int64_t>& distances) {
  Blocks received(blocks.size());
  for (std::int64_t rank = 0; rank < ranks_; ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    const std::int64_t to = neighbour(rank, mesh_axis, distances[index]);
    received[static_cast<std::size_t>(to)] = send(rank, to, blocks[index]);
  }
  return received;
}

/// Goes on with the sums of every row of `a` and column of `b`.
void SimulatedSchedule::multiply(std::int64_t rank, const Block& a, const Block& b,
                                 const IndexList& ks) {
  const Dtype acc = subject_.dtypes.acc;
  for (const std::int64_t i : a.shard.rows) {
    for (const std::int64_t j : b.shard.columns) {
      Bits& sum = sums_[{rank, i * subject_.j + j}];
      for (const std::int64_t k : ks) {
        sum = add(acc, sum,
                  shardcheck::model::multiply(acc, a.elements.at({i, k}), b.elements.at({k, j})));
      }
    }
  }
}

Bits SimulatedSchedule::through_wire(Bits x) const {
  return convert(subject_.dtypes.wire, subject_.dtypes.acc,
                 convert(subject_.dtypes.acc, subject_.dtypes.wire, x));
}

void SimulatedSchedule::gather_local() {
  const bool is_a = step_.tensor == Tensor::a;
  Blocks& moving = is_a ? a_ : b_;
  const Blocks own_a = a_;
  const Blocks& own = is_a ? b_ : a_;
  const bool cuts_k = is_cut(is_a ? before_.a.columns_over : before_.b.rows_over, step_.mesh_axis);
  const std::int64_t size = subject_.mesh.axes[static_cast<std::size_t>(step_.mesh_axis)].size;
  for (std::int64_t turn = 0; turn < size; ++turn) {
    for (std::size_t rank = 0; rank < moving.size(); ++rank) {
      const Block& arrived = moving[rank];
      const IndexList& arrived_ks = is_a ? arrived.shard.columns : arrived.shard.rows;
      multiply(static_cast<std::int64_t>(rank), is_a ? arrived : own[rank],
               is_a ? own[rank] : arrived, cuts_k ? arrived_ks : own_a[rank].shard.columns);
    }
    if (turn + 1 == size) break;
    moving =
        shifted(moving, step_.mesh_axis, std::vector<std::int64_t>(moving.size(), std::int64_t{1}));
  }
}

void SimulatedSchedule::summa() {
  const std::int64_t along_x = subject_.mesh.axes[static_cast<std::size_t>(step_.mesh_axis)].size;
  const std::int64_t along_y = subject_.mesh.axes[static_cast<std::size_t>(step_.column_axis)].size;
  for (std::int64_t q = 0; q < along_y; ++q) {
    for (std::int64_t p = 0; p < along_x; ++p) {
      for (std::int64_t rank = 0; rank < ranks_; ++rank) {
        const std::int64_t from_a =
            neighbour(rank, step_.column_axis, q - member(rank, step_.column_axis));
        const std::int64_t from_b =
            neighbour(rank, step_.mesh_axis, p - member(rank, step_.mesh_axis));
        const Block& a = a_[static_cast<std::size_t>(from_a)];
        const Block& b = b_[static_cast<std::size_t>(from_b)];
        IndexList panel;
        for (const std::int64_t k : a.shard.columns) {
          if (is_in(b.shard.rows, k)) panel.push_back(k);
        }
        multiply(rank, send(from_a, rank, part_of(a, &Shard::columns, panel)),
                 send(from_b, rank, part_of(b, &Shard::rows, panel)), panel);
      }
    }
  }
}

void SimulatedSchedule::cannon() {
  const std::int64_t p = subject_.mesh.axes[static_cast<std::size_t>(step_.mesh_axis)].size;
  std::vector<std::int64_t> skew_a;
  std::vector<std::int64_t> skew_b;
  for (std::int64_t rank = 0; rank < ranks_; ++rank) {
    skew_a.push_back(-member(rank, step_.mesh_axis));
    skew_b.push_back(-member(rank, step_.column_axis));
  }
  a_ = shifted(a_, step_.column_axis, skew_a);
  b_ = shifted(b_, step_.mesh_axis, skew_b);
  const std::vector<std::int64_t> back(a_.size(), std::int64_t{-1});
  for (std::int64_t turn = 0; turn < p; ++turn) {
    for (std::size_t rank = 0; rank < a_.size(); ++rank) {
      EXPECT_EQ(a_[rank].shard.columns, b_[rank].shard.rows) << "blocks that don't meet";
      multiply(static_cast<std::int64_t>(rank), a_[rank], b_[rank], a_[rank].shard.columns);
    }
    if (turn + 1 == p) break;
    a_ = shifted(a_, step_.column_axis, back);
    b_ = shifted(b_, step_.mesh_axis, back);
  }
}

/// Block b starts on member b + 1 and ends on member b, each adding what it has of it.
void SimulatedSchedule::local_scatter() {
  for (std::size_t rank = 0; rank < a_.size(); ++rank) {
    multiply(static_cast<std::int64_t>(rank), a_[rank], b_[rank], a_[rank].shard.columns);
  }
  const std::int64_t size = subject_.mesh.axes[static_cast<std::size_t>(step_.mesh_axis)].size;
  for (std::int64_t owner = 0; owner < ranks_; ++owner) {
    for (const std::int64_t c :
         places(subject_, after_.c->shards[static_cast<std::size_t>(owner)])) {
      std::int64_t at = neighbour(owner, step_.mesh_axis, 1);
      Bits running = sums_.at({at, c});
      for (std::int64_t hop = 1; hop < size; ++hop) {
        const std::int64_t to = neighbour(at, step_.mesh_axis, 1);
        sent_[{at, to}] += info(subject_.dtypes.wire).bytes;
        running = add(subject_.dtypes.acc, through_wire(running), sums_.at({to, c}));
        at = to;
      }
      held_[{owner, c}] = running;
    }
  }
}

}  // namespace shardcheck::model
