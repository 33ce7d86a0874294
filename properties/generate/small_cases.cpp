#include "small_cases.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>

#include "draw.h"
#include "plainness.h"

namespace shardcheck {
namespace {

constexpr std::string_view base_line = "matmul mesh=x1 i=0 j=0 k=0 A[i,k] B[k,j] -> C[i,j]";

/// The user gave words, not the line that they are put into: names the word, not the column.
std::string wrong_word(std::string_view words, const ParseError& error) {
  const std::size_t before = base_line.size() + 1;  // and a space
  const std::size_t at = error.column > before ? error.column - 1 - before : words.size();
  const std::string found = error.found.empty() ? "nothing" : fmt::format("'{}'", error.found);
  const std::string expected = fmt::format("found {}, expected {}", found, error.expected);
  if (at >= words.size()) return fmt::format("'{}': {}", words, expected);
  const std::size_t begin = words.rfind(' ', at) + 1;
  const std::string_view word = words.substr(begin, words.find(' ', begin) - begin);
  return fmt::format("'{}': {}", word, expected);
}

tl::expected<ProductCase, std::string> parse_base(const std::string& words) {
  auto base = parse_product(fmt::format("{} {}", base_line, words));
  if (!base) return tl::unexpected<std::string>(wrong_word(words, base.error()));
  ProductCase plain = *parse_product(base_line);
  plain.dtypes = base->dtypes;
  plain.data = base->data;
  plain.order = base->order;
  plain.kernel = base->kernel;
  plain.fma = base->fma;
  plain.run = base->run;
  if (!(plain == *base) || base->data.regime == Data::Regime::given) {
    return tl::unexpected<std::string>(
        fmt::format("'{}': plans, algorithms, splits and values are enumerated, not given", words));
  }
  return *base;
}

Mesh draw_small_mesh(Entropy& entropy, const SmallSpace& space) {
  Mesh mesh;
  const std::int64_t axis_count = between(entropy, 1, space.axes);
  std::int64_t ranks = 1;
  for (std::int64_t axis = 0; axis < axis_count; ++axis) {
    const std::int64_t size = between(entropy, 1, space.ranks / ranks);
    mesh.axes.push_back({std::string(plain_axis_names[static_cast<std::size_t>(axis)]), size});
    ranks *= size;
  }
  return mesh;
}

/// Puts the mesh axis at any place among those that cut already.
void insert(Entropy& entropy, std::vector<int>& over, int axis) {
  const auto place = static_cast<std::ptrdiff_t>(entropy.below(over.size() + 1));
  over.insert(over.begin() + place, axis);
}

bool cuts(const std::vector<int>& over, int axis) {
  return std::find(over.begin(), over.end(), axis) != over.end();
}

void draw_small_layouts(Entropy& entropy, ProductCase& subject) {
  const int axis_count = static_cast<int>(subject.mesh.axes.size());
  for (Layout* layout : {&subject.a, &subject.b, &subject.c}) {
    for (int axis = 0; axis < axis_count; ++axis) {
      // C may be left partial over what cuts k somewhere.
      const bool may_be_partial = layout == &subject.c && (cuts(subject.a.columns.over, axis) ||
                                                           cuts(subject.b.rows.over, axis));
      switch (entropy.below(may_be_partial ? 4 : 3)) {
        case 0: break;
        case 1: insert(entropy, layout->rows.over, axis); break;
        case 2: insert(entropy, layout->columns.over, axis); break;
        default: layout->partial_over.push_back(axis); break;
      }
    }
  }
}

std::int64_t part_count(const Mesh& mesh, const Cut& cut) {
  std::int64_t count = 1;
  for (const int axis : cut.over) count *= mesh.axes[static_cast<std::size_t>(axis)].size;
  return count;
}

/// The sizes of the parts in every way.
std::vector<std::int64_t> draw_composition(Entropy& entropy, std::int64_t extent,
                                           std::int64_t parts) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t part = 0; part + 1 < parts; ++part) {
    sizes.push_back(between(entropy, 0, extent));
    extent -= sizes.back();
  }
  sizes.push_back(extent);
  return sizes;
}

