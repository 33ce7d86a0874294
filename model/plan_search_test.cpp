#include "plan_search.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include "ledger.h"
#include "plan_rules.h"

namespace shardcheck::model {
namespace {

/// What makes one plan better than another, in this order; `text` is the whole plan's.
struct Label {
  std::int64_t bytes = 0;
  int operand_steps = 0;
  int steps = 0;
  int exchanges = 0;
  std::string text;

  auto operator<=>(const Label&) const = default;
};

std::vector<std::vector<int>> subsets(int axis_count) {
  std::vector<std::vector<int>> result;
  for (int set = 0; set < 1 << axis_count; ++set) {
    result.emplace_back();
    for (int axis = 0; axis < axis_count; ++axis) {
      if ((set >> axis & 1) != 0) result.back().push_back(axis);
    }
  }
  return result;
}

std::vector<Step> every_step(const Mesh& mesh) {
  std::vector<Step> steps{Step{}};
  const auto axis_count = static_cast<int>(mesh.axes.size());
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    for (int x = 0; x < axis_count; ++x) {
      for (const Step::Kind kind : {Step::Kind::slice, Step::Kind::gather,
                                    Step::Kind::reduce_scatter, Step::Kind::all_reduce}) {
        const bool is_reduction =
            kind == Step::Kind::reduce_scatter || kind == Step::Kind::all_reduce;
        if (is_reduction && tensor != Tensor::c) continue;
        steps.push_back({kind, tensor, x, false, {}, {}});
      }
    }
    steps.push_back({Step::Kind::exchange, tensor, -1, false, {}, {}});
    for (const auto& rows : subsets(axis_count)) {
      for (const auto& columns : subsets(axis_count)) {
        steps.push_back({Step::Kind::exchange, tensor, -1, true, rows, columns});
      }
    }
  }
  return steps;
}

std::int64_t bytes_of_step(const Case& subject, const PlanState& from, const PlanState& to,
                           const Step& step) {
  std::int64_t bytes = 0;
  for (const Transfer& transfer : ledger(subject, {{step}, {from, to}})) bytes += transfer.bytes;
  return bytes;
}

std::vector<std::vector<std::int64_t>> key_of(const PlanState& state) {
  std::vector<std::vector<std::int64_t>> key;
  for (const TensorState* tensor : {&state.a, &state.b, state.c ? &*state.c : nullptr}) {
    if (tensor == nullptr) continue;
    for (const Shard& shard : tensor->shards) {
      key.push_back(shard.rows);
      key.push_back(shard.columns);
    }
    for (const auto* over : {&tensor->rows_over, &tensor->columns_over, &tensor->partial_over}) {
      key.emplace_back(over->begin(), over->end());
    }
  }
  return key;
}

bool is_end(Case subject, const Plan& plan) {
  subject.plan = plan;
  return resolve(subject).has_value();
}

/// The best label of a complete plan, by improving labels until none improves: no queue, no ids,
/// no pruning.
Label best_by_exhaustion(const Case& subject) {
  struct Reached {
    PlanState state;
    Label label;
    Plan plan;
  };
  std::map<std::vector<std::vector<std::int64_t>>, Reached> reached;
  const PlanState start = initial_state(subject);
  reached[key_of(start)] = {start, {}, {}};
  const std::vector<Step> steps = every_step(subject.mesh);
  for (bool improved = true; improved;) {
    improved = false;
    for (auto& [key, from] : reached) {
      for (const Step& step : steps) {
        const auto to = apply(subject, from.state, step);
        if (!to) continue;
        Reached next{*to, from.label, from.plan};
        next.plan.push_back(step);
        next.label.bytes += bytes_of_step(subject, from.state, *to, step);
        next.label.operand_steps +=
            step.tensor != Tensor::c && step.kind != Step::Kind::local ? 1 : 0;
        next.label.steps += 1;
        next.label.exchanges += step.kind == Step::Kind::exchange ? 1 : 0;
        next.label.text = print(subject.mesh, next.plan);
        const auto [found, is_new] = reached.try_emplace(key_of(*to), next);
        if (!is_new && !(next.label < found->second.label)) continue;
        found->second = next;
        improved = true;
      }
    }
  }
  Label best;
  bool is_found = false;
  for (const auto& [key, end] : reached) {
    if (!is_end(subject, end.plan) || (is_found && best < end.label)) continue;
    best = end.label;
    is_found = true;
  }
  return best;
}

std::string cheapest(const std::string& line) {
  const auto subject = parse(line);
  EXPECT_TRUE(subject) << line << ": " << print(subject.error());
  const auto plan = resolve(*subject);
  return plan ? print(subject->mesh, plan->steps) : plan.error();
}

TEST(PlanSearch, AgreesWithExhaustionOnEveryKindOfCase) {
  for (const char* line : {
           "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j]",
           "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i,j]",
           "matmul mesh=x3 i=4 j=2 k=5 split.B.k=cyclic:1 A[i,k/x] B[k/x,j] -> C[i,j/x]",
           "matmul mesh=x3 i=4 j=2 k=5 split.C.i=sets:1|0,2|3 A[i/x,k] B[k,j] -> C[i/x,j]",
           "matmul mesh=x3 i=5 j=1 k=3 A[i/x,k] B[k,j/x] -> C[i/x,j] in=bf16",
           "matmul mesh=x3 i=1 j=5 k=3 A[i,k/x] B[k,j/x] -> C[i/x,j] in=bf16",
           "matmul mesh=x2 i=3 j=3 k=7 A[i,k/x] B[k,j] -> C[i,j]+x",
           "matmul mesh=x2 i=3 j=3 k=0 A[i,k/x] B[k/x,j] -> C[i/x,j]",
           "matmul mesh=x1 i=3 j=3 k=2 A[i,k/x] B[k,j] -> C[i/x,j]",
           "matmul mesh=x2,y2 i=3 j=3 k=4 A[i/x,k/y] B[k/y,j] -> C[i/x,j/y]",
       }) {
    const Case subject = *parse(line);
    EXPECT_EQ(cheapest(line), best_by_exhaustion(subject).text) << line;
  }
}

/// A case over one mesh axis of two or three: any layout, operands perhaps cut differently.
std::string random_line(std::mt19937& random) {
  const auto below = [&](std::size_t count) { return std::size_t{random()} % count; };
  const auto split = [&] {
    return std::vector<std::string>{"balanced", "ceil", "cyclic:1", "cyclic:2"}[below(4)];
  };
  std::string splits;
  const auto tensor = [&](const std::string& name, const std::string& rows,
                          const std::string& columns) {
    const std::size_t cut = below(3);
    if (cut != 0)
      splits += "split." + name + "." + (cut == 1 ? rows : columns) + "=" + split() + " ";
    return name + "[" + rows + (cut == 1 ? "/x" : "") + "," + columns + (cut == 2 ? "/x" : "") +
           "]";
  };
  std::string line = "matmul mesh=x" + std::to_string(2 + below(2));
  for (const char* axis : {" i=", " j=", " k="}) line += axis + std::to_string(below(7));
  const std::string a = tensor("A", "i", "k");
  const std::string b = tensor("B", "k", "j");
  const std::string c = tensor("C", "i", "j");
  return line + " " + splits + a + " " + b + " -> " + c +
         (below(2) == 0 ? " in=bf16 acc=f32 wire=bf16 out=f32" : "");
}

TEST(PlanSearch, AgreesWithExhaustionOnRandomCases) {
  std::mt19937 random(20260101);
  for (int round = 0; round < 150; ++round) {
    const std::string line = random_line(random);
    const auto subject = parse(line);
    ASSERT_TRUE(subject) << line << ": " << print(subject.error());
    EXPECT_EQ(cheapest(line), best_by_exhaustion(*subject).text) << line;
  }
}

TEST(PlanSearch, FollowsTheFourTextbookSituations) {
  // Source: "Sharded matrices and how to multiply them" (the Scaling book), four cases.
  // Nothing contracted is sharded: no communication.
  EXPECT_EQ(cheapest("matmul mesh=x2,y2 i=8 j=8 k=8 A[i/x,k] B[k,j/y] -> C[i/x,j/y]"), "local");
  // K sharded in both: 64 partial elements against 640 of either operand.
  EXPECT_EQ(cheapest("matmul mesh=x4 i=8 j=8 k=80 A[i,k/x] B[k/x,j] -> C[i/x,j]"),
            "local+reduce_scatter:C/x");
  EXPECT_EQ(cheapest("matmul mesh=x4 i=8 j=8 k=80 A[i,k/x] B[k/x,j] -> C[i,j]"),
            "local+all_reduce:C/x");
  // K sharded in A alone: gather A, 3·8k·4 bytes, or slice B and all-reduce C, 3·64·8 bytes: equal
  // at k = 16.
  EXPECT_EQ(cheapest("matmul mesh=x4 i=8 j=8 k=12 A[i,k/x] B[k,j] -> C[i,j]"), "gather:A/x+local");
  EXPECT_EQ(cheapest("matmul mesh=x4 i=8 j=8 k=20 A[i,k/x] B[k,j] -> C[i,j]"),
            "slice:B/x+local+all_reduce:C/x");
  // One mesh axis on i and j: the operand that the consumer doesn't want cut is gathered.
  EXPECT_EQ(cheapest("matmul mesh=x4 i=8 j=8 k=8 A[i/x,k] B[k,j/x] -> C[i/x,j]"),
            "gather:B/x+local");
  EXPECT_EQ(cheapest("matmul mesh=x4 i=8 j=8 k=8 A[i/x,k] B[k,j/x] -> C[i,j/x]"),
            "gather:A/x+local");
}

TEST(PlanSearch, AlignsOperandsThatAreCutDifferently) {
  // Six k over two ranks, 0 3 5 | 1 2 4 against 0 1 2 | 3 4 5. Four of six k change owner, one
  // column of A or one row of B each: the single row of B is the cheaper.
  EXPECT_EQ(cheapest("matmul mesh=x2 i=30 j=1 k=6 split.k=sets:0,3,5|1,2,4 split.B.k=balanced "
                     "A[i,k/x] B[k/x,j] -> C[i/x,j]"),
            "exchange:B+local+reduce_scatter:C/x");
}

TEST(PlanSearch, AMoveThatDoesTheSameAsAnExchangeIsPreferred) {
  // An exchange would send the same 3·32·4 bytes, or none, in one step too.
  EXPECT_EQ(cheapest("matmul mesh=x4 i=8 j=8 k=4 A[i/x,k] B[k,j] -> C[i,j]"), "gather:A/x+local");
  EXPECT_EQ(cheapest("matmul mesh=x4 i=8 j=8 k=8 A[i,k] B[k,j] -> C[i/x,j]"), "local+slice:C/x");
}

}  // namespace
}  // namespace shardcheck::model
