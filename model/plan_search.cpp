#include "plan_search.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <shardcheck/model/case/text.h>

namespace shardcheck::model {

namespace {

/// What a plan costs, all but its text. Every step makes it larger, since it counts steps: so the
/// first visit in this order is the cheapest way to a state (Dijkstra).
struct Cost {
  std::int64_t bytes = 0;
  int operand_steps = 0;
  int steps = 0;
  int exchanges = 0;

  auto operator<=>(const Cost&) const = default;
};

struct Node {
  Ownership state;
  Cost cost;
  int parent = -1;
  int step = -1;  ///< index of the choice that led here
  bool is_settled = false;
};

std::uint64_t hash_of(const Ownership& state) {
  std::uint64_t hash = 0;
  for (const TensorOwnership* tensor : {&state.a, &state.b, &state.c}) {
    for (const AxisId axis : tensor->axes) {
      hash = (hash ^ static_cast<std::uint64_t>(axis + 1)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    hash ^= tensor->partial_over;
  }
  return hash;
}

struct Hash {
  std::size_t operator()(const Ownership& state) const { return hash_of(state); }
};

class Search {
 public:
  explicit Search(PlanSpace& space) : space_(space) { list_choices(); }

  std::optional<Plan> cheapest();

 private:
  void list_choices();
  void list_exchanges(Tensor operand);
  void expand(int node);
  void reach(int parent, int choice, const Ownership& state);
  std::vector<int> steps_to(int node) const;
  bool reads_smaller(int parent, int choice, int than);
  const std::string& text(int choice);

  PlanSpace& space_;
  std::vector<Step> choices_;
  std::vector<std::string> texts_;  ///< of the choices; empty until asked for
  std::vector<Node> nodes_;
  std::unordered_map<Ownership, int, Hash> node_of_;
  std::int64_t bytes_max_ = std::numeric_limits<std::int64_t>::max();  ///< of a plan known already
  std::priority_queue<std::pair<Cost, int>, std::vector<std::pair<Cost, int>>, std::greater<>>
      queue_;
};

void Search::list_exchanges(Tensor operand) {
  const std::size_t axis_count = space_.subject.mesh.axes.size();
  std::size_t assignments = 1;
  for (std::size_t axis = 0; axis < axis_count; ++axis) assignments *= 3;
  for (std::size_t assignment = 0; assignment < assignments; ++assignment) {
    Step step{Step::Kind::exchange, operand, -1, true, {}, {}};
    std::size_t rest = assignment;
    for (int axis = 0; axis < static_cast<int>(axis_count); ++axis, rest /= 3) {
      if (rest % 3 == 1) step.rows_over.push_back(axis);
      if (rest % 3 == 2) step.columns_over.push_back(axis);
    }
    choices_.push_back(std::move(step));
  }
}

/// Every step that some plan on this mesh could take, but for exchanges of C with brackets: the one
/// without does the same.
void Search::list_choices() {
  const auto axis_count = static_cast<int>(space_.subject.mesh.axes.size());
  choices_.push_back({});
  choices_.push_back({Step::Kind::exchange, Tensor::c, -1, false, {}, {}});
  for (int x = 0; x < axis_count; ++x) {
    for (const Step::Kind kind : {Step::Kind::reduce_scatter, Step::Kind::all_reduce}) {
      choices_.push_back({kind, Tensor::c, x, false, {}, {}});
    }
    for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
      choices_.push_back({Step::Kind::slice, tensor, x, false, {}, {}});
      choices_.push_back({Step::Kind::gather, tensor, x, false, {}, {}});
    }
  }
  for (const Tensor operand : {Tensor::a, Tensor::b}) {
    choices_.push_back({Step::Kind::exchange, operand, -1, false, {}, {}});
    list_exchanges(operand);
  }
  texts_.resize(choices_.size());
}

const std::string& Search::text(int choice) {
  std::string& text = texts_[static_cast<std::size_t>(choice)];
  if (text.empty()) {
    text = print(space_.subject.mesh, Plan{choices_[static_cast<std::size_t>(choice)]});
  }
  return text;
}

std::vector<int> Search::steps_to(int node) const {
  std::vector<int> steps;
  for (int at = node; nodes_[static_cast<std::size_t>(at)].parent >= 0;
       at = nodes_[static_cast<std::size_t>(at)].parent) {
    steps.push_back(nodes_[static_cast<std::size_t>(at)].step);
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

/// Is the plan by `parent` and `choice` printed before the one to node `than`, of as many steps?
/// Comparing step by step is comparing the printed plans: '+' comes before every character that a
/// step's text may go on with.
bool Search::reads_smaller(int parent, int choice, int than) {
  std::vector<int> left = steps_to(parent);
  left.push_back(choice);
  const std::vector<int> right = steps_to(than);
  for (std::size_t at = 0; at < left.size() && at < right.size(); ++at) {
    if (left[at] != right[at]) return text(left[at]) < text(right[at]);
  }
  return false;
}

void Search::reach(int parent, int choice, const Ownership& state) {
  const Node& from = nodes_[static_cast<std::size_t>(parent)];
  const Step& step = choices_[static_cast<std::size_t>(choice)];
  Cost cost = from.cost;
  cost.bytes += bytes_of(space_, from.state, state, step);
  if (cost.bytes > bytes_max_) return;
  cost.operand_steps += step.tensor == Tensor::c ? 0 : 1;
  cost.steps += 1;
  cost.exchanges += step.kind == Step::Kind::exchange ? 1 : 0;
  const auto [found, is_new] = node_of_.try_emplace(state, static_cast<int>(nodes_.size()));
  const int number = found->second;
  if (is_new) {
    nodes_.push_back({state, cost, parent, choice, false});
    if (is_what_the_consumer_wants(space_, state)) bytes_max_ = std::min(bytes_max_, cost.bytes);
  } else {
    Node& known = nodes_[static_cast<std::size_t>(number)];
    if (known.is_settled || known.cost < cost) return;
    if (known.cost == cost && !reads_smaller(parent, choice, number)) return;
    known.cost = cost;
    known.parent = parent;
    known.step = choice;
  }
  queue_.emplace(cost, number);
}

void Search::expand(int node) {
  for (std::size_t choice = 0; choice < choices_.size(); ++choice) {
    const Ownership state = nodes_[static_cast<std::size_t>(node)].state;
    const auto next = take(space_, state, choices_[choice]);
    if (next && *next != state) reach(node, static_cast<int>(choice), *next);
  }
}

std::optional<Plan> Search::cheapest() {
  nodes_.push_back({space_.start, {}, -1, -1, false});
  node_of_.emplace(space_.start, 0);
  queue_.emplace(Cost{}, 0);
  int best = -1;
  while (!queue_.empty()) {
    const auto [cost, number] = queue_.top();
    queue_.pop();
    Node& node = nodes_[static_cast<std::size_t>(number)];
    if (node.is_settled || cost != node.cost) continue;
    if (best >= 0 && nodes_[static_cast<std::size_t>(best)].cost < cost) break;
    node.is_settled = true;
    if (!is_what_the_consumer_wants(space_, node.state)) {
      expand(number);
    } else if (best < 0 || reads_smaller(node.parent, node.step, best)) {
      best = number;
    }
  }
  if (best < 0) return std::nullopt;
  Plan plan;
  for (const int choice : steps_to(best)) {
    plan.push_back(choices_[static_cast<std::size_t>(choice)]);
  }
  return plan;
}

}  // namespace

std::optional<Plan> cheapest_plan(PlanSpace& space) { return Search(space).cheapest(); }

}  // namespace shardcheck::model
