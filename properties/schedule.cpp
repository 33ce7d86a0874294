#include "schedule.h"

namespace shardcheck {

namespace {

Step over(Step::Kind kind, Tensor tensor, int mesh_axis) {
  Step step;
  step.kind = kind;
  step.tensor = tensor;
  step.mesh_axis = mesh_axis;
  return step;
}

}  // namespace

Plan stands_for(const Step& step) {
  switch (step.kind) {
    case Step::Kind::gather_local:
      return {over(Step::Kind::gather, step.tensor, step.mesh_axis), Step{}};
    case Step::Kind::local_scatter:
      return {Step{}, over(Step::Kind::reduce_scatter, Tensor::c, step.mesh_axis)};
    case Step::Kind::summa:
    case Step::Kind::cannon:
      return {over(Step::Kind::gather, Tensor::a, step.column_axis),
              over(Step::Kind::gather, Tensor::b, step.mesh_axis), Step{}};
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: break;
  }
  return {step};
}

Plan unwoven(const Plan& plan) {
  Plan steps;
  for (const Step& step : plan) {
    const Plan plain = stands_for(step);
    steps.insert(steps.end(), plain.begin(), plain.end());
  }
  return steps;
}

}  // namespace shardcheck
