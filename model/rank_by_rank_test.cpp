#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <shardcheck/model/case/inputs.h>
#include <shardcheck/model/case/text.h>

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

  Bits fold(Algorithm algorithm, const std::vector<Bits>& x, std::size_t b) const {
    const std::size_t p = x.size();
    if (p == 1) return x[0];
    if (algorithm == Algorithm::ring) {
      Bits sum = x[(b + 1) % p];
      for (std::size_t t = 2; t <= p; ++t) sum = plus(through_wire(sum), x[(b + t) % p]);
      return sum;
    }
    Bits sum = b == 0 ? x[0] : through_wire(x[0]);
    for (std::size_t m = 1; m < p; ++m) sum = plus(sum, m == b ? x[m] : through_wire(x[m]));
    return sum;
  }

  std::vector<Bits> members(std::int64_t rank, int axis, std::int64_t c) const {
    std::vector<Bits> result;
    for (const std::int64_t member : group(subject.mesh, rank, axis)) {
      result.push_back(held.at({member, c}));
    }
    return result;
  }

  /// The block of position `n` of `count` elements cut `balanced` into `p`: by counting them out.
  static std::size_t block_at(std::size_t n, std::size_t count, std::size_t p) {
    std::size_t end = 0;
    for (std::size_t block = 0; block < p; ++block) {
      end += count / p + (block < count % p ? 1 : 0);
      if (n < end) return block;
    }
    return p;
  }

  void reduce(const Step& step, const TensorState& before, const TensorState& after) {
    const bool scatters = step.kind == Step::Kind::reduce_scatter;
    const Algorithm algorithm =
        algorithm_of(subject, scatters ? Collective::reduce_scatter : Collective::all_reduce);
    Held next;
    for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
      const auto index = static_cast<std::size_t>(rank);
      const auto all = elements(subject, before.shards[index]);
      const auto m = coordinates(subject.mesh, rank)[static_cast<std::size_t>(step.mesh_axis)];
      for (const std::int64_t c : elements(subject, after.shards[index])) {
        const std::vector<Bits> x = members(rank, step.mesh_axis, c);
        const auto position = std::find(all.begin(), all.end(), c) - all.begin();
        const std::size_t b =
            scatters ? static_cast<std::size_t>(m)
                     : block_at(static_cast<std::size_t>(position), all.size(), x.size());
        const Bits sum = fold(algorithm, x, b);
        const bool travels = !scatters && x.size() > 1 && is_pending(after);
        next[{rank, c}] = travels ? through_wire(sum) : sum;
      }
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
std::size_t compare_all_plans(const std::string& line, std::size_t longest) {
  const auto parsed = parse(line);
  if (!parsed) {
    ADD_FAILURE() << print(parsed.error());
    return 0;
  }
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
          << print(subject) << "\nrank " << rank << " coordinate " << c << ": "
          << describe(allowed, subject.dtypes.out) << ", by hand "
          << print_value(subject.dtypes.out, expected);
    }
  }
  return plans.size();
}

std::size_t compare(const std::string& line, std::size_t longest) {
  const std::string dtypes = " in=f16 acc=f32 wire=bf16 out=f32 ";
  return compare_all_plans("matmul " + line + dtypes + "data=rounding:7", longest) +
         compare_all_plans("matmul " + line + dtypes +
                               "data=rounding:8 algorithm.reduce_scatter=direct "
                               "algorithm.all_reduce=direct",
                           longest);
}

TEST(RankByRank, OneMeshAxis) {
  EXPECT_GE(compare("mesh=x3 i=4 j=2 k=7 A[i,k/x] B[k/x,j] -> C[i,j]", 4), 4U);
  EXPECT_GE(compare("mesh=x4 i=3 j=5 k=2 A[i,k/x] B[k/x,j] -> C[i,j/x] split.j=cyclic:1", 4), 2U);
  EXPECT_GE(compare("mesh=x3 i=4 j=2 k=7 A[i,k/x] B[k/x,j] -> C[i,j]+x", 3), 2U);
  EXPECT_GE(compare("mesh=x1 i=2 j=2 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j]", 4), 2U);
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
