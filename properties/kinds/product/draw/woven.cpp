#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <shardcheck/properties/generate/draw.h>
#include <shardcheck/properties/generate/plainness.h>
#include <shardcheck/properties/kinds/product/shrink/regroup.h>

#include "parts.h"

namespace shardcheck {
namespace {

/// Layouts before a case is left without a woven step.
constexpr int draws_max = 4;

constexpr std::int64_t ranks_max = 24;

/// The mesh axes by what they are to the woven step.
struct Roles {
  int x = 0;                ///< the step's axis, of a grid the one along C's rows
  int y = -1;               ///< of a grid alone: the one along C's columns
  std::vector<int> others;  ///< in any order
};

bool is_of_a_grid(Step::Kind kind) {
  return kind == Step::Kind::summa || kind == Step::Kind::cannon;
}

Step draw_kind(Entropy& entropy) {
  Step step;
  switch (weighted(entropy, {16, 16, 20, 24, 24})) {
    case 0:
      step.kind = Step::Kind::gather_local;
      step.tensor = Tensor::a;
      break;
    case 1:
      step.kind = Step::Kind::gather_local;
      step.tensor = Tensor::b;
      break;
    case 2: step.kind = Step::Kind::local_scatter; break;
    case 3: step.kind = Step::Kind::summa; break;
    default: step.kind = Step::Kind::cannon; break;
  }
  return step;
}

/// Sizes of the step's own axes, then of one or two more.
std::vector<std::int64_t> draw_sizes(Entropy& entropy, Step::Kind kind) {
  constexpr std::array<std::int64_t, 6> sizes{2, 3, 4, 1, 5, 6};
  const auto drawn = [&] { return sizes[weighted(entropy, {44, 28, 12, 6, 6, 4})]; };
  constexpr std::array<std::int64_t, 4> squares{2, 3, 4, 1};
  std::vector<std::int64_t> own;
  if (kind == Step::Kind::cannon) {
    own.assign(2, squares[weighted(entropy, {54, 34, 8, 4})]);
  } else {
    own.push_back(drawn());
    if (kind == Step::Kind::summa) own.push_back(std::min<std::int64_t>(drawn(), 4));
  }
  const std::size_t more =
      own.size() == 2 ? weighted(entropy, {65, 35}) : weighted(entropy, {45, 40, 15});
  std::int64_t ranks = 1;
  for (const std::int64_t size : own) ranks *= size;
  for (std::size_t axis = 0; axis < more; ++axis) {
    own.push_back(std::min(drawn(), std::max<std::int64_t>(ranks_max / ranks, 1)));
    ranks *= own.back();
  }
  return own;
}

/// Which axis plays which role is drawn, too; nothing if there are too few.
std::optional<Roles> draw_roles(Entropy& entropy, const Mesh& mesh, Step::Kind kind) {
  std::vector<int> axes(mesh.axes.size());
  for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = static_cast<int>(axis);
  shuffle(entropy, axes);
  const std::size_t own = is_of_a_grid(kind) ? 2 : 1;
  if (axes.size() < own) return std::nullopt;
  return Roles{
      axes[0], own == 2 ? axes[1] : -1, {axes.begin() + static_cast<int>(own), axes.end()}};
}

/// The mesh that the scope asks for, or one that suits.
std::optional<Roles> draw_mesh_and_roles(Entropy& entropy, const ProductScope& scope,
                                         Step::Kind kind, ProductCase& subject) {
  if (scope.mesh || scope.ranks) return draw_roles(entropy, subject.mesh, kind);
  const std::vector<std::int64_t> sizes = draw_sizes(entropy, kind);
  Mesh mesh;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    mesh.axes.push_back({std::string(plain_axis_names[axis]), 1});
  }
  const auto roles = draw_roles(entropy, mesh, kind);
  if (!roles) return std::nullopt;
  std::vector<int> order{roles->x};
  if (roles->y >= 0) order.push_back(roles->y);
  order.insert(order.end(), roles->others.begin(), roles->others.end());
  for (std::size_t place = 0; place < order.size(); ++place) {
    mesh.axes[static_cast<std::size_t>(order[place])].size = sizes[place];
  }
  subject.mesh = std::move(mesh);
  return roles;
}

/// What the axes that the woven isn't over cut; those left over hold replicas.
struct Dealt {
  std::vector<int> k;
  std::vector<int> moved;  ///< the outer axis of A, or of what gather_local moves
  std::vector<int> other;  ///< the other operand's
};

Dealt draw_dealt(Entropy& entropy, const std::vector<int>& others, bool with_k) {
  Dealt dealt;
  for (const int axis : others) {
    switch (weighted(entropy, {30, 25, 25, std::uint64_t{with_k ? 30U : 0U}})) {
      case 0: break;
      case 1: dealt.moved.push_back(axis); break;
      case 2: dealt.other.push_back(axis); break;
      default: dealt.k.push_back(axis); break;
    }
  }
  return dealt;
}

std::vector<int> with(Entropy& entropy, std::vector<int> axes, int axis) {
  axes.push_back(axis);
  if (chance(entropy, 30)) shuffle(entropy, axes);
  return axes;
}

/// One drawing of layouts: who cuts what, then how.
class Drawing {
 public:
  Drawing(Entropy& entropy, const ProductScope& scope, ProductCase& subject)
      : entropy_(entropy), scope_(scope), subject_(subject) {}

