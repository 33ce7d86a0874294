#include "search.h"

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

/// What the search keeps apart: for the cheapest plan ownership alone. For the runner-up also over
/// which mesh axes partials were reduce-scattered; over the others they were all-reduced. Ownership
/// of A and B stays as it was at the product, so that a state at the end tells its plan's essence.
struct State {
  Ownership ownership;
  MeshAxes scattered_over = 0;

  bool operator==(const State&) const = default;
};

/// What makes plans differ in essence (plan_search.h).
struct Essence {
  TensorOwnership a;
  TensorOwnership b;
  MeshAxes scattered_over = 0;

  bool operator==(const Essence&) const = default;
};

Essence essence_of(const State& end) {
  return {end.ownership.a, end.ownership.b, end.scattered_over};
}

/// No plan that costs more bytes than this matters: as many plans are known already as are wanted.
class BytesLimit {
 public:
  explicit BytesLimit(std::size_t plans_wanted) : plans_wanted_(plans_wanted) {}

  void add(const Essence& essence, std::int64_t bytes) {
    const auto known = std::find_if(cheapest_.begin(), cheapest_.end(),
                                    [&](const auto& other) { return other.second == essence; });
    if (known == cheapest_.end()) {
      cheapest_.emplace_back(bytes, essence);
    } else {
      known->first = std::min(known->first, bytes);
    }
    std::sort(cheapest_.begin(), cheapest_.end(),
              [](const auto& left, const auto& right) { return left.first < right.first; });
    if (cheapest_.size() > plans_wanted_) cheapest_.pop_back();
  }

  std::int64_t bytes_max() const {
    return cheapest_.size() < plans_wanted_ ? std::numeric_limits<std::int64_t>::max()
                                            : cheapest_.back().first;
  }

 private:
  std::size_t plans_wanted_;
  std::vector<std::pair<std::int64_t, Essence>> cheapest_;
};

struct Node {
  State state;
  PlanCost cost;
  int parent = -1;
  int step = -1;  ///< index of the choice that led here
  bool is_settled = false;
};

