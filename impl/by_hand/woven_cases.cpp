#include "woven_cases.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::impl {
namespace {

template <typename T>
void shuffle(Draw& draw, std::vector<T>& values) {
  for (std::size_t left = values.size(); left > 1; --left) {
    std::swap(values[left - 1],
              values[static_cast<std::size_t>(draw.below(static_cast<std::int64_t>(left)))]);
  }
}

/// Lays out one case: who cuts what, then how.
class Drawing {
 public:
  Drawing(Draw& draw, Step::Kind kind) : draw_(draw), kind_(kind) {}

  ProductCase run();

 private:
  void mesh();
  void cut_over(Cut& cut, int axis) {
    cut.over.insert(draw_.one_in(2) ? cut.over.begin() : cut.over.end(), axis);
  }
  /// Rows of A, columns of B, or neither.
  void cut_an_outer_axis(int axis) {
    const std::int64_t where = draw_.below(3);
    if (where == 0) cut_over(case_.a.rows, axis);
    if (where == 1) cut_over(case_.b.columns, axis);
  }
  void gather_local();
  void local_scatter();
  void grid();
  void split(Cut& cut, std::int64_t extent);
  void split_k(Cut& finer, Cut& coarser);
  void complete_plan();

  Draw& draw_;
  Step::Kind kind_;
  ProductCase case_;
  Step step_;
  int x_ = 0;
  int y_ = 0;
  int z_ = 0;
};

void Drawing::mesh() {
  std::vector<std::pair<std::string, std::int64_t>> axes{
      {"x", 1 + draw_.below(4)}, {"y", 1 + draw_.below(3)}, {"z", 1 + draw_.below(2)}};
  if (kind_ == Step::Kind::cannon) axes[0].second = axes[1].second = 1 + draw_.below(3);
  shuffle(draw_, axes);
  for (int at = 0; at < 3; ++at) {
    const auto& [name, size] = axes[static_cast<std::size_t>(at)];
    case_.mesh.axes.push_back({name, size});
    (name == "x" ? x_ : name == "y" ? y_ : z_) = at;
  }
}

void Drawing::gather_local() {
  step_.tensor = draw_.one_in(2) ? Tensor::a : Tensor::b;
  const bool moves_a = step_.tensor == Tensor::a;
  Cut& k = moves_a ? case_.a.columns : case_.b.rows;
  Cut& other_k = moves_a ? case_.b.rows : case_.a.columns;
  Cut& outer = moves_a ? case_.a.rows : case_.b.columns;
  Cut& other_outer = moves_a ? case_.b.columns : case_.a.rows;
  if (draw_.one_in(2)) {
    cut_over(k, x_);
    cut_over(other_outer, x_);
  } else {
    cut_over(outer, x_);
  }
  cut_an_outer_axis(y_);
  if (draw_.one_in(2)) {
    cut_over(k, z_);
    cut_over(other_k, z_);
  } else {
    cut_an_outer_axis(z_);
  }
  split_k(k, other_k);
}

void Drawing::local_scatter() {
  for (Cut* const k : {&case_.a.columns, &case_.b.rows}) cut_over(*k, x_);
  cut_an_outer_axis(y_);
  if (draw_.one_in(2)) {
    for (Cut* const k : {&case_.a.columns, &case_.b.rows}) cut_over(*k, z_);
  } else {
    cut_an_outer_axis(z_);
  }
  split_k(case_.a.columns, case_.b.rows);
  const std::int64_t where = draw_.below(3);
  if (where == 0) cut_over(case_.c.rows, x_);
  if (where == 1) cut_over(case_.c.columns, x_);
}

/// SUMMA's or Cannon's.
void Drawing::grid() {
  step_.column_axis = y_;
  cut_over(case_.a.columns, y_);
  cut_over(case_.b.rows, x_);
  if (kind_ == Step::Kind::cannon || !draw_.one_in(3)) cut_over(case_.a.rows, x_);
  if (kind_ == Step::Kind::cannon || !draw_.one_in(3)) cut_over(case_.b.columns, y_);
  cut_an_outer_axis(z_);
  split(case_.a.columns, case_.k);
  split(case_.b.rows, case_.k);
  if (kind_ != Step::Kind::cannon) return;
  case_.b.rows.split = case_.a.columns.split;
}

void Drawing::split(Cut& cut, std::int64_t extent) {
  if (cut.over.empty()) return;
  std::int64_t parts = 1;
  for (const int axis : cut.over) parts *= case_.mesh.axes[static_cast<std::size_t>(axis)].size;
  cut.split = draw_split(draw_, extent, parts);
}

/// `coarser` is cut over some of the mesh axes of `finer` and holds the same k, in another order.
void Drawing::split_k(Cut& finer, Cut& coarser) {
  split(finer, case_.k);
  if (coarser.over.empty()) return;
  const Grid grid = make_grid(case_.mesh);
  const AxisLists lists = cut(grid, case_.k, finer);
  std::int64_t parts = 1;
  for (const int axis : coarser.over) parts *= grid.sizes[static_cast<std::size_t>(axis)];
  coarser.split.rule = Split::Rule::sets;
  coarser.split.sets.resize(static_cast<std::size_t>(parts));
  for (std::int64_t cell = 0; cell < cell_count(grid, lists.over); ++cell) {
    std::int64_t part = 0;
    for (const int axis : coarser.over) {
      part = part * grid.sizes[static_cast<std::size_t>(axis)] +
             coordinate_of(grid, lists.over, axis, cell);
    }
    auto& set = coarser.split.sets[static_cast<std::size_t>(part)];
    for (const std::int32_t k : list_of(lists, cell)) set.push_back(k);
  }
  for (auto& set : coarser.split.sets) shuffle(draw_, set);
}

void Drawing::complete_plan() {
  Plan plan{step_};
  Situation situation(case_);
  const auto reached = after(situation, situation.start, compact(step_));
  SHARDCHECK_REQUIRE(reached.has_value(), "the layouts are made for the schedule");
  const MeshAxes wanted = impl::cut_over(situation, situation.consumer);
  for (int axis = 0; axis < 3; ++axis) {
    Step step;
    step.mesh_axis = axis;
    step.kind = Step::Kind::all_reduce;
    if (reached->partial_over & only(axis)) plan.push_back(step);
    step.kind = Step::Kind::gather;
    if (impl::cut_over(situation, reached->c) & ~wanted & only(axis)) {
      plan.push_back(step);
    }
  }
  case_.plan = plan;
}

ProductCase Drawing::run() {
  mesh();
  case_.i = draw_.below(10);
  case_.j = draw_.below(10);
  case_.k = draw_.below(13);
  step_.kind = kind_;
  step_.mesh_axis = x_;
  switch (kind_) {
    case Step::Kind::gather_local: gather_local(); break;
    case Step::Kind::local_scatter: local_scatter(); break;
    default: grid(); break;
  }
  split(case_.a.rows, case_.i);
  split(case_.b.columns, case_.j);
  split(case_.c.rows, case_.i);
  split(case_.c.columns, case_.j);
  complete_plan();
  case_.kernel = draw_.one_in(2) ? Kernel::fast : Kernel::ordered;
  case_.run.seed = draw_.bits();
  if (draw_.one_in(4)) {
    case_.run.kind = Run::Kind::pct;
    case_.run.depth = 1 + draw_.below(4);
  }
  return case_;
}

Bits draw_element(Draw& draw, Dtype dtype) {
  const Bits bits = draw.bits();
  if (dtype != Dtype::f32 && dtype != Dtype::bf16) return bits >> (64 - 8 * info(dtype).bytes);
  // Sign and significand at random, the exponent between 0 and 3.
  const auto single = static_cast<std::uint32_t>((bits & 0x80ffffffU) + 0x3f800000U);
  return dtype == Dtype::f32 ? single : single >> 16;
}

}  // namespace

