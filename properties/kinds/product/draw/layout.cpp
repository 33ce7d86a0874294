#include <algorithm>
#include <array>

#include <shardcheck/properties/generate/draw.h>
#include <shardcheck/properties/generate/plainness.h>

#include "parts.h"

namespace shardcheck {
namespace {

std::int64_t draw_rank_count(Entropy& entropy) {
  switch (weighted(entropy, {24, 22, 16, 23, 10, 5})) {
    case 0: return 2;
    case 1: return 3;
    case 2: return 4;
    case 3: return between(entropy, 5, 8);
    case 4: return between(entropy, 9, 16);
    default: return 1;
  }
}

std::int64_t part_count(const Mesh& mesh, const std::vector<int>& over) {
  std::int64_t count = 1;
  for (const int axis : over) count *= mesh.axes[static_cast<std::size_t>(axis)].size;
  return count;
}

/// K split over the first mesh axis, alike in A and B, and a consumer of any kind.
void draw_k_split(Entropy& entropy, const ProductScope& scope, ProductCase& subject) {
  subject.a.columns = draw_cut(entropy, scope, subject, Axis::k, {0});
  subject.b.rows = subject.a.columns;
  switch (weighted(entropy, {35, 20, 25, 20})) {
    case 0: subject.c.rows = draw_cut(entropy, scope, subject, Axis::i, {0}); break;
    case 1: subject.c.columns = draw_cut(entropy, scope, subject, Axis::j, {0}); break;
    case 2: break;
    default: subject.c.partial_over = {0}; break;
  }
}

/// Mesh axes dealt out to a tensor's two axes; those left over hold replicas.
struct Deal {
  std::vector<int> rows;
  std::vector<int> columns;
};

Deal draw_deal(Entropy& entropy, const Mesh& mesh, std::array<std::uint64_t, 3> weights,
               const std::vector<int>& taken) {
  std::vector<int> axes;
  for (int axis = 0; axis < static_cast<int>(mesh.axes.size()); ++axis) {
    if (std::find(taken.begin(), taken.end(), axis) == taken.end()) axes.push_back(axis);
  }
  if (chance(entropy, 35)) shuffle(entropy, axes);
  Deal deal;
  for (const int axis : axes) {
    switch (weighted(entropy, weights)) {
      case 0: deal.rows.push_back(axis); break;
      case 1: deal.columns.push_back(axis); break;
      default: break;
    }
  }
  return deal;
}

void draw_operands(Entropy& entropy, const ProductScope& scope, ProductCase& subject) {
  const Deal a = draw_deal(entropy, subject.mesh, {30, 40, 30}, {});
  subject.a.rows = draw_cut(entropy, scope, subject, Axis::i, a.rows);
  subject.a.columns = draw_cut(entropy, scope, subject, Axis::k, a.columns);
  if (chance(entropy, 45)) {  // B as it comes: k cut otherwise, or not at all
    const Deal b = draw_deal(entropy, subject.mesh, {40, 30, 30}, {});
    subject.b.rows = draw_cut(entropy, scope, subject, Axis::k, b.rows);
    subject.b.columns = draw_cut(entropy, scope, subject, Axis::j, b.columns);
    return;
  }
  const Deal b = draw_deal(entropy, subject.mesh, {0, 50, 50}, a.columns);
  subject.b.rows = subject.a.columns;
  subject.b.columns = draw_cut(entropy, scope, subject, Axis::j, b.columns);
}

/// Mesh axes over which the consumer may ask for the partials: those that cut k somewhere.
std::vector<int> draw_partial_axes(Entropy& entropy, const ProductCase& subject) {
  std::vector<int> axes;
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    const auto cuts_k = [axis](const Cut& cut) {
      return std::find(cut.over.begin(), cut.over.end(), axis) != cut.over.end();
    };
    const bool may_stay = cuts_k(subject.a.columns) || cuts_k(subject.b.rows);
    if (may_stay && chance(entropy, 20)) axes.push_back(axis);
  }
  return axes;
}

/// Axes whose product stays small: what goes wrong on a grid goes wrong on a small one.
Mesh draw_grid(Entropy& entropy, std::size_t axis_count) {
  const std::int64_t ranks_max = chance(entropy, 5) ? 24 : 16;
  Mesh mesh;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    constexpr std::array<std::int64_t, 6> sizes{2, 3, 4, 1, 5, 6};
    const std::int64_t size = sizes[weighted(entropy, {45, 25, 13, 8, 5, 4})];
    const std::int64_t room = ranks_max / rank_count(mesh);
    mesh.axes.push_back({std::string(plain_axis_names[axis]), std::min(size, room)});
  }
  return mesh;
}

/// A mesh of so many ranks, each axis a divisor of what is left.
Mesh draw_mesh_of(Entropy& entropy, std::int64_t ranks, std::size_t axis_count) {
  Mesh mesh;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t size = 1; size <= ranks; ++size) {
      if (ranks % size == 0) divisors.push_back(size);
    }
    const bool is_last = axis + 1 == axis_count;
    const std::int64_t size = is_last ? ranks : pick(entropy, divisors);
    mesh.axes.push_back({std::string(plain_axis_names[axis]), size});
    ranks /= size;
  }
  return mesh;
}

}  // namespace

void draw_consumer(Entropy& entropy, const ProductScope& scope, ProductCase& subject) {
  subject.c.partial_over = draw_partial_axes(entropy, subject);
  const Deal c = draw_deal(entropy, subject.mesh, {38, 32, 30}, subject.c.partial_over);
  subject.c.rows = draw_cut(entropy, scope, subject, Axis::i, c.rows);
  subject.c.columns = draw_cut(entropy, scope, subject, Axis::j, c.columns);
  // Where the operands already are is what a program asks for most of the time.
  if (c.rows == subject.a.rows.over && chance(entropy, 60)) subject.c.rows = subject.a.rows;
  if (c.columns == subject.b.columns.over && chance(entropy, 60)) {
    subject.c.columns = subject.b.columns;
  }
}

Cut draw_cut(Entropy& entropy, const ProductScope& scope, const ProductCase& subject, Axis axis,
             std::vector<int> over) {
  Cut cut;
  if (over.empty()) return cut;
  constexpr std::array<std::uint64_t, split_rules.size()> weights{28, 16, 20, 16, 20};
  const Split::Rule drawn = draw_rule(entropy, weights);
  cut.split = draw_split(entropy, scope.rules[static_cast<std::size_t>(axis)].value_or(drawn),
                         extent(subject, axis), part_count(subject.mesh, over));
  cut.over = std::move(over);
  return cut;
}

Mesh draw_mesh(Entropy& entropy, const ProductScope& scope) {
  if (scope.mesh) return *scope.mesh;
  const std::size_t axis_count = 1 + weighted(entropy, {57, 33, 10});
  if (scope.ranks) return draw_mesh_of(entropy, *scope.ranks, axis_count);
  if (axis_count == 1) return draw_mesh_of(entropy, draw_rank_count(entropy), 1);
  return draw_grid(entropy, axis_count);
}

void draw_layouts(Entropy& entropy, const ProductScope& scope, ProductCase& subject) {
  const std::uint64_t plain_percent = subject.mesh.axes.size() == 1 ? 60 : 5;
  if (!chance(entropy, 100 - plain_percent)) {
    draw_k_split(entropy, scope, subject);
    return;
  }
  draw_operands(entropy, scope, subject);
  draw_consumer(entropy, scope, subject);
}

}  // namespace shardcheck