/// One split for all tensors that cut the axis. False if there is none by the rule drawn.
bool draw_small_split(Entropy& entropy, const SmallSpace& space, ProductCase& subject, Axis axis) {
  std::vector<Cut*> users;
  std::int64_t most = 1;
  for (auto [tensor, layout] : {std::pair{Tensor::a, &subject.a}, std::pair{Tensor::b, &subject.b},
                                std::pair{Tensor::c, &subject.c}}) {
    const auto [rows, columns] = axes_of(tensor);
    if (rows != axis && columns != axis) continue;
    Cut& cut = rows == axis ? layout->rows : layout->columns;
    if (cut.over.empty()) continue;
    users.push_back(&cut);
    most = std::max(most, part_count(subject.mesh, cut));
  }
  if (most == 1) return true;
  Split split;
  split.rule = pick(entropy, space.rules);
  if (split.rule == Split::Rule::sizes) {
    const bool is_for_all = std::all_of(users.begin(), users.end(), [&](const Cut* cut) {
      return part_count(subject.mesh, *cut) == most;
    });
    if (!is_for_all) return false;
    split.sizes = draw_composition(entropy, extent(subject, axis), most);
  }
  for (Cut* cut : users) cut->split = split;
  return true;
}

/// `local` and the schedules.
void append_products(const Mesh& mesh, std::vector<Step>& steps) {
  using Kind = Step::Kind;
  const int axis_count = static_cast<int>(mesh.axes.size());
  steps.push_back({});
  for (int axis = 0; axis < axis_count; ++axis) {
    for (const auto& [kind, tensor] :
         {std::pair{Kind::gather_local, Tensor::a}, std::pair{Kind::gather_local, Tensor::b},
          std::pair{Kind::local_scatter, Tensor::c}}) {
      steps.push_back({kind, tensor, axis, false, {}, {}});
    }
    for (int other = 0; other < axis_count; ++other) {
      if (other == axis) continue;
      for (const Kind kind : {Kind::summa, Kind::cannon}) {
        steps.push_back({kind, Tensor::c, axis, false, {}, {}, other});
      }
    }
  }
}

std::vector<Step> steps_from(const Mesh& mesh, bool is_multiplied) {
  using Kind = Step::Kind;
  std::vector<Step> steps;
  const auto over_each_axis = [&](Kind kind, Tensor tensor) {
    for (int axis = 0; axis < static_cast<int>(mesh.axes.size()); ++axis) {
      steps.push_back({kind, tensor, axis, false, {}, {}});
    }
  };
  if (!is_multiplied) append_products(mesh, steps);
  const std::vector<Tensor> movable =
      is_multiplied ? std::vector{Tensor::c} : std::vector{Tensor::a, Tensor::b};
  for (const Tensor tensor : movable) {
    over_each_axis(Kind::slice, tensor);
    over_each_axis(Kind::gather, tensor);
    steps.push_back({Kind::exchange, tensor, -1, false, {}, {}});
  }
  if (is_multiplied) {
    over_each_axis(Kind::reduce_scatter, Tensor::c);
    over_each_axis(Kind::all_reduce, Tensor::c);
  }
  return steps;
}

void extend(const ProductCase& subject, const model::PlanState& state, std::int64_t steps_left,
            Plan& plan, std::vector<ProductCase>& found) {
  if (state.c) {
    ProductCase planned = subject;
    planned.plan = plan;
    if (model::resolve(planned)) found.push_back(std::move(planned));
  }
  if (steps_left == 0) return;
  for (const Step& step : steps_from(subject.mesh, state.c.has_value())) {
    const auto next = model::apply(subject, state, step);
    if (!next) continue;
    plan.push_back(step);
    extend(subject, *next, steps_left - 1, plan, found);
    plan.pop_back();
  }
}

std::optional<Collective> collective_of(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::gather: return Collective::all_gather;
    case Step::Kind::reduce_scatter: return Collective::reduce_scatter;
    case Step::Kind::all_reduce: return Collective::all_reduce;
    // A schedule has its own way to send, whatever the algorithms.
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon:
    case Step::Kind::slice:
    case Step::Kind::exchange:
    case Step::Kind::local: break;
  }
  return std::nullopt;
}

