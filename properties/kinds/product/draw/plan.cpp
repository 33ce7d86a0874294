#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <shardcheck/model/plan/rules.h>

#include <shardcheck/properties/generate/draw.h>

#include "parts.h"

namespace shardcheck {
namespace {

/// A plan as far as it has been walked.
struct Walk {
  const ProductCase& subject;
  model::PlanState state;
  Plan steps;
};

/// Takes the step if it may be taken.
bool take(Walk& walk, const Step& step) {
  auto next = model::apply(walk.subject, walk.state, step);
  if (!next) return false;
  walk.state = *std::move(next);
  walk.steps.push_back(step);
  return true;
}

Step over_axis(Step::Kind kind, Tensor tensor, int mesh_axis) {
  Step step;
  step.kind = kind;
  step.tensor = tensor;
  step.mesh_axis = mesh_axis;
  return step;
}

Step exchange(Tensor tensor) {
  Step step;
  step.kind = Step::Kind::exchange;
  step.tensor = tensor;
  return step;
}

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

void remove_axes(std::vector<int>& axes, const std::vector<int>& gone) {
  std::erase_if(axes, [&](int axis) { return contains(gone, axis); });
}

/// The exchange that cuts an operand along k as the other now is; spelled out with brackets or not.
Step align(Entropy& entropy, const Walk& walk, Tensor tensor) {
  Step step = exchange(tensor);
  step.has_brackets = chance(entropy, 40);
  if (!step.has_brackets) return step;
  if (tensor == Tensor::a) {
    step.columns_over = walk.state.b.rows_over;
    step.rows_over = walk.state.a.rows_over;
    remove_axes(step.rows_over, step.columns_over);
  } else {
    step.rows_over = walk.state.a.columns_over;
    step.columns_over = walk.state.b.columns_over;
    remove_axes(step.columns_over, step.rows_over);
  }
  return step;
}

void gather_all(Walk& walk, Tensor tensor) {
  for (int axis = static_cast<int>(walk.subject.mesh.axes.size()) - 1; axis >= 0; --axis) {
    take(walk, over_axis(Step::Kind::gather, tensor, axis));
  }
}

/// A few moves of the operands that nobody needs.
void wander(Entropy& entropy, Walk& walk) {
  const auto mesh_axes = static_cast<std::int64_t>(walk.subject.mesh.axes.size());
  const std::int64_t moves = between(entropy, 1, 3);
  for (std::int64_t move = 0; move < moves; ++move) {
    const Tensor tensor = chance(entropy, 50) ? Tensor::b : Tensor::a;
    const Step::Kind kind = chance(entropy, 50) ? Step::Kind::slice : Step::Kind::gather;
    take(walk, over_axis(kind, tensor, static_cast<int>(between(entropy, 0, mesh_axes - 1))));
  }
}

/// Some schedule, if it happens to fit.
bool take_some_schedule(Entropy& entropy, Walk& walk) {
  const auto mesh_axes = static_cast<std::int64_t>(walk.subject.mesh.axes.size());
  constexpr std::array kinds{Step::Kind::gather_local, Step::Kind::local_scatter, Step::Kind::summa,
                             Step::Kind::cannon};
  Step step;
  step.kind = pick(entropy, kinds);
  step.mesh_axis = static_cast<int>(between(entropy, 0, mesh_axes - 1));
  switch (step.kind) {
    case Step::Kind::gather_local: step.tensor = chance(entropy, 50) ? Tensor::b : Tensor::a; break;
    case Step::Kind::summa:
    case Step::Kind::cannon:
      step.column_axis = static_cast<int>(between(entropy, 0, mesh_axes - 1));
      break;
    default: break;
  }
  return take(walk, step);
}

/// The moves that make the product possible, and the product.
bool walk_to_product(Entropy& entropy, Walk& walk) {
  if (chance(entropy, 40)) wander(entropy, walk);
  if (chance(entropy, 20) && take_some_schedule(entropy, walk)) return true;
  const Step local;
  if (take(walk, local)) return true;
  const Tensor aligned = chance(entropy, 50) ? Tensor::a : Tensor::b;
  if (take(walk, align(entropy, walk, aligned)) && take(walk, local)) return true;
  gather_all(walk, Tensor::a);
  if (take(walk, local)) return true;
  gather_all(walk, Tensor::b);
  return take(walk, local);
}

/// Partials over what the consumer wants summed are summed, in any order and by either collective.
void walk_through_sums(Entropy& entropy, Walk& walk) {
  std::vector<int> open = walk.state.c->partial_over;
  remove_axes(open, walk.subject.c.partial_over);
  shuffle(entropy, open);
  for (const int axis : open) {
    const bool scatters = chance(entropy, 60);
    take(walk, over_axis(scatters ? Step::Kind::reduce_scatter : Step::Kind::all_reduce, Tensor::c,
                         axis));
  }
}

/// C moved to where the consumer wants it: by one exchange, or axis by axis.
void walk_to_consumer(Entropy& entropy, Walk& walk) {
  const bool exchanges = chance(entropy, 30);
  if (exchanges && take(walk, exchange(Tensor::c))) return;
  const Layout& wanted = walk.subject.c;
  for (int axis = static_cast<int>(walk.subject.mesh.axes.size()) - 1; axis >= 0; --axis) {
    const model::TensorState& c = *walk.state.c;
    const bool as_wanted = contains(c.rows_over, axis) == contains(wanted.rows.over, axis) &&
                           contains(c.columns_over, axis) == contains(wanted.columns.over, axis);
    if (!as_wanted) take(walk, over_axis(Step::Kind::gather, Tensor::c, axis));
  }
  for (int axis = 0; axis < static_cast<int>(walk.subject.mesh.axes.size()); ++axis) {
    const bool is_wanted = contains(wanted.rows.over, axis) || contains(wanted.columns.over, axis);
    if (is_wanted) take(walk, over_axis(Step::Kind::slice, Tensor::c, axis));
  }
}

/// From the product on to what the consumer asks for; empty if that is never reached.
Plan walked_to_the_end(Entropy& entropy, Walk walk) {
  walk_through_sums(entropy, walk);
  walk_to_consumer(entropy, walk);
  ProductCase planned = walk.subject;
  planned.plan = walk.steps;
  return model::resolve(planned) ? walk.steps : Plan{};
}

void leave(Walk&, const Step&) {}

/// Slices A and B wherever the other operand or the consumer says how.
void slice_all(Walk& walk, const Step&) {
  for (int axis = 0; axis < static_cast<int>(walk.subject.mesh.axes.size()); ++axis) {
    take(walk, over_axis(Step::Kind::slice, Tensor::a, axis));
    take(walk, over_axis(Step::Kind::slice, Tensor::b, axis));
  }
}

/// Gathers A and B over all mesh axes that the product isn't over.
void gather_others(Walk& walk, const Step& product) {
  for (int axis = 0; axis < static_cast<int>(walk.subject.mesh.axes.size()); ++axis) {
    if (axis == product.mesh_axis || axis == product.column_axis) continue;
    take(walk, over_axis(Step::Kind::gather, Tensor::a, axis));
    take(walk, over_axis(Step::Kind::gather, Tensor::b, axis));
  }
}

}  // namespace

Plan draw_plan(Entropy& entropy, const ProductCase& subject) {
  Walk walk{subject, model::initial_state(subject), {}};
  if (!walk_to_product(entropy, walk)) return {};
  return walked_to_the_end(entropy, std::move(walk));
}

Plan draw_plan(Entropy& entropy, const ProductCase& subject, const Step& product) {
  const Walk start{subject, model::initial_state(subject), {}};
  const std::int64_t wanderings = chance(entropy, 40) ? 4 : 0;
  for (std::int64_t wandering = 0; wandering < wanderings; ++wandering) {
    Walk walk = start;
    wander(entropy, walk);
    if (take(walk, product)) return walked_to_the_end(entropy, std::move(walk));
  }
  // Those moves led astray; or the operands have to be cut as the case is laid out otherwise, or
  // whole but for what the product gathers.
  constexpr std::array preparations{&leave, &slice_all, &gather_others};
  for (const auto prepare : preparations) {
    Walk walk = start;
    prepare(walk, product);
    if (take(walk, product)) return walked_to_the_end(entropy, std::move(walk));
  }
  return {};
}

}  // namespace shardcheck
