#include "simulated_plan.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/case/text.h>

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/plan/ledger.h>
#include "simulated_group.h"

namespace shardcheck::model {
namespace {

using Held = HeldSums;

std::vector<std::int64_t> elements(const ProductCase& subject, const Shard& shard) {
  std::vector<std::int64_t> result;
  for (const std::int64_t i : shard.rows) {
    for (const std::int64_t j : shard.columns) result.push_back(i * subject.j + j);
  }
  return result;
}

struct Machine {
  const ProductCase& subject;
  const ResolvedPlan& plan;
  Held held;
  Held partials{};  ///< what was held before any reduction

  Bits through_wire(Bits x) const {
    return convert(subject.dtypes.wire, subject.dtypes.acc,
                   convert(subject.dtypes.acc, subject.dtypes.wire, x));
  }

  Bits plus(Bits x, Bits y) const { return add(subject.dtypes.acc, x, y); }

  void local(const PlanState& before, const TensorState& after) {
    const Inputs inputs(subject);
    for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
      const auto index = static_cast<std::size_t>(rank);
      for (const std::int64_t c : elements(subject, after.shards[index])) {
        Bits sum = 0;
        for (const std::int64_t k : before.a.shards[index].columns) {
          const auto widened = [&](Bits bits) {
            return convert(subject.dtypes.in, subject.dtypes.acc, bits);
          };
          const Bits a = widened(inputs.at(Tensor::a, c / subject.j, k));
          const Bits b = widened(inputs.at(Tensor::b, k, c % subject.j));
          sum = plus(sum, multiply(subject.dtypes.acc, a, b));
        }
        held[{rank, c}] = sum;
      }
    }
    partials = held;
  }

  void schedule(std::size_t s) {
    const SimulatedSchedule simulated(subject, plan.steps[s], plan.states[s], plan.states[s + 1]);
    held = simulated.held();
    partials = simulated.sums();
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> sent;
    for (const Transfer& transfer : ledger(subject, plan)) {
      if (transfer.phase == static_cast<std::int64_t>(s)) {
        sent[{transfer.source, transfer.destination}] = transfer.bytes;
      }
    }
    EXPECT_EQ(simulated.sent(), sent) << print(subject);
  }

  /// One group's reduction, message by message, what is finished staying in acc.
  void reduce_group(const Step& step, const TensorState& before, const TensorState& after,
                    const std::vector<std::int64_t>& members, Held& next) const {
    const bool scatters = step.kind == Step::Kind::reduce_scatter;
    const Collective collective = scatters ? Collective::reduce_scatter : Collective::all_reduce;
    const auto all = elements(subject, before.shards[static_cast<std::size_t>(members[0])]);
    CallsCase in_group;
    in_group.n = static_cast<std::int64_t>(all.size());
    in_group.dtypes = {subject.dtypes.acc, subject.dtypes.acc, subject.dtypes.wire,
                       subject.dtypes.acc};
    in_group.calls = {{collective, algorithm_of(subject, collective)}};
    in_group.split.rule = Split::Rule::sets;
    std::vector<Elements> start;
    for (const std::int64_t member : members) {
      Elements& own = start.emplace_back();
      for (std::size_t p = 0; p < all.size(); ++p) {
        own[static_cast<std::int64_t>(p)] = held.at({member, all[p]});
      }
      IndexList& block = in_group.split.sets.emplace_back();
      for (const std::int64_t c :
           elements(subject, after.shards[static_cast<std::size_t>(member)])) {
        block.push_back(std::find(all.begin(), all.end(), c) - all.begin());
      }
    }
    SimulatedGroup group(in_group, std::move(start));
    group.run(in_group.calls[0]);
    for (std::size_t m = 0; m < members.size(); ++m) {
      for (const auto& [p, sum] : group.held()[m]) {
        next[{members[m], all[static_cast<std::size_t>(p)]}] = sum;
      }
    }
  }

