#include "search.h"

#include <algorithm>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include <shardcheck/model/case/text.h>

#include "bound.h"

namespace shardcheck::impl {
namespace {

/// Bytes, then the tie rule's three counts, as one number that compares as they do in turn.
/// A step sends less than 2^40 bytes (limits.h), and no cheapest plan has 64 steps.
using Cost = std::uint64_t;

Cost cost_of(const CompactStep& step, std::int64_t bytes) {
  const bool moves_operand = step.kind != Step::Kind::local && step.tensor != Tensor::c;
  return static_cast<Cost>(bytes) << 18 | (moves_operand ? Cost{1} << 12 : 0) | Cost{1} << 6 |
         (step.kind == Step::Kind::exchange ? Cost{1} : 0);
}

std::uint64_t mixed(std::uint64_t hash, ListsId id) {
  hash = (hash ^ static_cast<std::uint64_t>(id)) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

struct Node {
  PlanState state;
  Cost cost = 0;
  Cost left = 0;  ///< at least
  bool is_on_cheapest = false;
};

struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
  Cost cost = 0;
  CompactStep step;
};

/// What an exchange sends depends on this alone.
struct Recut {
  TensorState from;
  TensorState to;
  Tensor tensor = Tensor::a;
  bool is_finished = false;

  bool operator==(const Recut&) const = default;
};

struct RecutHash {
  std::size_t operator()(const Recut& recut) const {
    std::uint64_t hash = static_cast<std::uint64_t>(recut.tensor) * 2U + recut.is_finished;
    for (const ListsId id :
         {recut.from.rows, recut.from.columns, recut.to.rows, recut.to.columns}) {
      hash = mixed(hash, id);
    }
    return hash;
  }
};

struct StateHash {
  std::size_t operator()(const PlanState& state) const {
    std::uint64_t hash = state.partial_over * 2U + (state.is_multiplied ? 1U : 0U);
    for (const ListsId id : {state.a.rows, state.a.columns, state.b.rows, state.b.columns,
                             state.c.rows, state.c.columns}) {
      hash = mixed(hash, id);
    }
    return hash;
  }
};

class Search {
 public:
  explicit Search(Situation& situation) : situation_(situation), bound_(situation) {}

  std::optional<Plan> run();

 private:
  void expand(std::size_t from);
  void expand_tensor(std::size_t from, Tensor tensor);
  void expand_exchanges(std::size_t from, Tensor tensor);
  std::int64_t bytes_of(const CompactStep& step, const PlanState& from, const PlanState& to);
  void try_step(std::size_t from, const CompactStep& step);
  std::size_t node_of(PlanState state);
  void mark_cheapest(const std::vector<std::size_t>& goals);
  Plan smallest_text();

  using Entry = std::pair<Cost, std::size_t>;

