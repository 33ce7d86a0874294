#include "generate.h"

#include <algorithm>
#include <array>
#include <optional>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan_rules.h>

#include "draw.h"
#include "generate_parts.h"
#include "scope.h"

namespace shardcheck {
namespace {

/// Draws before a source that never gives what the restrictions ask for is given up.
constexpr int draws_max = 2000;

/// Schedules need layouts made for them; by chance alone hardly one comes up.
constexpr std::uint64_t schedules_percent = 6;

std::int64_t extent_within(Entropy& entropy, const Scope& scope, Axis axis) {
  const std::int64_t drawn = draw_extent(entropy);
  return scope.extents[static_cast<std::size_t>(axis)].value_or(drawn);
}

void draw_algorithms(Entropy& entropy, const Scope& scope, ProductCase& subject) {
  for (std::size_t index = 0; index < subject.algorithms.size(); ++index) {
    const Algorithm drawn = pick(entropy, algorithms_of(static_cast<Collective>(index)));
    subject.algorithms[index] = scope.algorithms[index].value_or(drawn);
  }
}

void draw_promises(Entropy& entropy, const Scope& scope, ProductCase& subject) {
  const Order order = chance(entropy, 8) ? Order::any : Order::declared;
  const Kernel kernel = chance(entropy, 40) ? Kernel::ordered : Kernel::fast;
  constexpr std::array fmas{Fma::no, Fma::yes, Fma::any};
  const Fma fma = fmas[weighted(entropy, {84, 10, 6})];
  subject.order = scope.order.value_or(order);
  subject.kernel = scope.kernel.value_or(kernel);
  subject.fma = scope.fma.value_or(fma);
}

void draw_run(Entropy& entropy, const Scope& scope, ProductCase& subject) {
  // Threads are few: they cost several times a fiber's run, and what they show can't be replayed.
  constexpr std::array kinds{Run::Kind::fibers, Run::Kind::pct, Run::Kind::threads};
  const Run::Kind kind = kinds[weighted(entropy, {86, 12, 2})];
  subject.run.kind = scope.run.value_or(kind);
  const std::uint64_t seed = entropy.below(std::uint64_t{1} << 16);
  switch (subject.run.kind) {
    case Run::Kind::fibers: subject.run.seed = seed; break;
    case Run::Kind::pct:
      subject.run.seed = seed;
      subject.run.depth = between(entropy, 1, 4);
      break;
    case Run::Kind::trace:
    case Run::Kind::threads: break;
  }
}

/// `auto`, or a plan drawn step by step, or a schedule with the layouts that suit it.
void choose_plan(Entropy& entropy, const Scope& scope, ProductCase& subject) {
  if (scope.plan) {
    if (*scope.plan == "auto") return;
    auto plan = parse_plan(subject.mesh, *scope.plan);
    if (!plan) return;
    const auto schedule =
        std::ranges::find_if(*plan, [](const Step& step) { return is_woven(step.kind); });
    if (schedule != plan->end()) lay_out_for(entropy, scope, *schedule, subject);
    subject.plan = std::move(*plan);
    return;
  }
  if (chance(entropy, schedules_percent) && draw_schedule(entropy, scope, subject)) return;
  const bool needs_plan =
      static_cast<std::int64_t>(subject.mesh.axes.size()) > limits::auto_mesh_axes;
  if (!needs_plan && !chance(entropy, 25)) return;
  Plan plan = draw_plan(entropy, subject);
  if (!plan.empty()) subject.plan = std::move(plan);
}

ProductCase draw_case(Entropy& entropy, const Scope& scope) {
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
  subject.data = draw_data(entropy, scope);
  draw_run(entropy, scope, subject);
  choose_plan(entropy, scope, subject);
  return subject;
}

/// On a mesh that `auto` takes, a layout as drawn always has a legal plan (a test asks the
/// planner), and draw_plan() checks what it gives: to search again here would cost more than all
/// the rest.
bool has_legal_plan(const Scope& scope, const ProductCase& subject) {
  if (!subject.plan) {
    return static_cast<std::int64_t>(subject.mesh.axes.size()) <= limits::auto_mesh_axes;
  }
  return !scope.plan || model::resolve(subject).has_value();
}

/// What the grammar takes: the choices above don't know every limit that a scope may lead against.
bool is_read_back(const ProductCase& subject) {
  const auto again = parse_product(print(subject));
  return again && *again == subject;
}

std::optional<ProductCase> draw_allowed(Entropy& entropy, const Scope& scope) {
  for (int draw = 0; draw < draws_max; ++draw) {
    ProductCase subject = draw_case(entropy, scope);
    const bool is_met = allows(scope, subject) && has_legal_plan(scope, subject);
    if (is_met && is_read_back(subject)) return subject;
  }
  return std::nullopt;
}

/// A fixed source, so that what validate() found possible stays possible.
std::optional<ProductCase> draw_from_fixed_seed(const Scope& scope) {
  SeededEntropy entropy(0);
  return draw_allowed(entropy, scope);
}

}  // namespace

tl::expected<void, std::string> validate(const Restrictions& restrictions) {
  const auto scope = scope_of(restrictions);
  if (!scope) return tl::unexpected<std::string>(scope.error());
  if (!draw_from_fixed_seed(*scope)) {
    return tl::unexpected<std::string>("no legal case found that meets all restrictions together");
  }
  return {};
}

ProductCase generate(Entropy& entropy, const Restrictions& restrictions) {
  const auto scope = scope_of(restrictions);
  SHARDCHECK_REQUIRE(scope.has_value(), "restrictions are validated before anything is drawn");
  std::optional<ProductCase> subject = draw_allowed(entropy, *scope);
  if (!subject) subject = draw_from_fixed_seed(*scope);
  SHARDCHECK_REQUIRE(subject.has_value(), "validate() has seen that these restrictions can be met");
  return *std::move(subject);
}

}  // namespace shardcheck
