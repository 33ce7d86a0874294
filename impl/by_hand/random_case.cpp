#include "random_case.h"

#include <array>
#include <numeric>
#include <utility>

namespace shardcheck::impl {

Mesh draw_mesh(Draw& draw) {
  Mesh mesh;
  const std::array names{"x", "y", "z"};
  const std::int64_t axes = 1 + draw.below(3);
  for (std::int64_t axis = 0; axis < axes; ++axis) {
    mesh.axes.push_back(
        {names[static_cast<std::size_t>(axis)], axes == 1 ? 1 + draw.below(8) : 1 + draw.below(4)});
  }
  return mesh;
}

Split draw_split(Draw& draw, std::int64_t extent, std::int64_t parts) {
  Split split;
  split.rule = static_cast<Split::Rule>(draw.below(5));
  if (split.rule == Split::Rule::cyclic) split.block = 1 + draw.below(3);
  std::vector<std::int64_t> indices(static_cast<std::size_t>(extent));
  std::iota(indices.begin(), indices.end(), 0);
  if (split.rule == Split::Rule::sizes) {
    split.sizes.assign(static_cast<std::size_t>(parts), 0);
    for (std::int64_t n = 0; n < extent; ++n) {
      ++split.sizes[static_cast<std::size_t>(draw.below(parts))];
    }
  }
  if (split.rule == Split::Rule::sets) {
    split.sets.resize(static_cast<std::size_t>(parts));
    for (std::int64_t n = extent; n > 0; --n) {
      std::swap(indices[static_cast<std::size_t>(n - 1)],
                indices[static_cast<std::size_t>(draw.below(n))]);
      split.sets[static_cast<std::size_t>(draw.below(parts))].push_back(
          indices[static_cast<std::size_t>(n - 1)]);
    }
  }
  return split;
}

namespace {

Layout draw_layout(Draw& draw, const Mesh& mesh, std::int64_t rows, std::int64_t columns) {
  Layout layout;
  for (int axis = 0; axis < static_cast<int>(mesh.axes.size()); ++axis) {
    std::vector<int>* over = nullptr;
    switch (draw.below(3)) {
      case 0: over = &layout.rows.over; break;
      case 1: over = &layout.columns.over; break;
      default: continue;
    }
    over->insert(draw.one_in(2) ? over->begin() : over->end(), axis);
  }
  for (const auto& [cut, extent] : {std::pair{&layout.rows, rows}, {&layout.columns, columns}}) {
    if (cut->over.empty()) continue;
    std::int64_t parts = 1;
    for (const int axis : cut->over) parts *= mesh.axes[static_cast<std::size_t>(axis)].size;
    cut->split = draw_split(draw, extent, parts);
  }
  return layout;
}

}  // namespace

ProductCase draw_case(Draw& draw) {
  ProductCase subject;
  subject.mesh = draw_mesh(draw);
  subject.i = draw.below(7);
  subject.j = draw.below(7);
  subject.k = draw.below(7);
  subject.a = draw_layout(draw, subject.mesh, subject.i, subject.k);
  subject.b = draw_layout(draw, subject.mesh, subject.k, subject.j);
  subject.c = draw_layout(draw, subject.mesh, subject.i, subject.j);
  subject.dtypes = {Dtype::i64, Dtype::i64, Dtype::i64, draw.one_in(2) ? Dtype::i64 : Dtype::i32};
  for (std::size_t at = 0; at < subject.algorithms.size(); ++at) {
    const auto offered = algorithms_of(static_cast<Collective>(at));
    subject.algorithms[at] =
        offered[static_cast<std::size_t>(draw.below(static_cast<std::int64_t>(offered.size())))];
  }
  subject.kernel = static_cast<Kernel>(draw.below(2));
  subject.run.seed = draw.bits();
  subject.data.regime = Data::Regime::given;
  subject.data.given.resize(2);
  for (std::int64_t n = 0; n < subject.i * subject.k; ++n)
    subject.data.given[0].push_back(draw.bits());
  for (std::int64_t n = 0; n < subject.k * subject.j; ++n)
    subject.data.given[1].push_back(draw.bits());
  return subject;
}

Bits plain_sum(const ProductCase& subject, std::int64_t coordinate,
               const std::vector<std::int64_t>& ks) {
  const std::int64_t row = coordinate / subject.j;
  const std::int64_t column = coordinate % subject.j;
  Bits sum = 0;
  for (const std::int64_t k : ks) {
    sum += subject.data.given[0][static_cast<std::size_t>(row * subject.k + k)] *
           subject.data.given[1][static_cast<std::size_t>(k * subject.j + column)];
  }
  return sum & ~Bits{0} >> (64 - 8 * info(subject.dtypes.out).bytes);
}

}  // namespace shardcheck::impl