ProductCase draw_schedule_case(Draw& draw, Step::Kind kind) { return Drawing(draw, kind).run(); }

void draw_data(Draw& draw, ProductCase& subject) {
  subject.data = {};
  subject.data.regime = Data::Regime::given;
  subject.data.given.resize(2);
  for (std::int64_t n = 0; n < subject.i * subject.k; ++n) {
    subject.data.given[0].push_back(draw_element(draw, subject.dtypes.in));
  }
  for (std::int64_t n = 0; n < subject.k * subject.j; ++n) {
    subject.data.given[1].push_back(draw_element(draw, subject.dtypes.in));
  }
}

std::vector<Step> plain_steps(const Step& schedule) {
  const auto gather = [](Tensor tensor, int axis) {
    Step step;
    step.kind = Step::Kind::gather;
    step.tensor = tensor;
    step.mesh_axis = axis;
    return step;
  };
  if (schedule.kind == Step::Kind::gather_local) {
    return {gather(schedule.tensor, schedule.mesh_axis), {}};
  }
  if (schedule.kind == Step::Kind::local_scatter) {
    Step reduction;
    reduction.kind = Step::Kind::reduce_scatter;
    reduction.mesh_axis = schedule.mesh_axis;
    return {{}, reduction};
  }
  return {gather(Tensor::a, schedule.column_axis), gather(Tensor::b, schedule.mesh_axis), {}};
}

ProductCase spelled_out(const ProductCase& subject) {
  ProductCase plain = subject;
  plain.plan = plain_steps(subject.plan->front());
  plain.plan->insert(plain.plan->end(), subject.plan->begin() + 1, subject.plan->end());
  plain.algorithms[static_cast<std::size_t>(Collective::reduce_scatter)] = Algorithm::ring;
  plain.algorithms[static_cast<std::size_t>(Collective::all_gather)] = Algorithm::ring;
  return plain;
}

}  // namespace shardcheck::impl
