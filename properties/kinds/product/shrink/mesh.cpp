#include <algorithm>
#include <functional>
#include <iterator>

#include <shardcheck/model/plan/woven_steps.h>

#include "reductions.h"
#include "regroup.h"

namespace shardcheck {
namespace {

void add_with_and_without_plan(const ProductCase& candidate, std::vector<ProductCase>& candidates) {
  candidates.push_back(candidate);
  if (!candidate.plan) return;
  candidates.push_back(candidate);
  candidates.back().plan.reset();
}

ProductCase with_ranks_joined(const ProductCase& subject, int mesh_axis, const Joining& joining) {
  ProductCase candidate = subject;
  for (Layout* layout : {&candidate.a, &candidate.b, &candidate.c}) {
    for (Cut* cut : {&layout->rows, &layout->columns}) {
      *cut = regrouped(*cut, subject.mesh, mesh_axis, joining);
    }
  }
  candidate.mesh.axes[static_cast<std::size_t>(mesh_axis)].size = joining.count;
  return candidate;
}

void renumber(std::vector<int>& axes, int gone) {
  std::erase(axes, gone);
  for (int& axis : axes) axis -= axis > gone ? 1 : 0;
}

bool is_over(const Step& step, int mesh_axis) {
  return step.mesh_axis == mesh_axis || step.column_axis == mesh_axis;
}

/// Of a schedule over the axis there remain the steps over others that it stands for.
void remove_axis_from_plan(Plan& plan, int gone) {
  Plan kept;
  for (const Step& step : plan) {
    const Plan plain = is_over(step, gone) ? model::stands_for(step) : Plan{step};
    std::ranges::copy_if(plain, std::back_inserter(kept),
                         [gone](const Step& part) { return !is_over(part, gone); });
  }
  plan = std::move(kept);
  for (Step& step : plan) {
    step.mesh_axis -= step.mesh_axis > gone ? 1 : 0;
    step.column_axis -= step.column_axis > gone ? 1 : 0;
    renumber(step.rows_over, gone);
    renumber(step.columns_over, gone);
  }
}

ProductCase without_mesh_axis(const ProductCase& subject, int mesh_axis) {
  const std::int64_t size = subject.mesh.axes[static_cast<std::size_t>(mesh_axis)].size;
  ProductCase candidate = with_ranks_joined(subject, mesh_axis, joined_evenly(size, 1));
  candidate.mesh.axes.erase(candidate.mesh.axes.begin() + mesh_axis);
  for (Layout* layout : {&candidate.a, &candidate.b, &candidate.c}) {
    for (Cut* cut : {&layout->rows, &layout->columns}) {
      renumber(cut->over, mesh_axis);
      if (cut->over.empty()) *cut = Cut{};
    }
    renumber(layout->partial_over, mesh_axis);
  }
  if (candidate.plan) remove_axis_from_plan(*candidate.plan, mesh_axis);
  return candidate;
}

bool uses(const Layout& layout, int mesh_axis) {
  for (const auto* axes : {&layout.rows.over, &layout.columns.over, &layout.partial_over}) {
    if (std::find(axes->begin(), axes->end(), mesh_axis) != axes->end()) return true;
  }
  return false;
}

/// One mesh axis takes over what another divides, and that other goes: a case that needs two things
/// divided need not need two axes.
ProductCase with_axis_merged(const ProductCase& subject, int gone, int kept) {
  const std::int64_t size_gone = subject.mesh.axes[static_cast<std::size_t>(gone)].size;
  const std::int64_t size_kept = subject.mesh.axes[static_cast<std::size_t>(kept)].size;
  Joining joining = joined_evenly(size_gone, std::min(size_gone, size_kept));
  joining.count = size_kept;
  ProductCase candidate = with_ranks_joined(subject, gone, joining);
  for (Layout* layout : {&candidate.a, &candidate.b, &candidate.c}) {
    if (uses(*layout, kept)) continue;
    for (auto* axes : {&layout->rows.over, &layout->columns.over, &layout->partial_over}) {
      std::replace(axes->begin(), axes->end(), gone, kept);
      if (axes == &layout->partial_over) std::sort(axes->begin(), axes->end());
    }
  }
  candidate = without_mesh_axis(candidate, gone);
  candidate.plan.reset();
  return candidate;
}

void exchange(std::vector<int>& axes, int one, int other) {
  for (int& axis : axes) {
    axis = axis == one ? other : axis == other ? one : axis;
  }
}

/// Two mesh axes change places in everything, so that a grid's come in the order of the mesh.
ProductCase with_axes_exchanged(const ProductCase& subject, int one, int other) {
  ProductCase candidate = subject;
  std::swap(candidate.mesh.axes[static_cast<std::size_t>(one)].size,
            candidate.mesh.axes[static_cast<std::size_t>(other)].size);
  for (Layout* layout : {&candidate.a, &candidate.b, &candidate.c}) {
    exchange(layout->rows.over, one, other);
    exchange(layout->columns.over, one, other);
    exchange(layout->partial_over, one, other);
    std::sort(layout->partial_over.begin(), layout->partial_over.end());
  }
  for (Step& step : *candidate.plan) {
    std::vector<int> own{step.mesh_axis, step.column_axis};
    exchange(own, one, other);
    step.mesh_axis = own[0];
    step.column_axis = own[1];
    for (auto* axes : {&step.rows_over, &step.columns_over}) {
      exchange(*axes, one, other);
      std::sort(axes->begin(), axes->end());
    }
  }
  return candidate;
}

void turn_grid(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  if (!subject.plan) return;
  for (const Step& step : *subject.plan) {
    if (step.column_axis < 0 || step.mesh_axis < step.column_axis) continue;
    candidates.push_back(with_axes_exchanged(subject, step.mesh_axis, step.column_axis));
  }
}

/// Cannon's two axes have one size, and only together can they have less.
void shrink_square(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  if (!subject.plan) return;
  for (const Step& step : *subject.plan) {
    if (step.kind != Step::Kind::cannon) continue;
    const std::int64_t size = subject.mesh.axes[static_cast<std::size_t>(step.mesh_axis)].size;
    for (const std::int64_t target : {std::int64_t{1}, std::int64_t{2}, size - 1}) {
      if (target >= size || target < 1) continue;
      const Joining joining = joined_evenly(size, target);
      const ProductCase joined = with_ranks_joined(
          with_ranks_joined(subject, step.mesh_axis, joining), step.column_axis, joining);
      candidates.push_back(joined);
      // Parts that were alike and must stay so: one k for each.
      if (joined.k > target) {
        candidates.push_back(without(joined, Axis::k, target, joined.k - target));
      }
    }
  }
}

/// All axes at once: few ranks are the boldest wish.
void shrink_every_axis(const ProductCase& subject, std::int64_t size_max,
                       std::vector<ProductCase>& candidates) {
  ProductCase candidate = subject;
  for (std::size_t axis = 0; axis < subject.mesh.axes.size(); ++axis) {
    const std::int64_t size = subject.mesh.axes[axis].size;
    if (size <= size_max) continue;
    candidate = with_ranks_joined(candidate, static_cast<int>(axis), joined_evenly(size, size_max));
  }
  add_with_and_without_plan(candidate, candidates);
}

}  // namespace

void reduce_mesh(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  const int axis_count = static_cast<int>(subject.mesh.axes.size());
  shrink_every_axis(subject, 1, candidates);
  for (int axis = 0; axis < axis_count && axis_count > 1; ++axis) {
    add_with_and_without_plan(without_mesh_axis(subject, axis), candidates);
  }
  for (int gone = 0; gone < axis_count; ++gone) {
    for (int kept = 0; kept < axis_count; ++kept) {
      if (gone != kept) candidates.push_back(with_axis_merged(subject, gone, kept));
    }
  }
  shrink_every_axis(subject, 2, candidates);
  shrink_square(subject, candidates);
  turn_grid(subject, candidates);
  for (int axis = 0; axis < axis_count; ++axis) {
    const std::int64_t size = subject.mesh.axes[static_cast<std::size_t>(axis)].size;
    for (const std::int64_t target : {std::int64_t{1}, std::int64_t{2}, size / 2}) {
      if (target >= size || target < 1) continue;
      add_with_and_without_plan(with_ranks_joined(subject, axis, joined_evenly(size, target)),
                                candidates);
    }
    for (std::int64_t member = size - 1; member >= 1; --member) {
      add_with_and_without_plan(
          with_ranks_joined(subject, axis, joined_with_predecessor(size, member)), candidates);
    }
  }
}

}  // namespace shardcheck
