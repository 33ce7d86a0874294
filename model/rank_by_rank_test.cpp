#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <shardcheck/model/case/inputs.h>
#include <shardcheck/model/case/text.h>

#include "collective/simulated_group.h"
#include "exact/format.h"
#include "values.h"

// Values computes one element at a time, for all ranks together, in native arithmetic. Here the
// same plans are carried out rank by rank, step by step, in the generic arithmetic, as
// docs/plans.md puts it; and the plans are all legal ones up to a length.

namespace shardcheck::model {
namespace {

/// By (rank, coordinate), dtype acc.
using Held = std::map<std::pair<std::int64_t, std::int64_t>, Bits>;

std::vector<std::int64_t> elements(const Case& subject, const Shard& shard) {
  std::vector<std::int64_t> result;
  for (const std::int64_t i : shard.rows) {
    for (const std::int64_t j : shard.columns) result.push_back(i * subject.j + j);
  }
  return result;
}

struct Machine {
  const Case& subject;
  const ResolvedPlan& plan;
  Held held;

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
  }

  /// One group's reduction, message by message, what is finished staying in acc.
  void reduce_group(const Step& step, const TensorState& before, const TensorState& after,
                    const std::vector<std::int64_t>& members, Held& next) const {
    const bool scatters = step.kind == Step::Kind::reduce_scatter;
    const Collective collective = scatters ? Collective::reduce_scatter : Collective::all_reduce;
    const auto all = elements(subject, before.shards[static_cast<std::size_t>(members[0])]);
    CollectiveCase in_group;
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
      }
    }
  }
};

/// Every step on C that there is, and `local`.
std::vector<Step> candidates(const Case& subject) {
  std::vector<Step> steps{{}, {.kind = Step::Kind::exchange, .rows_over = {}, .columns_over = {}}};
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    for (const Step::Kind kind : {Step::Kind::slice, Step::Kind::gather, Step::Kind::reduce_scatter,
                                  Step::Kind::all_reduce}) {
      steps.push_back({.kind = kind, .mesh_axis = axis, .rows_over = {}, .columns_over = {}});
    }
  }
  return steps;
}

void find_plans(const Case& subject, const PlanState& state, const Plan& taken, std::size_t longest,
                std::vector<Plan>& found) {
  if (!taken.empty()) {
    Case with_plan = subject;
    with_plan.plan = taken;
    if (resolve(with_plan)) found.push_back(taken);
  }
  if (taken.size() == longest) return;
  for (const Step& step : candidates(subject)) {
    if (state.c.has_value() == (step.kind == Step::Kind::local)) continue;
    const auto next = apply(subject, state, step);
    if (!next) continue;
    Plan longer = taken;
    longer.push_back(step);
    find_plans(subject, *next, longer, longest, found);
  }
}

/// Number of plans compared.
std::size_t compare_all_plans(const std::string& line, Algorithm all_reduce,
                              Algorithm reduce_scatter, std::size_t longest) {
  auto parsed = parse(line);
  if (!parsed) {
    ADD_FAILURE() << print(parsed.error());
    return 0;
  }
  parsed->algorithms[static_cast<std::size_t>(Collective::all_reduce)] = all_reduce;
  parsed->algorithms[static_cast<std::size_t>(Collective::reduce_scatter)] = reduce_scatter;
  std::vector<Plan> plans;
  find_plans(*parsed, initial_state(*parsed), {}, longest, plans);
  for (const Plan& plan : plans) {
    Case subject = *parsed;
    subject.plan = plan;
    const auto resolved = resolve(subject);
    Machine machine{subject, *resolved, {}};
    machine.run();
    const Values values(subject, *resolved);
    for (const auto& [place, value] : machine.held) {
      const auto [rank, c] = place;
      const Allowed allowed = values.allowed(rank, c);
      const Bits expected = convert(subject.dtypes.acc, subject.dtypes.out, value);
      EXPECT_TRUE(allowed.low == expected && allowed.high == expected)
          << print(subject) << " " << name(all_reduce) << " " << name(reduce_scatter) << "\nrank "
          << rank << " coordinate " << c << ": " << describe(allowed, subject.dtypes.out)
          << ", by hand " << print_value(subject.dtypes.out, expected);
    }
  }
  return plans.size();
}

/// Plans compared with one pair of algorithms; the others must have as many.
std::size_t compare(const std::string& line, std::size_t longest) {
  const std::string text = "matmul " + line + " in=f16 acc=f32 wire=bf16 out=f32 data=rounding:7";
  std::size_t compared = 0;
  const auto all = algorithms_of(Collective::all_reduce);
  const auto scatter = algorithms_of(Collective::reduce_scatter);
  for (std::size_t n = 0; n < all.size(); ++n) {
    compared = compare_all_plans(text, all[n], scatter[n % scatter.size()], longest);
  }
  return compared;
}

TEST(RankByRank, OneMeshAxis) {
  EXPECT_GE(compare("mesh=x3 i=4 j=2 k=7 A[i,k/x] B[k/x,j] -> C[i,j]", 4), 4U);
  EXPECT_GE(compare("mesh=x4 i=3 j=5 k=2 A[i,k/x] B[k/x,j] -> C[i,j/x] split.j=cyclic:1", 4), 2U);
  EXPECT_GE(compare("mesh=x3 i=4 j=2 k=7 A[i,k/x] B[k/x,j] -> C[i,j]+x", 3), 2U);
  EXPECT_GE(compare("mesh=x1 i=2 j=2 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j]", 4), 2U);
}

TEST(RankByRank, MembersBeyondAPowerOfTwo) {
  EXPECT_GE(compare("mesh=x7 i=5 j=3 k=15 A[i,k/x] B[k/x,j] -> C[i,j]", 3), 2U);
  EXPECT_GE(compare("mesh=x6 i=7 j=2 k=12 A[i,k/x] B[k/x,j] -> C[i/x,j]", 3), 1U);
  EXPECT_GE(compare("mesh=x5,y2 i=6 j=2 k=20 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j]", 4), 2U);
}

TEST(RankByRank, KCutOverTwoMeshAxes) {
  const std::string operands = "mesh=x2,y3 i=5 j=3 k=11 A[i,k/x/y] B[k/x/y,j] -> ";
  EXPECT_GE(compare(operands + "C[i,j]", 5), 8U);
  EXPECT_GE(compare(operands + "C[i/y,j/x]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i/x/y,j]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i,j]+x", 4), 2U);
}

TEST(RankByRank, KOverOneMeshAxisAndRowsOverAnother) {
  const std::string operands = "mesh=x3,y2 i=5 j=4 k=7 A[i/y,k/x] B[k/x,j] -> ";
  EXPECT_GE(compare(operands + "C[i,j]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i/y,j/x]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i,j/y]", 5), 4U);
  EXPECT_GE(compare(operands + "C[i/y,j] split.C.i=cyclic:1", 5), 2U);
  EXPECT_GE(compare(operands + "C[i/y,j] split.C.i=sets:4,0|2,3,1", 5), 2U);
}

TEST(RankByRank, ReplicasAlongAMeshAxis) {
  const std::string operands = "mesh=x2,y2,z2 i=4 j=3 k=6 A[i/z,k/x] B[k/x,j] -> ";
  EXPECT_GE(compare(operands + "C[i,j/y]", 4), 2U);
  EXPECT_GE(compare(operands + "C[i/y,j/z]", 4), 1U);
}

}  // namespace
}  // namespace shardcheck::model