  Cut cut(Axis axis, std::vector<int> over) {
    return draw_cut(entropy_, scope_, subject_, axis, std::move(over));
  }

  /// x cuts k of what is gathered and the outer axis of the other; or the outer axis of what is
  /// gathered, and perhaps that of the other too.
  void gather_local(const Roles& roles, Tensor moved) {
    const bool is_a = moved == Tensor::a;
    const Axis moved_outer = is_a ? Axis::i : Axis::j;
    const Axis other_outer = is_a ? Axis::j : Axis::i;
    Dealt dealt = draw_dealt(entropy_, roles.others, true);
    const bool cuts_k = chance(entropy_, 60);
    const Cut k_of_moved = cut(Axis::k, cuts_k ? with(entropy_, dealt.k, roles.x) : dealt.k);
    const Cut k_of_other = without_axis(k_of_moved, subject_.mesh, roles.x);
    if (!cuts_k) dealt.moved = with(entropy_, dealt.moved, roles.x);
    if (cuts_k || chance(entropy_, 50)) dealt.other = with(entropy_, dealt.other, roles.x);
    (is_a ? subject_.a.columns : subject_.b.rows) = k_of_moved;
    (is_a ? subject_.b.rows : subject_.a.columns) = k_of_other;
    (is_a ? subject_.a.rows : subject_.b.columns) = cut(moved_outer, dealt.moved);
    (is_a ? subject_.b.columns : subject_.a.rows) = cut(other_outer, dealt.other);
  }

  void local_scatter(const Roles& roles) {
    const Dealt dealt = draw_dealt(entropy_, roles.others, true);
    subject_.a.columns = cut(Axis::k, with(entropy_, dealt.k, roles.x));
    subject_.b.rows = subject_.a.columns;
    subject_.a.rows = cut(Axis::i, dealt.moved);
    subject_.b.columns = cut(Axis::j, dealt.other);
  }

  /// k over y in A and over x in B, one more axis sometimes, which is gathered before.
  void grid(const Roles& roles, bool is_square) {
    Dealt dealt = draw_dealt(entropy_, roles.others, chance(entropy_, 40));
    subject_.a.columns = cut(Axis::k, with(entropy_, dealt.k, roles.y));
    Cut over_y = subject_.a.columns;
    for (const int axis : dealt.k) over_y = without_axis(over_y, subject_.mesh, axis);
    const bool is_alike = size(roles.x) == size(roles.y) && (is_square || chance(entropy_, 40));
    subject_.b.rows = is_alike ? Cut{{roles.x}, over_y.split} : cut(Axis::k, {roles.x});
    if (is_square || chance(entropy_, 70)) dealt.moved = with(entropy_, dealt.moved, roles.x);
    if (is_square || chance(entropy_, 70)) dealt.other = with(entropy_, dealt.other, roles.y);
    subject_.a.rows = cut(Axis::i, dealt.moved);
    subject_.b.columns = cut(Axis::j, dealt.other);
  }

