#include "mutate.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/draw.h>
#include <shardcheck/properties/generate/generate.h>
#include <shardcheck/properties/generate/generate_parts.h>
#include <shardcheck/properties/generate/reductions.h>

#include "case_input.h"
#include "fit.h"

namespace shardcheck::fuzz {
namespace {

/// Attempts at a valid case before a fresh one is drawn.
constexpr int attempts_max = 8;

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

std::int64_t part_count(const Mesh& mesh, const Cut& cut) {
  std::int64_t count = 1;
  for (const int axis : cut.over) count *= mesh.axes[static_cast<std::size_t>(axis)].size;
  return count;
}

/// One cut of one tensor; half of the time of all tensors that were cut alike.
void redraw_cut(ProductCase& subject, Entropy& entropy) {
  constexpr std::array tensors{Tensor::a, Tensor::b, Tensor::c};
  const Tensor tensor = pick(entropy, tensors);
  const Axis axis = axes_of(tensor)[entropy.below(2)];
  const Cut before = cut_of(layout(subject, tensor), tensor, axis);
  if (before.over.empty()) return;
  const Split drawn =
      draw_split(entropy, {}, axis, extent(subject, axis), part_count(subject.mesh, before));
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
  subject.data = draw_data(entropy, {});
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

/// Mesh, layouts and plan at once: a schedule asks for more than a plan alone can bring about.
void redraw_schedule(ProductCase& subject, Entropy& entropy) {
  if (!draw_schedule(entropy, {}, subject)) redraw_plan(subject, entropy);
}

void change_promise(ProductCase& subject, Entropy& entropy) {
  constexpr std::array fmas{Fma::no, Fma::yes, Fma::any};
  switch (entropy.below(3)) {
    case 0: subject.order = subject.order == Order::any ? Order::declared : Order::any; break;
    case 1: subject.kernel = subject.kernel == Kernel::fast ? Kernel::ordered : Kernel::fast; break;
    default: subject.fma = pick(entropy, fmas); break;
  }
}

void redraw_data(ProductCase& subject, Entropy& entropy) { subject.data = draw_data(entropy, {}); }

/// One value becomes a neighbour, a special value, a copy of another one or any pattern at all. A
/// NaN that isn't the canonical one becomes it as the case is written.
void change_value(ProductCase& subject, Entropy& entropy) {
  constexpr std::int64_t values_max = 1024;
  if (subject.data.regime != Data::Regime::given) {
    if (subject.k * (subject.i + subject.j) > values_max) return;
    subject = with_values_given(subject);
  }
  constexpr std::array<std::string_view, 9> specials{"0",    "-0",  "1", "-1", "inf",
                                                     "-inf", "nan", "2", "3"};
  std::vector<Bits>& values = chance(entropy, 50) ? subject.data.given[0] : subject.data.given[1];
  if (values.empty()) return;
  Bits& value = values[entropy.below(values.size())];
  const int width = 8 * info(subject.dtypes.in).bytes;
  const Bits mask = ~Bits{0} >> (64 - width);
  switch (weighted(entropy, {3, 3, 2, 3, 2})) {
    case 0: value = parse_value(subject.dtypes.in, pick(entropy, specials)).value_or(value); break;
    case 1: value = (value + (chance(entropy, 50) ? Bits{1} : mask)) & mask; break;
    case 2: value = pick(entropy, values); break;
    case 3: value ^= Bits{1} << entropy.below(static_cast<std::uint64_t>(width)); break;
    default:
      value =
          (entropy.below(std::uint64_t{1} << 32) << 32U | entropy.below(std::uint64_t{1} << 32)) &
          mask;
      break;
  }
}

/// A recorded schedule fits no other case.
void redraw_run(ProductCase& subject, Entropy& entropy) {
  subject.run = Run{};
  subject.run.seed = entropy.below(std::uint64_t{1} << 16);
  if (!chance(entropy, 40)) return;
  subject.run.kind = Run::Kind::pct;
  subject.run.depth = between(entropy, 1, 4);
}

void replace(ProductCase& subject, Entropy& entropy) { subject = generate(entropy); }

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
    {redraw_schedule, 6},
    {change_promise, 6},
    {redraw_data, 8},
    {change_value, 10},
    {redraw_run, 6},
    {replace, 3},
}};

void change_once(ProductCase& subject, Entropy& entropy) {
  std::array<std::uint64_t, changes.size()> weights{};
  std::transform(changes.begin(), changes.end(), weights.begin(),
                 [](const auto& entry) { return entry.second; });
  changes[weighted(entropy, weights)].first(subject, entropy);
  // The next change must find a case that is one.
  fit_cuts(subject, entropy);
  fit_values(subject);
}

/// The generator's cases are within the bounds; a test holds them to it.
ProductCase fresh(Entropy& entropy) {
  while (true) {
    if (auto subject = fitted(generate(entropy), entropy)) return *std::move(subject);
  }
}

/// The layouts of either parent for each tensor. Requires: the same mesh and sizes.
ProductCase with_layouts_mixed(const ProductCase& first, const ProductCase& second, Entropy& entropy) {
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

}  // namespace

ProductCase mutate(const ProductCase& subject, Entropy& entropy) {
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    ProductCase changed = subject;
    if (changed.run.kind == Run::Kind::trace) redraw_run(changed, entropy);
    const std::size_t count = 1 + weighted(entropy, {60, 25, 15});
    for (std::size_t change = 0; change < count; ++change) change_once(changed, entropy);
    auto valid = fitted(std::move(changed), entropy);
    if (valid && *valid != subject) return *std::move(valid);
  }
  return fresh(entropy);
}

ProductCase cross(const ProductCase& first, const ProductCase& second, Entropy& entropy) {
  const bool is_swapped = chance(entropy, 50);
  ProductCase child = mixed(is_swapped ? second : first, is_swapped ? first : second, entropy);
  if (child.run.kind == Run::Kind::trace) redraw_run(child, entropy);
  auto valid = fitted(std::move(child), entropy);
  return valid ? *std::move(valid) : mutate(first, entropy);
}

}  // namespace shardcheck::fuzz
