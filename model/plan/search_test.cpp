#include "search.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include "ledger.h"
#include "rules.h"

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

std::int64_t bytes_of_step(const ProductCase& subject, const PlanState& from, const PlanState& to,
                           const Step& step) {
  std::int64_t bytes = 0;
  for (const Transfer& transfer : ledger(subject, {{step}, {from, to}, {}}))
    bytes += transfer.bytes;
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

bool is_end(ProductCase subject, const Plan& plan) {
  subject.plan = plan;
  return resolve(subject).has_value();
}

using Key = std::vector<std::vector<std::int64_t>>;

/// A state that some plan reaches, by the best of the plans that reach it and reduce-scatter over
/// the same mesh axes.
struct Reached {
  PlanState state;
  Label label;
  Plan plan;
  std::vector<std::int64_t> scattered_over;  ///< ascending
};

Key key_of(const Reached& reached) {
  Key key = key_of(reached.state);
  key.push_back(reached.scattered_over);
  return key;
}

/// A and B stay as they were at the product: they and the reductions are the plan's essence.
Key essence_of(const Reached& end) {
  Key essence = key_of(PlanState{end.state.a, end.state.b, {}});
  essence.push_back(end.scattered_over);
  return essence;
}

Reached after(const ProductCase& subject, const Reached& from, const Step& step,
              const PlanState& to) {
  Reached next{to, from.label, from.plan, from.scattered_over};
  next.plan.push_back(step);
  next.label.bytes += bytes_of_step(subject, from.state, to, step);
  next.label.operand_steps += step.tensor != Tensor::c && step.kind != Step::Kind::local ? 1 : 0;
  next.label.steps += 1;
  next.label.exchanges += step.kind == Step::Kind::exchange ? 1 : 0;
  next.label.text = print(subject.mesh, next.plan);
  if (step.kind == Step::Kind::reduce_scatter) {
    next.scattered_over.push_back(step.mesh_axis);
    std::sort(next.scattered_over.begin(), next.scattered_over.end());
  }
  return next;
}

/// Every complete plan that is the best of its state, by improving labels until none improves: no
/// queue, no ids, no pruning.
std::vector<Reached> ends_by_exhaustion(const ProductCase& subject) {
  std::map<Key, Reached> reached;
  const Reached start{initial_state(subject), {}, {}, {}};
  reached[key_of(start)] = start;
  const std::vector<Step> steps = every_step(subject.mesh);
  for (bool improved = true; improved;) {
    improved = false;
    for (auto& [key, from] : reached) {
      for (const Step& step : steps) {
        const auto to = apply(subject, from.state, step);
        if (!to) continue;
        const Reached next = after(subject, from, step, *to);
        const auto [found, is_new] = reached.try_emplace(key_of(next), next);
        if (!is_new && !(next.label < found->second.label)) continue;
        found->second = next;
        improved = true;
      }
    }
  }
  std::vector<Reached> ends;
  for (const auto& [key, end] : reached) {
    if (is_end(subject, end.plan)) ends.push_back(end);
  }
  return ends;
}

/// The best plan, then the best of another essence; "" where there is none.
std::vector<std::string> best_two_by_exhaustion(const ProductCase& subject) {
  std::vector<Reached> ends = ends_by_exhaustion(subject);
  std::sort(ends.begin(), ends.end(),
            [](const Reached& left, const Reached& right) { return left.label < right.label; });
  std::vector<std::string> best{"", ""};
  if (ends.empty()) return best;
  best[0] = ends.front().label.text;
  for (const Reached& end : ends) {
    if (essence_of(end) == essence_of(ends.front())) continue;
    best[1] = end.label.text;
    break;
  }
  return best;
}

std::string cheapest(const ProductCase& subject) {
  const auto plan = resolve(subject);
  return plan ? print(subject.mesh, plan->steps) : plan.error();
}

std::string cheapest(const std::string& line) {
  const auto subject = parse_product(line);
  EXPECT_TRUE(subject) << line << ": " << print(subject.error());
  return cheapest(*subject);
}

std::vector<std::string> cheapest_two_texts(const ProductCase& subject) {
  PlanSpace space(subject);
  const auto contest = cheapest_two(space);
  if (!contest) return {"", ""};
  return {print(subject.mesh, contest->chosen.steps),
          contest->runner_up ? print(subject.mesh, contest->runner_up->steps) : ""};
}

std::vector<std::string> cheapest_two_texts(const std::string& line) {
  return cheapest_two_texts(*parse_product(line));
}

/// Under number `choice` of each collective's algorithms, modulo how many there are.
void expect_as_by_exhaustion(const std::string& line, std::size_t choice) {
  auto subject = parse_product(line);
  ASSERT_TRUE(subject) << line << ": " << print(subject.error());
  for (std::size_t index = 0; index < plan_collective_count; ++index) {
    const auto offered = algorithms_of(static_cast<Collective>(index));
    subject->algorithms[index] = offered[choice % offered.size()];
  }
  const std::vector<std::string> best = best_two_by_exhaustion(*subject);
  EXPECT_EQ(cheapest(*subject), best.front()) << line << ", algorithms " << choice;
  EXPECT_EQ(cheapest_two_texts(*subject), best) << line << ", algorithms " << choice;
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
           "matmul mesh=x2,y2 i=1 j=2 k=9 A[i,k/x/y] B[k/x/y,j] -> C[i,j/y]",
           "matmul mesh=x2,y2 i=1 j=2 k=3 A[i/x,k/y] B[k/x,j] -> C[i,j]+y",
       }) {
    // Two sorts of costs: a ring's, and those of doubling and halving (2 and 3 of the offered).
    for (const std::size_t choice : {0U, 2U, 3U}) expect_as_by_exhaustion(line, choice);
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
    expect_as_by_exhaustion(random_line(random), static_cast<std::size_t>(round));
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

TEST(PlanSearch, NamesTheRunnerUpAndItsCost) {
  // An all-reduce is a reduce-scatter and a gather in one step: 2·3·64·4 bytes either way.
  const ProductCase both =
      *parse_product("matmul mesh=x4 i=8 j=8 k=80 A[i,k/x] B[k/x,j] -> C[i,j]");
  PlanSpace space(both);
  const auto contest = cheapest_two(space);
  ASSERT_TRUE(contest && contest->runner_up);
  EXPECT_EQ(contest->chosen.cost, (PlanCost{1536, 0, 2, 0}));
  EXPECT_EQ(print(both.mesh, contest->runner_up->steps), "local+reduce_scatter:C/x+gather:C/x");
  EXPECT_EQ(contest->runner_up->cost, (PlanCost{1536, 0, 3, 0}));
  // The two answers for K cut in A alone, on both sides of the switch.
  EXPECT_EQ(cheapest_two_texts("matmul mesh=x4 i=8 j=8 k=12 A[i,k/x] B[k,j] -> C[i,j]"),
            (std::vector<std::string>{"gather:A/x+local", "slice:B/x+local+all_reduce:C/x"}));
  EXPECT_EQ(cheapest_two_texts("matmul mesh=x4 i=8 j=8 k=20 A[i,k/x] B[k,j] -> C[i,j]"),
            (std::vector<std::string>{"slice:B/x+local+all_reduce:C/x",
                                      "slice:B/x+local+reduce_scatter:C/x+gather:C/x"}));
}

TEST(PlanSearch, AnExchangeThatDoesTheSameIsNoRunnerUp) {
  EXPECT_EQ(cheapest_two_texts("matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]"),
            (std::vector<std::string>{"local", ""}));
  // gather:A/x and exchange:A[i,k] leave the same shards: the runner-up multiplies others.
  EXPECT_EQ(cheapest_two_texts("matmul mesh=x4 i=8 j=9 k=8 A[i/x,k] B[k,j/x] -> C[i,j/x]"),
            (std::vector<std::string>{"gather:A/x+local", "gather:B/x+local+exchange:C"}));
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
