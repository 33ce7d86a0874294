#include <algorithm>

#include "draw.h"
#include "generate_parts.h"

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

Cut draw_cut(Entropy& entropy, const Scope& scope, const Case& subject, Axis axis,
             std::vector<int> over) {
  Cut cut;
  if (over.empty()) return cut;
  cut.split =
      draw_split(entropy, scope, axis, extent(subject, axis), part_count(subject.mesh, over));
  cut.over = std::move(over);
  return cut;
}

/// K split over the one mesh axis, alike in A and B, and a consumer of any kind.
void draw_k_split(Entropy& entropy, const Scope& scope, Case& subject) {
  subject.a.columns = draw_cut(entropy, scope, subject, Axis::k, {0});
  subject.b.rows = subject.a.columns;
  switch (weighted(entropy, {35, 20, 25, 20})) {
    case 0: subject.c.rows = draw_cut(entropy, scope, subject, Axis::i, {0}); break;
    case 1: subject.c.columns = draw_cut(entropy, scope, subject, Axis::j, {0}); break;
    case 2: break;
    default: subject.c.partial_over = {0}; break;
  }
}

}  // namespace

Mesh draw_mesh(Entropy& entropy, const Scope& scope) {
  if (scope.mesh) return *scope.mesh;
  return Mesh{{{"x", scope.ranks ? *scope.ranks : draw_rank_count(entropy)}}};
}

void draw_layouts(Entropy& entropy, const Scope& scope, Case& subject) {
  draw_k_split(entropy, scope, subject);
}

}  // namespace shardcheck
