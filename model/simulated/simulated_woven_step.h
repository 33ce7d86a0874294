#pragma once

/// For tests alone: a schedule carried out rank by rank with blocks that really move, as
/// docs/plans.md, "Woven steps", puts it, in the generic arithmetic of exact/format.h. Written
/// apart from the orders and the ledger of the model, which it judges.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/plan/rules.h>

namespace shardcheck::model {

/// By (rank, coordinate of C), dtype acc.
using HeldSums = std::map<std::pair<std::int64_t, std::int64_t>, Bits>;

class SimulatedSchedule {
 public:
  /// `before`, `after`: the states round the step.
  SimulatedSchedule(const ProductCase& subject, const Step& step, const PlanState& before,
                    const PlanState& after);

  /// The local sums, before any reduction.
  const HeldSums& sums() const { return sums_; }
  /// What the ranks hold in the end.
  const HeldSums& held() const { return held_; }
  /// Bytes by source and destination.
  const std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>& sent() const {
    return sent_;
  }

 private:
  /// What one rank has of A or B, widened to acc, by (row, column).
  struct Block {
    Shard shard;
    std::map<std::pair<std::int64_t, std::int64_t>, Bits> elements;
  };
  using Blocks = std::vector<Block>;  ///< by rank

  Blocks blocks_of(const ProductCase& subject, Tensor operand) const;
  static Block part_of(const Block& block, IndexList Shard::*list_of, const IndexList& kept);
  std::int64_t neighbour(std::int64_t rank, int mesh_axis, std::int64_t distance) const;
  std::int64_t member(std::int64_t rank, int mesh_axis) const;

  Block send(std::int64_t source, std::int64_t destination, const Block& block);
  Blocks shifted(const Blocks& blocks, int mesh_axis, const std::vector<std::int64_t>& distances);
  void multiply(std::int64_t rank, const Block& a, const Block& b, const IndexList& ks);
  Bits through_wire(Bits x) const;

  void gather_local();
  void local_scatter();
  void summa();
  void cannon();

  const ProductCase& subject_;
  const Step& step_;
  const PlanState& before_;
  const PlanState& after_;
  std::int64_t ranks_;
  Blocks a_;
  Blocks b_;
  HeldSums sums_;
  HeldSums held_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> sent_;
};

}  // namespace shardcheck::model
