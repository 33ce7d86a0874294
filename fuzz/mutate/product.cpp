#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/draw.h>
#include <shardcheck/properties/generate/draw_setting.h>
#include <shardcheck/properties/generate/reduce_setting.h>
#include <shardcheck/properties/kinds/product/draw/parts.h>
#include <shardcheck/properties/kinds/product/draw/product.h>
#include <shardcheck/properties/kinds/product/shrink/reductions.h>

#include <shardcheck/fuzz/case_input.h>

#include "fit.h"
#include "mutator.h"
#include "product_fit.h"
#include "values.h"

namespace shardcheck::fuzz {
namespace {

constexpr std::array all_axes{Axis::i, Axis::j, Axis::k};

std::int64_t& extent_of(ProductCase& subject, Axis axis) {
  switch (axis) {
    case Axis::i: return subject.i;
    case Axis::j: return subject.j;
    case Axis::k: return subject.k;
  }
  return subject.k;
}

Layout& layout_of(ProductCase& subject, Tensor tensor) {
  switch (tensor) {
    case Tensor::a: return subject.a;
    case Tensor::b: return subject.b;
    case Tensor::c: return subject.c;
  }
  return subject.c;
}

/// A step up or down, what the generator draws, or nothing left.
void change_extent(ProductCase& subject, Entropy& entropy) {
  std::int64_t& extent = extent_of(subject, pick(entropy, all_axes));
  switch (weighted(entropy, {4, 3, 3, 1})) {
    case 0: extent = draw_extent(entropy); break;
    case 1: extent += between(entropy, 1, 3); break;
    case 2: extent = std::max<std::int64_t>(extent - between(entropy, 1, 3), 0); break;
    default: extent *= 2; break;
  }
  extent = std::min(extent, work::extent);
}

/// Indices taken out of the middle: cuts that name their parts keep the others as they were.
void take_indices_out(ProductCase& subject, Entropy& entropy) {
  const Axis axis = pick(entropy, all_axes);
  const std::int64_t length = extent(subject, axis);
  if (length == 0) return;
  const std::int64_t start = between(entropy, 0, length - 1);
  const std::int64_t count = between(entropy, 1, std::min<std::int64_t>(length - start, 4));
  subject = without(subject, axis, start, count);
}

void change_mesh_axis(ProductCase& subject, Entropy& entropy) {
  if (subject.mesh.axes.empty()) return;
  const auto axis = static_cast<std::size_t>(entropy.below(subject.mesh.axes.size()));
  subject.mesh.axes[axis].size = between(entropy, 1, chance(entropy, 15) ? 16 : 6);
}

void redraw_mesh(ProductCase& subject, Entropy& entropy) {
  subject.mesh = draw_mesh(entropy, {});
  subject.plan.reset();
  subject.a = subject.b = subject.c = Layout{};
  draw_layouts(entropy, {}, subject);
}

void redraw_layouts(ProductCase& subject, Entropy& entropy) {
  if (subject.mesh.axes.empty()) return;
  ProductCase drawn = subject;
  drawn.a = drawn.b = drawn.c = Layout{};
  draw_layouts(entropy, {}, drawn);
  switch (entropy.below(4)) {
    case 0: subject.a = drawn.a; break;
    case 1: subject.b = drawn.b; break;
    case 2: subject.c = drawn.c; break;
    default: subject = drawn; break;
  }
}

/// One cut of one tensor; half of the time of all tensors that were cut alike.
void redraw_cut(ProductCase& subject, Entropy& entropy) {
  constexpr std::array tensors{Tensor::a, Tensor::b, Tensor::c};
  const Tensor tensor = pick(entropy, tensors);
  const Axis axis = axes_of(tensor)[entropy.below(2)];
  const Cut before = cut_of(layout(subject, tensor), tensor, axis);
  if (before.over.empty()) return;
  const Split drawn = draw_cut(entropy, {}, subject, axis, before.over).split;
  const bool everywhere = chance(entropy, 50);
  for (const Tensor other : tensors) {
    if (other != tensor && !everywhere) continue;
    const auto axes = axes_of(other);
    if (axes[0] != axis && axes[1] != axis) continue;
    Layout& of = layout_of(subject, other);
    Cut& cut = axes[0] == axis ? of.rows : of.columns;
    if (cut == before) cut.split = drawn;
  }
}

/// Given values that the new dtype doesn't hold give way to drawn ones.
void redraw_dtypes(ProductCase& subject, Entropy& entropy) {
  const DtypeCombination combination = draw_dtypes(entropy, {});
  const ProductCase before = subject;
  if (set_dtypes(subject, combination)) return;
  subject = before;
  subject.dtypes = combination;
  subject.data = draw_data(entropy, {}, false);
}

void redraw_algorithm(ProductCase& subject, Entropy& entropy) {
  const std::uint64_t index = entropy.below(subject.algorithms.size());
  subject.algorithms[index] = pick(entropy, algorithms_of(static_cast<Collective>(index)));
}

void redraw_plan(ProductCase& subject, Entropy& entropy) {
  subject.plan.reset();
  if (chance(entropy, 30)) return;
  Plan plan = draw_plan(entropy, subject);
  if (!plan.empty()) subject.plan = std::move(plan);
}

/// Mesh, layouts and plan at once: a woven step asks for more than a plan alone can bring about.
void redraw_woven(ProductCase& subject, Entropy& entropy) {
  if (!draw_woven(entropy, {}, subject)) redraw_plan(subject, entropy);
}

void change_promise(ProductCase& subject, Entropy& entropy) {
  constexpr std::array fmas{Fma::no, Fma::yes, Fma::any};
  switch (entropy.below(3)) {
    case 0: subject.order = subject.order == Order::any ? Order::declared : Order::any; break;
    case 1: subject.kernel = subject.kernel == Kernel::fast ? Kernel::ordered : Kernel::fast; break;
    default: subject.fma = pick(entropy, fmas); break;
  }
}

void redraw_data(ProductCase& subject, Entropy& entropy) {
  subject.data = draw_data(entropy, {}, false);
}

/// Of A or of B. Drawn ones are written out first, if they aren't many.
void change_value(ProductCase& subject, Entropy& entropy) {
  constexpr std::int64_t values_max = 1024;
  if (subject.data.regime != Data::Regime::given) {
    if (subject.k * (subject.i + subject.j) > values_max) return;
    subject = with_values_given(subject);
  }
  change_one_of(subject.data.given[chance(entropy, 50) ? 0 : 1], subject.dtypes.in, entropy);
}

void change_run(ProductCase& subject, Entropy& entropy) { redraw_run(subject, entropy); }

void replace(ProductCase& subject, Entropy& entropy) { subject = generate_product(entropy); }

using Change = void (*)(ProductCase&, Entropy&);

/// What may change, and how often.
constexpr std::array<std::pair<Change, std::uint64_t>, 15> changes{{
    {change_extent, 12},
    {take_indices_out, 6},
    {change_mesh_axis, 8},
    {redraw_mesh, 4},
    {redraw_layouts, 10},
    {redraw_cut, 10},
    {redraw_dtypes, 10},
    {redraw_algorithm, 6},
    {redraw_plan, 10},
    {redraw_woven, 6},
    {change_promise, 6},
    {redraw_data, 8},
    {change_value, 10},
    {change_run, 6},
    {replace, 3},
}};

void change_once(ProductCase& subject, Entropy& entropy) {
  std::array<std::uint64_t, changes.size()> weights{};
  std::transform(changes.begin(), changes.end(), weights.begin(),
                 [](const auto& entry) { return entry.second; });
  changes[weighted(entropy, weights)].first(subject, entropy);
}

/// The layouts of either parent for each tensor. Requires: the same mesh and sizes.
ProductCase with_layouts_mixed(const ProductCase& first, const ProductCase& second,
                               Entropy& entropy) {
  ProductCase child = first;
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    if (chance(entropy, 50)) layout_of(child, tensor) = layout(second, tensor);
  }
  return child;
}

ProductCase mixed(const ProductCase& first, const ProductCase& second, Entropy& entropy) {
  const bool are_alike = first.mesh == second.mesh && first.i == second.i && first.j == second.j &&
                         first.k == second.k;
  if (are_alike && chance(entropy, 50)) return with_layouts_mixed(first, second, entropy);
  ProductCase child = first;
  child.dtypes = second.dtypes;
  child.data = second.data;
  if (chance(entropy, 50)) child.algorithms = second.algorithms;
  if (chance(entropy, 50)) child.run = second.run;
  if (chance(entropy, 50)) {
    child.order = second.order;
    child.kernel = second.kernel;
    child.fma = second.fma;
  }
  return child;
}

Case drawn_product(Entropy& entropy) { return generate_product(entropy); }

void change_product(Case& subject, Entropy& entropy) {
  change_once(std::get<ProductCase>(subject), entropy);
}

void fit_product(Case& subject, Entropy& entropy) {
  fit_cuts(std::get<ProductCase>(subject), entropy);
  fit_values(std::get<ProductCase>(subject));
}

void settle_product(Case& subject) { fit_plan(std::get<ProductCase>(subject)); }

Case mixed_product(const Case& first, const Case& second, Entropy& entropy) {
  return mixed(std::get<ProductCase>(first), std::get<ProductCase>(second), entropy);
}

}  // namespace

const Mutator product_mutator{.kind = Kind::product,
                              .drawn = drawn_product,
                              .change = change_product,
                              .fit = fit_product,
                              .settle = settle_product,
                              .mixed = mixed_product};

}  // namespace shardcheck::fuzz