  Situation& situation_;
  PlanBound bound_;
  Cost best_ = ~Cost{0};  ///< of a whole plan seen so far
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::unordered_map<PlanState, std::size_t, StateHash> numbers_;
  std::unordered_map<Recut, std::int64_t, RecutHash> moved_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

std::size_t Search::node_of(PlanState state) {
  if (state.is_multiplied) state.a = state.b = {};
  const auto [known, is_new] = numbers_.try_emplace(state, nodes_.size());
  if (is_new) {
    const auto left = static_cast<Cost>(bound_.bytes_left(state)) << 18;
    nodes_.push_back({state, ~Cost{0}, left, false});
  }
  return known->second;
}

std::int64_t Search::bytes_of(const CompactStep& step, const PlanState& from, const PlanState& to) {
  if (step.kind != Step::Kind::exchange) return bytes_sent(situation_, step, from, to);
  // Counting what moves is the dearest part of a search, and many states share a tensor's lists.
  const TensorState& before = tensor_of(from, step.tensor);
  const TensorState& now = tensor_of(to, step.tensor);
  const bool is_finished_c = is_finished(situation_, from);
  const auto [known, is_new] = moved_.try_emplace({before, now, step.tensor, is_finished_c}, 0);
  if (is_new) known->second = bytes_sent(situation_, step, from, to);
  return known->second;
}

void Search::try_step(std::size_t from, const CompactStep& step) {
  const auto next = after(situation_, nodes_[from].state, step);
  if (!next) return;
  const std::size_t to = node_of(*next);
  const Cost least = nodes_[from].cost + cost_of(step, 0);
  if (least > nodes_[to].cost || least + nodes_[to].left > best_) return;
  const Cost step_cost = cost_of(step, bytes_of(step, nodes_[from].state, *next));
  const Cost cost = nodes_[from].cost + step_cost;
  if (cost > nodes_[to].cost || cost + nodes_[to].left > best_) return;
  edges_.push_back({from, to, step_cost, step});
  if (cost == nodes_[to].cost) return;
  nodes_[to].cost = cost;
  queue_.emplace(cost + nodes_[to].left, to);
  if (is_goal(situation_, nodes_[to].state)) best_ = cost;
}

void Search::expand_exchanges(std::size_t from, Tensor tensor) {
  try_step(from, {.kind = Step::Kind::exchange, .tensor = tensor});
  if (tensor == Tensor::c) return;
  const MeshAxes all = (MeshAxes{1} << situation_.pool.grid().axis_count) - 1;
  for (MeshAxes rows = 0; rows <= all; ++rows) {
    for (MeshAxes columns = 0; columns <= all; ++columns) {
      if (rows & columns) continue;
      try_step(from, {Step::Kind::exchange, tensor, -1, true, rows, columns});
    }
  }
}

void Search::expand_tensor(std::size_t from, Tensor tensor) {
  for (int axis = 0; axis < situation_.pool.grid().axis_count; ++axis) {
    try_step(from, {.kind = Step::Kind::slice, .tensor = tensor, .mesh_axis = axis});
    try_step(from, {.kind = Step::Kind::gather, .tensor = tensor, .mesh_axis = axis});
    if (tensor != Tensor::c) continue;
    try_step(from, {.kind = Step::Kind::reduce_scatter, .tensor = tensor, .mesh_axis = axis});
    try_step(from, {.kind = Step::Kind::all_reduce, .tensor = tensor, .mesh_axis = axis});
  }
  expand_exchanges(from, tensor);
}

void Search::expand(std::size_t from) {
  if (nodes_[from].state.is_multiplied) return expand_tensor(from, Tensor::c);
  try_step(from, {});
  expand_tensor(from, Tensor::a);
  expand_tensor(from, Tensor::b);
}

void Search::mark_cheapest(const std::vector<std::size_t>& goals) {
  for (const std::size_t goal : goals) nodes_[goal].is_on_cheapest = true;
  // Costs grow along every edge: with the dearest ends first, an edge's end is decided before it.
  std::sort(edges_.begin(), edges_.end(), [this](const Edge& one, const Edge& other) {
    return nodes_[one.to].cost > nodes_[other.to].cost;
  });
  std::erase_if(edges_, [this](const Edge& edge) {
    if (!nodes_[edge.to].is_on_cheapest ||
        nodes_[edge.from].cost + edge.cost != nodes_[edge.to].cost) {
      return true;
    }
    nodes_[edge.from].is_on_cheapest = true;
    return false;
  });
}

Plan Search::smallest_text() {
  const Mesh& mesh = situation_.subject.mesh;
  Plan plan;
  std::size_t at = 0;
  while (!is_goal(situation_, nodes_[at].state)) {
    const Edge* smallest = nullptr;
    std::string smallest_text;
    for (const Edge& edge : edges_) {
      if (edge.from != at) continue;
      std::string text = print(mesh, Plan{expanded(edge.step)});
      if (smallest != nullptr && text >= smallest_text) continue;
      smallest = &edge;
      smallest_text = std::move(text);
    }
    plan.push_back(expanded(smallest->step));
    at = smallest->to;
  }
  return plan;
}

std::optional<Plan> Search::run() {
  nodes_[node_of(situation_.start)].cost = 0;
  queue_.emplace(nodes_[0].left, 0);
  std::vector<std::size_t> goals;
  while (!queue_.empty()) {
    const auto [cost, at] = queue_.top();
    if (cost > best_) break;
    queue_.pop();
    if (cost != nodes_[at].cost + nodes_[at].left) continue;
    if (is_goal(situation_, nodes_[at].state)) {
      goals.push_back(at);
    } else {
      expand(at);
    }
    if (nodes_.size() > plan_states_max) return std::nullopt;
  }
  if (goals.empty()) return std::nullopt;
  mark_cheapest(goals);
  return smallest_text();
}

}  // namespace

std::optional<Plan> cheapest_plan(Situation& situation) { return Search(situation).run(); }

}  // namespace shardcheck::impl
