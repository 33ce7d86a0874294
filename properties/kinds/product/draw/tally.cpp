#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <shardcheck/model/expectation/ownership.h>

#include <shardcheck/properties/generate/tally_parts.h>

#include "tally.h"

namespace shardcheck {
namespace {

std::string_view size_class(std::int64_t extent) {
  if (extent == 0) return "0";
  if (extent == 1) return "1";
  if (extent <= 4) return "2-4";
  if (extent <= 16) return "5-16";
  if (extent <= 40) return "17-40";
  return "41 and more";
}

std::string consumer_kind(const Layout& c) {
  std::string kind;
  if (!c.rows.over.empty()) kind += "rows";
  if (!c.columns.over.empty()) kind += kind.empty() ? "columns" : " and columns";
  if (!c.partial_over.empty()) kind += kind.empty() ? "partial" : ", partial";
  return kind.empty() ? "replicas" : kind;
}

/// What is unusual about the parts of the case's cuts.
struct Oddities {
  bool has_empty_part = false;
  bool has_uneven_parts = false;
  bool has_more_parts_than_k = false;
  bool has_nested_cut = false;
};

void note_cut(const ProductCase& subject, const Cut& cut, Axis axis, Oddities& oddities) {
  if (cut.over.empty()) return;
  std::vector<std::int64_t> part_counts;
  for (const int mesh_axis : cut.over) {
    part_counts.push_back(subject.mesh.axes[static_cast<std::size_t>(mesh_axis)].size);
  }
  const auto parts = model::parts(cut.split, extent(subject, axis), part_counts);
  const auto [shortest, longest] = std::minmax_element(
      parts.begin(), parts.end(),
      [](const auto& left, const auto& right) { return left.size() < right.size(); });
  oddities.has_empty_part |= shortest->empty();
  oddities.has_uneven_parts |= shortest->size() != longest->size();
  oddities.has_nested_cut |= cut.over.size() > 1;
  oddities.has_more_parts_than_k |=
      axis == Axis::k && static_cast<std::int64_t>(parts.size()) > extent(subject, axis);
}

bool is_power_of_two(std::int64_t count) { return (count & (count - 1)) == 0; }

void count_shape(Tally& tally, const ProductCase& subject) {
  Oddities oddities;
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    for (const Axis axis : axes_of(tensor)) {
      const Cut& cut = cut_of(layout(subject, tensor), tensor, axis);
      note_cut(subject, cut, axis, oddities);
      if (cut.over.empty()) continue;
      add(tally, fmt::format("split.{}", name(axis)), name(cut.split.rule));
    }
  }
  if (oddities.has_empty_part) add(tally, "shape", "empty part");
  if (oddities.has_uneven_parts) add(tally, "shape", "uneven parts");
  if (oddities.has_more_parts_than_k) add(tally, "shape", "more ranks than k");
  if (oddities.has_nested_cut) add(tally, "shape", "an axis cut twice");
  if (!is_power_of_two(rank_count(subject.mesh))) add(tally, "shape", "ranks no power of two");
  if (subject.k == 0) add(tally, "shape", "nothing to sum");
  if (subject.i * subject.j == 0) add(tally, "shape", "no result");
  if (subject.a.columns != subject.b.rows) add(tally, "shape", "operands cut differently");
  add(tally, "ranks", std::to_string(rank_count(subject.mesh)));
  add(tally, "mesh axes", std::to_string(subject.mesh.axes.size()));
  for (const Axis axis : {Axis::i, Axis::j, Axis::k}) {
    add(tally, std::string(name(axis)), size_class(extent(subject, axis)));
  }
  add(tally, "consumer", consumer_kind(subject.c));
}

void count_dtypes(Tally& tally, const DtypeCombination& dtypes) {
  const std::array<std::string_view, 4> names{info(dtypes.in).name, info(dtypes.acc).name,
                                              info(dtypes.wire).name, info(dtypes.out).name};
  add(tally, "acc", names[1]);
  add(tally, "wire", names[2]);
  add(tally, "out", names[3]);
  add(tally, "dtypes", fmt::format("{}", fmt::join(names, "/")));
}

void count_choices(Tally& tally, const ProductCase& subject) {
  add(tally, "kernel", name(subject.kernel));
  add(tally, "fma", name(subject.fma));
  add(tally, "plan given", subject.plan ? "yes" : "no");
}

/// "gather:A"; what moves both operands, or none, without a tensor.
std::string step_title(const Step& step) {
  const StepTarget target = info(step.kind).target;
  if (target == StepTarget::none || target == StepTarget::grid) {
    return std::string(name(step.kind));
  }
  return fmt::format("{}:{}", name(step.kind), name(step.tensor));
}

/// A woven step has its own dimension too, where it has something to send: a ring of one member and
/// an empty product show nothing of the way that blocks take.
void count_woven(Tally& tally, const ProductCase& subject, const Plan& plan, const Step& step) {
  if (!is_woven(step.kind)) return;
  const auto size = [&subject](int axis) {
    return axis < 0 ? 1 : subject.mesh.axes[static_cast<std::size_t>(axis)].size;
  };
  if (size(step.mesh_axis) * size(step.column_axis) == 1) return;
  if (subject.i * subject.j * subject.k == 0) return;
  add(tally, "woven step", step_title(step));
  if (plan.size() > 1) add(tally, "woven step", "among other steps");
  const std::size_t own_axes = step.column_axis < 0 ? 1 : 2;
  if (subject.mesh.axes.size() > own_axes) add(tally, "woven step", "beside another mesh axis");
}

void count_collective(Tally& tally, const ProductCase& subject, Collective collective) {
  const Algorithm algorithm = algorithm_of(subject, collective);
  add(tally, "collective", fmt::format("{} {}", name(collective), name(algorithm)));
}

/// What a plan does, in the order in which it does it: few enough shapes to read.
struct PlanShape {
  bool moves_operands = false;
  bool reduces = false;
  bool moves_result = false;
};

std::string print_shape(const PlanShape& shape) {
  std::string text = shape.moves_operands ? "move operands, multiply" : "multiply";
  if (shape.reduces) text += ", reduce";
  if (shape.moves_result) text += ", move result";
  return text;
}

void count_plan(Tally& tally, const ProductCase& subject, const Plan& plan) {
  if (plan.empty()) return;
  PlanShape shape;
  for (const Step& step : plan) {
    add(tally, "step", step_title(step));
    count_woven(tally, subject, plan, step);
    switch (step.kind) {
      case Step::Kind::gather: count_collective(tally, subject, Collective::all_gather); break;
      case Step::Kind::reduce_scatter:
        count_collective(tally, subject, Collective::reduce_scatter);
        break;
      case Step::Kind::all_reduce: count_collective(tally, subject, Collective::all_reduce); break;
      case Step::Kind::slice:
      case Step::Kind::exchange:
      case Step::Kind::gather_local:
      case Step::Kind::local_scatter:
      case Step::Kind::summa:
      case Step::Kind::cannon:
      case Step::Kind::local: break;
    }
    const bool is_of_operands =
        step.tensor != Tensor::c || info(step.kind).target == StepTarget::grid;
    const bool is_sum = info(step.kind).is_sum;
    shape.reduces |= is_sum;
    shape.moves_operands |= is_of_operands;
    shape.moves_result |= !is_of_operands && !is_sum && step.kind != Step::Kind::local;
  }
  add(tally, "plan shape", print_shape(shape));
}

}  // namespace

void count_own(Tally& tally, const ProductCase& subject, const Verdict& verdict) {
  count_shape(tally, subject);
  count_dtypes(tally, subject.dtypes);
  count_choices(tally, subject);
  count_plan(tally, subject, verdict.plan);
}

}  // namespace shardcheck