/// Those by which the case's plan sends something, so that their algorithms matter.
std::set<Collective> collectives_used(const ProductCase& subject) {
  std::set<Collective> used;
  const auto plan = model::resolve(subject);
  SHARDCHECK_REQUIRE(plan.has_value(), "a small case has a plan");
  for (const Step& step : plan->steps) {
    const std::optional<Collective> collective = collective_of(step.kind);
    if (!collective) continue;
    if (subject.mesh.axes[static_cast<std::size_t>(step.mesh_axis)].size == 1) continue;
    used.insert(*collective);
  }
  return used;
}

}  // namespace

tl::expected<void, std::string> validate(const SmallSpace& space) {
  static_assert(small_axes_max == std::ssize(plain_axis_names));
  const auto wrong = [](std::string text) { return tl::unexpected<std::string>(std::move(text)); };
  if (space.ranks < 1 || space.ranks > limits::ranks) {
    return wrong(fmt::format("{} ranks, expected 1 to {}", space.ranks, limits::ranks));
  }
  if (space.axes < 1 || space.axes > small_axes_max) {
    return wrong(fmt::format("{} mesh axes, expected 1 to {}", space.axes, small_axes_max));
  }
  if (space.size < 0 || space.size > small_size_max) {
    return wrong(fmt::format("sizes up to {}, expected 0 to {}", space.size, small_size_max));
  }
  if (space.rules.empty()) return wrong("no rule to cut by");
  if (std::find(space.rules.begin(), space.rules.end(), Split::Rule::sets) != space.rules.end()) {
    return wrong("cuts into sets are not enumerated");
  }
  const auto base = parse_base(space.words);
  if (!base) return wrong(base.error());
  return {};
}

std::uint64_t WalkingEntropy::below(std::uint64_t bound) {
  if (depth_ == path_.size()) path_.push_back({0, bound});
  return path_[depth_++].value;
}

bool WalkingEntropy::advance() {
  depth_ = 0;
  while (!path_.empty() && path_.back().value + 1 == path_.back().bound) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().value;
  return true;
}

SmallCases::SmallCases(SmallSpace space)
    : space_(std::move(space)), base_(*parse_base(space_.words)) {}

std::optional<ProductCase> SmallCases::next() {
  while (!is_at_end_) {
    std::optional<ProductCase> subject = draw();
    is_at_end_ = !entropy_.advance();
    if (subject) return subject;
  }
  return std::nullopt;
}

/// The case as `auto` has it, if that has a plan, and with each plan spelled out.
const std::vector<ProductCase>& SmallCases::with_each_plan(const ProductCase& subject) {
  if (planned_ && planned_->first == subject) return planned_->second;
  std::vector<ProductCase> found;
  if (model::resolve(subject)) found.push_back(subject);
  Plan plan;
  if (space_.steps > 0) {
    extend(subject, model::initial_state(subject), space_.steps, plan, found);
  }
  planned_.emplace(subject, std::move(found));
  return planned_->second;
}

std::optional<ProductCase> SmallCases::draw() {
  ProductCase subject = base_;
  subject.mesh = draw_small_mesh(entropy_, space_);
  subject.i = between(entropy_, 0, space_.size);
  subject.j = between(entropy_, 0, space_.size);
  subject.k = between(entropy_, 0, space_.size);
  draw_small_layouts(entropy_, subject);
  for (const Axis axis : {Axis::i, Axis::j, Axis::k}) {
    if (!draw_small_split(entropy_, space_, subject, axis)) return std::nullopt;
  }
  const std::vector<ProductCase>& planned = with_each_plan(subject);
  if (planned.empty()) return std::nullopt;
  subject = pick(entropy_, planned);
  for (const Collective collective : collectives_used(subject)) {
    subject.algorithms[static_cast<std::size_t>(collective)] =
        pick(entropy_, algorithms_of(collective));
  }
  return subject;
}

std::int64_t count_of(const SmallSpace& space) {
  SmallCases cases(space);
  std::int64_t count = 0;
  while (cases.next()) ++count;
  return count;
}

}  // namespace shardcheck