  /// Whether a reduced element is sent on while it is still partial: to all members, or by halving
  /// to a member of the first pairs that left its part to the next one.
  bool is_sent_on(const Step& step, std::int64_t rank) const {
    const auto axis = static_cast<std::size_t>(step.mesh_axis);
    const std::int64_t members = subject.mesh.axes[axis].size;
    if (step.kind == Step::Kind::all_reduce) return members > 1;
    if (algorithm_of(subject, Collective::reduce_scatter) != Algorithm::halving) return false;
    std::int64_t power = 1;
    while (2 * power <= members) power *= 2;
    const std::int64_t member = coordinates(subject.mesh, rank)[axis];
    return member % 2 == 0 && member / 2 < members - power;
  }

  void reduce(const Step& step, const TensorState& before, const TensorState& after) {
    Held next;
    for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
      const auto members = group(subject.mesh, rank, step.mesh_axis);
      if (members.front() == rank) reduce_group(step, before, after, members, next);
    }
    for (auto& [place, sum] : next) {
      if (is_pending(after) && is_sent_on(step, place.first)) sum = through_wire(sum);
    }
    held = next;
  }

  bool is_pending(const TensorState& c) const {
    return c.partial_over.size() > subject.c.partial_over.size();
  }

  /// Who has element c for `rank`, before the step: somebody with its coordinates on every mesh
  /// axis but `movable` ones; itself first.
  std::int64_t source(std::int64_t rank, std::int64_t c, const std::vector<int>& movable) const {
    if (held.count({rank, c}) != 0) return rank;
    for (std::int64_t other = 0; other < rank_count(subject.mesh); ++other) {
      if (held.count({other, c}) == 0) continue;
      const auto here = coordinates(subject.mesh, rank);
      const auto there = coordinates(subject.mesh, other);
      bool fits = true;
      for (std::size_t axis = 0; axis < here.size(); ++axis) {
        const bool moves =
            std::find(movable.begin(), movable.end(), static_cast<int>(axis)) != movable.end();
        if (!moves && here[axis] != there[axis]) fits = false;
      }
      if (fits) return other;
    }
    ADD_FAILURE() << "nobody holds what must move";
    return rank;
  }

  void move(const Step& step, const TensorState& before, const TensorState& after) {
    std::vector<int> movable{step.mesh_axis};
    if (step.kind == Step::Kind::exchange) {
      movable = before.rows_over;
      movable.insert(movable.end(), before.columns_over.begin(), before.columns_over.end());
    }
    std::map<std::pair<std::int64_t, std::int64_t>, bool> travels;
    for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
      for (const std::int64_t c : elements(subject, after.shards[static_cast<std::size_t>(rank)])) {
        const std::int64_t from = source(rank, c, movable);
        if (from != rank) travels[{from, c}] = true;
      }
    }
    Held next;
    for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
      for (const std::int64_t c : elements(subject, after.shards[static_cast<std::size_t>(rank)])) {
        const std::int64_t from = source(rank, c, movable);
        const bool is_rounded = travels.count({from, c}) != 0 && is_pending(before);
        const Bits value = held.at({from, c});
        next[{rank, c}] = is_rounded ? through_wire(value) : value;
      }
    }
    held = next;
  }

  void run() {
    for (std::size_t s = 0; s < plan.steps.size(); ++s) {
      const Step& step = plan.steps[s];
      if (is_woven(step.kind)) {
        schedule(s);
        continue;
      }
      if (step.tensor != Tensor::c) continue;
      const PlanState& before = plan.states[s];
      const TensorState& after = *plan.states[s + 1].c;
      switch (step.kind) {
        case Step::Kind::local: local(before, after); break;
        case Step::Kind::reduce_scatter:
        case Step::Kind::all_reduce: reduce(step, *before.c, after); break;
        case Step::Kind::slice:
        case Step::Kind::gather:
        case Step::Kind::exchange: move(step, *before.c, after); break;
        case Step::Kind::gather_local:
        case Step::Kind::local_scatter:
        case Step::Kind::summa:
        case Step::Kind::cannon: break;
      }
    }
  }
};

}  // namespace

SimulatedSums simulate(const ProductCase& subject, const ResolvedPlan& plan) {
  Machine machine{subject, plan, {}};
  machine.run();
  return {machine.held, machine.partials};
}

}  // namespace shardcheck::model
