#include "product.h"

#include <algorithm>
#include <array>
#include <optional>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>

#include <shardcheck/properties/generate/draw.h>
#include <shardcheck/properties/generate/drawing.h>

#include "parts.h"

namespace shardcheck {
namespace {

/// Woven steps need layouts made for them; by chance alone hardly one comes up.
constexpr std::uint64_t woven_percent = 6;

std::int64_t extent_within(Entropy& entropy, const ProductScope& scope, Axis axis) {
  const std::int64_t drawn = draw_extent(entropy);
  return scope.extents[static_cast<std::size_t>(axis)].value_or(drawn);
}

void draw_algorithms(Entropy& entropy, const ProductScope& scope, ProductCase& subject) {
  for (std::size_t index = 0; index < subject.algorithms.size(); ++index) {
    const Algorithm drawn = pick(entropy, algorithms_of(static_cast<Collective>(index)));
    subject.algorithms[index] = scope.algorithms[index].value_or(drawn);
  }
}

void draw_promises(Entropy& entropy, const ProductScope& scope, ProductCase& subject) {
  const Order order = chance(entropy, 8) ? Order::any : Order::declared;
  const Kernel kernel = chance(entropy, 40) ? Kernel::ordered : Kernel::fast;
  constexpr std::array fmas{Fma::no, Fma::yes, Fma::any};
  const Fma fma = fmas[weighted(entropy, {84, 10, 6})];
  subject.order = scope.order.value_or(order);
  subject.kernel = scope.kernel.value_or(kernel);
  subject.fma = scope.fma.value_or(fma);
}

/// `auto`, or a plan drawn step by step, or a woven step with the layouts that suit it.
void choose_plan(Entropy& entropy, const ProductScope& scope, ProductCase& subject) {
  if (scope.plan) {
    if (*scope.plan == "auto") return;
    auto plan = parse_plan(subject.mesh, *scope.plan);
    if (!plan) return;
    const auto woven =
        std::ranges::find_if(*plan, [](const Step& step) { return is_woven(step.kind); });
    if (woven != plan->end()) lay_out_for(entropy, scope, *woven, subject);
    subject.plan = std::move(*plan);
    return;
  }
  if (chance(entropy, woven_percent) && draw_woven(entropy, scope, subject)) return;
  const bool needs_plan =
      static_cast<std::int64_t>(subject.mesh.axes.size()) > limits::auto_mesh_axes;
  if (!needs_plan && !chance(entropy, 25)) return;
  Plan plan = draw_plan(entropy, subject);
  if (!plan.empty()) subject.plan = std::move(plan);
}

/// On a mesh that `auto` takes, a layout as drawn always has a legal plan (a test asks the
/// planner), and draw_plan() checks what it gives: to search again here would cost more than all
/// the rest.
bool has_legal_plan(const ProductScope& scope, const ProductCase& subject) {
  if (!subject.plan) {
    return static_cast<std::int64_t>(subject.mesh.axes.size()) <= limits::auto_mesh_axes;
  }
  return !scope.plan || model::resolve(subject).has_value();
}

}  // namespace

ProductCase draw_product(Entropy& entropy, const ProductScope& scope) {
  ProductCase subject;
  subject.dtypes = draw_dtypes(entropy, scope);
  subject.mesh = draw_mesh(entropy, scope);
  subject.i = extent_within(entropy, scope, Axis::i);
  subject.j = extent_within(entropy, scope, Axis::j);
  subject.k = extent_within(entropy, scope, Axis::k);
  if (!scope.extents[static_cast<std::size_t>(Axis::k)]) {
    subject.k = std::min(subject.k, terms_max(subject.dtypes, subject.i * subject.j));
  }
  draw_layouts(entropy, scope, subject);
  draw_algorithms(entropy, scope, subject);
  draw_promises(entropy, scope, subject);
  subject.data = draw_data(entropy, scope, false);
  // Threads are few: they cost several times a fiber's run, and what they show can't be replayed.
  subject.run = draw_run(entropy, scope, {.fibers = 86, .pct = 12, .threads = 2});
  choose_plan(entropy, scope, subject);
  return subject;
}

bool is_met(const ProductScope& scope, const ProductCase& subject) {
  return allows(scope, subject) && has_legal_plan(scope, subject);
}

ProductCase generate_product(Entropy& entropy, const ProductScope& scope) {
  return std::get<ProductCase>(
      generate(entropy, Scopes{.products = scope, .calls = std::nullopt}, Kind::product));
}

}  // namespace shardcheck