std::uint64_t hash_of(const State& state) {
  std::uint64_t hash = state.scattered_over;
  const Ownership& ownership = state.ownership;
  for (const TensorOwnership* tensor : {&ownership.a, &ownership.b, &ownership.c}) {
    for (const AxisId axis : tensor->axes) {
      hash = (hash ^ static_cast<std::uint64_t>(axis + 1)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    hash ^= tensor->partial_over;
  }
  return hash;
}

struct Hash {
  std::size_t operator()(const State& state) const { return hash_of(state); }
};

class Search {
 public:
  /// `plans_wanted`: 1 or 2, of different essence.
  Search(PlanSpace& space, std::size_t plans_wanted)
      : space_(space), plans_wanted_(plans_wanted), limit_(plans_wanted) {
    list_choices();
  }

  /// The cheapest, then the runner-up; fewer if there are not as many.
  std::vector<PricedPlan> run();

 private:
  void list_choices();
  void list_exchanges(Tensor operand);
  void expand(int node);
  void reach(int parent, int choice, const Ownership& ownership);
  std::vector<int> steps_to(int node) const;
  bool reads_smaller(int parent, int choice, int than);
  bool is_better(int end, int than);
  void settle_ends();
  PricedPlan plan_to(int node) const;
  const std::string& text(int choice);

  PlanSpace& space_;
  std::size_t plans_wanted_;
  std::vector<Step> choices_;
  std::vector<std::string> texts_;  ///< of the choices; empty until asked for
  std::vector<Node> nodes_;
  std::unordered_map<State, int, Hash> node_of_;
  BytesLimit limit_;
  std::vector<int> ends_;  ///< complete plans, each the best of its state
  std::priority_queue<std::pair<PlanCost, int>, std::vector<std::pair<PlanCost, int>>,
                      std::greater<>>
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

void Search::reach(int parent, int choice, const Ownership& ownership) {
  const Node& from = nodes_[static_cast<std::size_t>(parent)];
  const Step& step = choices_[static_cast<std::size_t>(choice)];
  PlanCost cost = from.cost;
  cost.bytes += bytes_of(space_, from.state.ownership, ownership, step);
  if (cost.bytes > limit_.bytes_max()) return;
  cost.operand_steps += step.tensor == Tensor::c ? 0 : 1;
  cost.steps += 1;
  cost.exchanges += step.kind == Step::Kind::exchange ? 1 : 0;
  State state{ownership, from.state.scattered_over};
  if (plans_wanted_ > 1 && step.kind == Step::Kind::reduce_scatter) {
    state.scattered_over |= axis_bit(step.mesh_axis);
  }
  const auto [found, is_new] = node_of_.try_emplace(state, static_cast<int>(nodes_.size()));
  const int number = found->second;
  if (is_new) {
    nodes_.push_back({state, cost, parent, choice, false});
  } else {
    Node& known = nodes_[static_cast<std::size_t>(number)];
    if (known.is_settled || known.cost < cost) return;
    if (known.cost == cost && !reads_smaller(parent, choice, number)) return;
    known.cost = cost;
    known.parent = parent;
    known.step = choice;
  }
  if (is_what_the_consumer_wants(space_, ownership)) limit_.add(essence_of(state), cost.bytes);
  queue_.emplace(cost, number);
}

void Search::expand(int node) {
  for (std::size_t choice = 0; choice < choices_.size(); ++choice) {
    const Ownership from = nodes_[static_cast<std::size_t>(node)].state.ownership;
    const auto next = take(space_, from, choices_[choice]);
    if (next && *next != from) reach(node, static_cast<int>(choice), *next);
  }
}

/// Best-first (Dijkstra): a state's first visit in the order of costs is the cheapest way to it.
void Search::settle_ends() {
  nodes_.push_back({{space_.start, 0}, {}, -1, -1, false});
  node_of_.emplace(nodes_.front().state, 0);
  queue_.emplace(PlanCost{}, 0);
  std::vector<Essence> found;
  PlanCost last_wanted;  // of the first plan of the last essence wanted, once it is found
  while (!queue_.empty()) {
    const auto [cost, number] = queue_.top();
    queue_.pop();
    Node& node = nodes_[static_cast<std::size_t>(number)];
    if (node.is_settled || cost != node.cost) continue;
    if (found.size() >= plans_wanted_ && last_wanted < cost) break;
    node.is_settled = true;
    if (!is_what_the_consumer_wants(space_, node.state.ownership)) {
      expand(number);
      continue;
    }
    ends_.push_back(number);
    const Essence essence = essence_of(node.state);
    if (std::find(found.begin(), found.end(), essence) != found.end()) continue;
    found.push_back(essence);
    if (found.size() == plans_wanted_) last_wanted = cost;
  }
}

bool Search::is_better(int end, int than) {
  const Node& node = nodes_[static_cast<std::size_t>(end)];
  const PlanCost& other = nodes_[static_cast<std::size_t>(than)].cost;
  if (node.cost != other) return node.cost < other;
  return reads_smaller(node.parent, node.step, than);
}

PricedPlan Search::plan_to(int node) const {
  PricedPlan plan{{}, nodes_[static_cast<std::size_t>(node)].cost};
  for (const int choice : steps_to(node)) {
    plan.steps.push_back(choices_[static_cast<std::size_t>(choice)]);
  }
  return plan;
}

std::vector<PricedPlan> Search::run() {
  settle_ends();
  std::sort(ends_.begin(), ends_.end(),
            [this](int left, int right) { return is_better(left, right); });
  std::vector<PricedPlan> plans;
  if (ends_.empty()) return plans;
  plans.push_back(plan_to(ends_.front()));
  const Essence chosen = essence_of(nodes_[static_cast<std::size_t>(ends_.front())].state);
  for (const int end : ends_) {
    if (plans.size() == plans_wanted_) break;
    if (essence_of(nodes_[static_cast<std::size_t>(end)].state) != chosen) {
      plans.push_back(plan_to(end));
    }
  }
  return plans;
}

}  // namespace

std::optional<Plan> cheapest_plan(PlanSpace& space) {
  const std::vector<PricedPlan> plans = Search(space, 1).run();
  if (plans.empty()) return std::nullopt;
  return plans.front().steps;
}

std::optional<Contest> cheapest_two(PlanSpace& space) {
  const std::vector<PricedPlan> plans = Search(space, 2).run();
  if (plans.empty()) return std::nullopt;
  Contest contest{plans.front(), std::nullopt};
  if (plans.size() > 1) contest.runner_up = plans[1];
  return contest;
}

}  // namespace shardcheck::model