  /// As the product leaves it, most of the time; what local_scatter sums is cut over x, or left for
  /// the rows by position.
  void consumer(const Roles& roles, const Step& step) {
    subject_.c = Layout{};
    if (chance(entropy_, 35)) {
      draw_consumer(entropy_, scope_, subject_);
      std::erase_if(subject_.c.partial_over, [&](int axis) { return !stays_open(axis, roles); });
      return;
    }
    subject_.c.rows = subject_.a.rows;
    subject_.c.columns = subject_.b.columns;
    // Where x cuts the outer axis of both, the one that is gathered is whole afterwards.
    if (step.kind == Step::Kind::gather_local && cuts(subject_.c.rows, roles.x) &&
        cuts(subject_.c.columns, roles.x)) {
      Cut& whole = step.tensor == Tensor::a ? subject_.c.rows : subject_.c.columns;
      whole = without_axis(whole, subject_.mesh, roles.x);
    }
    for (const int axis : roles.others) {
      if (stays_open(axis, roles) && chance(entropy_, 30)) subject_.c.partial_over.push_back(axis);
    }
    std::ranges::sort(subject_.c.partial_over);
    if (step.kind != Step::Kind::local_scatter) return;
    switch (weighted(entropy_, {45, 35, 20})) {
      case 0: refine(subject_.c.rows, subject_.a.rows, Axis::i, roles.x); break;
      case 1: refine(subject_.c.columns, subject_.b.columns, Axis::j, roles.x); break;
      default: break;
    }
  }

  /// An operand isn't cut yet over a mesh axis over which a slice can cut it.
  void loosen() {
    const std::array<std::pair<Cut*, const Cut*>, 4> slices{
        {{&subject_.a.columns, &subject_.b.rows},
         {&subject_.b.rows, &subject_.a.columns},
         {&subject_.a.rows, &subject_.c.rows},
         {&subject_.b.columns, &subject_.c.columns}}};
    const auto& [cut, reference] = pick(entropy_, slices);
    if (cut->over.empty()) return;
    const int axis = pick(entropy_, cut->over);
    if (cuts(*reference, axis)) *cut = without_axis(*cut, subject_.mesh, axis);
  }

 private:
  std::int64_t size(int axis) const {
    return subject_.mesh.axes[static_cast<std::size_t>(axis)].size;
  }

  static bool cuts(const Cut& cut, int axis) {
    return std::ranges::find(cut.over, axis) != cut.over.end();
  }

  /// C is partial over it after the woven.
  bool stays_open(int axis, const Roles& roles) const {
    return axis != roles.x && axis != roles.y && cuts(subject_.a.columns, axis) &&
           cuts(subject_.b.rows, axis);
  }

  /// The consumer's cut over x as well; the operand's is its coarser one.
  void refine(Cut& of_c, Cut& of_operand, Axis axis, int x) {
    std::vector<int> over = of_operand.over;
    over.push_back(x);
    of_c = cut(axis, std::move(over));
    of_operand = without_axis(of_c, subject_.mesh, x);
  }

  Entropy& entropy_;
  const ProductScope& scope_;
  ProductCase& subject_;
};

void draw_suitable_layouts(Entropy& entropy, const ProductScope& scope, const Roles& roles,
                           const Step& step, ProductCase& subject) {
  Drawing drawing(entropy, scope, subject);
  switch (step.kind) {
    case Step::Kind::gather_local: drawing.gather_local(roles, step.tensor); break;
    case Step::Kind::local_scatter: drawing.local_scatter(roles); break;
    case Step::Kind::summa:
    case Step::Kind::cannon: drawing.grid(roles, step.kind == Step::Kind::cannon); break;
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: break;
  }
  drawing.consumer(roles, step);
  if (chance(entropy, 25)) drawing.loosen();
}

}  // namespace

void lay_out_for(Entropy& entropy, const ProductScope& scope, const Step& woven,
                 ProductCase& subject) {
  Roles roles{woven.mesh_axis, woven.column_axis, {}};
  if (roles.x == roles.y) return;  // no grid, and no plan
  for (int axis = 0; axis < static_cast<int>(subject.mesh.axes.size()); ++axis) {
    if (axis != roles.x && axis != roles.y) roles.others.push_back(axis);
  }
  draw_suitable_layouts(entropy, scope, roles, woven, subject);
}

bool draw_woven(Entropy& entropy, const ProductScope& scope, ProductCase& subject) {
  for (int draw = 0; draw < draws_max; ++draw) {
    ProductCase drawn = subject;
    drawn.plan.reset();
    Step step = draw_kind(entropy);
    const auto roles = draw_mesh_and_roles(entropy, scope, step.kind, drawn);
    if (!roles) continue;
    step.mesh_axis = roles->x;
    step.column_axis = roles->y;
    draw_suitable_layouts(entropy, scope, *roles, step, drawn);
    Plan plan = draw_plan(entropy, drawn, step);
    if (plan.empty()) continue;
    drawn.plan = std::move(plan);
    subject = std::move(drawn);
    return true;
  }
  return false;
}

}  // namespace shardcheck
