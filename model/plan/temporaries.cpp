#include "temporaries.h"

#include <algorithm>

#include "woven_steps.h"

namespace shardcheck::model {
namespace {

/// As it is stored, as it travels, and in another order.
constexpr std::int64_t copies = 3;
/// Columns of B that a local product may pack together.
constexpr std::int64_t panel_columns = 16;
constexpr std::int64_t width_min = 4;

std::int64_t elements(const Shard& shard) {
  return static_cast<std::int64_t>(shard.rows.size() * shard.columns.size());
}

std::int64_t elements_in_panels(const Shard& b) {
  const auto rows = static_cast<std::int64_t>(b.rows.size());
  const auto columns = static_cast<std::int64_t>(b.columns.size());
  return rows * ((columns + panel_columns - 1) / panel_columns * panel_columns);
}

const Shard& shard_of(const PlanState& state, Tensor tensor, std::size_t rank) {
  switch (tensor) {
    case Tensor::a: return state.a.shards[rank];
    case Tensor::b: return state.b.shards[rank];
    case Tensor::c: break;
  }
  return state.c->shards[rank];
}

/// Elements of what the local product reads and makes on one rank.
std::int64_t elements_multiplied(const ResolvedPlan& plan, std::size_t rank) {
  return elements(multiplied(plan).a.shards[rank]) +
         elements_in_panels(multiplied(plan).b.shards[rank]) + elements(born(plan).shards[rank]);
}

/// Elements of what the step reads and makes on one rank: of a schedule, what the steps do that it
/// stands for, those before the product and those after it.
std::int64_t elements_touched(const ResolvedPlan& plan, std::size_t place, std::size_t rank) {
  const Step& step = plan.steps[place];
  const PlanState& from = plan.states[place];
  const PlanState& to = plan.states[place + 1];
  if (!multiplies(step.kind)) {
    return elements(shard_of(from, step.tensor, rank)) + elements(shard_of(to, step.tensor, rank));
  }
  std::int64_t touched = 0;
  for (const Step& part : stands_for(step)) {
    if (part.kind == Step::Kind::local) {
      touched += elements_multiplied(plan, rank);
    } else if (part.tensor == Tensor::c) {
      touched += elements(born(plan).shards[rank]) + elements(to.c->shards[rank]);
    } else {
      touched +=
          elements(shard_of(from, part.tensor, rank)) + elements(shard_of(to, part.tensor, rank));
    }
  }
  return touched;
}

}  // namespace

std::vector<std::int64_t> temporary_bytes_max(const ProductCase& subject, const ResolvedPlan& plan,
                                              const std::vector<Transfer>& sent) {
  std::int64_t width = width_min;
  for (const Dtype dtype :
       {subject.dtypes.in, subject.dtypes.acc, subject.dtypes.wire, subject.dtypes.out}) {
    width = std::max<std::int64_t>(width, info(dtype).bytes);
  }
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(rank_count(subject.mesh)), 0);
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
      bytes[rank] += copies * width * elements_touched(plan, s, rank);
    }
  }
  for (const Transfer& transfer : sent) {
    bytes[static_cast<std::size_t>(transfer.source)] += transfer.bytes;
  }
  return bytes;
}

}  // namespace shardcheck::model
