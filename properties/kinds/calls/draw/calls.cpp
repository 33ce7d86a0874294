#include "calls.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>

#include <shardcheck/properties/generate/draw.h>
#include <shardcheck/properties/generate/draw_setting.h>
#include <shardcheck/properties/generate/drawing.h>

namespace shardcheck {
namespace {

constexpr std::int64_t ranks_drawn_max = 17;

Mesh draw_mesh(Entropy& entropy, const CallsScope& scope) {
  if (scope.mesh) return *scope.mesh;
  Mesh mesh;
  switch (weighted(entropy, {70, 22, 8})) {
    case 0: mesh.axes = {{"x", scope.ranks.value_or(between(entropy, 1, ranks_drawn_max))}}; break;
    case 1: mesh.axes = {{"x", between(entropy, 1, 4)}, {"y", between(entropy, 1, 5)}}; break;
    default:
      mesh.axes = {{"x", between(entropy, 1, 3)},
                   {"y", between(entropy, 1, 3)},
                   {"z", between(entropy, 1, 2)}};
  }
  return mesh;
}

/// All axes, or some of them; then other groups are at work beside.
std::vector<int> draw_over(Entropy& entropy, const Mesh& mesh) {
  std::vector<int> over(mesh.axes.size());
  std::iota(over.begin(), over.end(), 0);
  if (over.size() < 2 || chance(entropy, 35)) return over;
  over.erase(over.begin() + static_cast<std::ptrdiff_t>(entropy.below(over.size())));
  return over;
}

std::vector<Collective> possible_next(const std::vector<Call>& calls) {
  std::vector<Collective> next;
  for (std::size_t c = 0; c < collective_names.size(); ++c) {
    const auto collective = static_cast<Collective>(c);
    if (!cannot_follow(calls, collective)) next.push_back(collective);
  }
  return next;
}

std::vector<Call> draw_calls(Entropy& entropy, const CallsScope& scope) {
  const bool is_sequence = chance(entropy, 25);
  const bool is_alone = scope.shape || scope.order == Order::any;
  const std::int64_t count = is_sequence && !is_alone ? between(entropy, 2, 4) : 1;
  std::vector<Call> calls;
  for (std::int64_t number = 0; number < count; ++number) {
    std::vector<Collective> next = possible_next(calls);
    // All that comes before these two leaves the same on every member: moved, it says nothing.
    if (!calls.empty()) {
      std::erase(next, Collective::all_to_all);
      std::erase(next, Collective::permute);
    }
    if (scope.order == Order::any) std::erase_if(next, [](Collective c) { return !reduces(c); });
    if (next.empty()) break;
    Collective collective = pick(entropy, next);
    if (calls.empty() && scope.collective && !chance(entropy, 10)) collective = *scope.collective;
    calls.push_back({collective, algorithms_of(collective).front()});
  }
  return calls;
}

/// Those that the scope leaves; none if its dtypes and its operator don't go together.
std::vector<Dtype> possible_inputs(const CallsScope& scope) {
  std::vector<Dtype> possible;
  for (const DtypeInfo& entry : dtypes) {
    const bool is_wanted = !scope.in || *scope.in == entry.dtype;
    const bool is_reduced = !scope.op || is_for(*scope.op, entry.dtype);
    const bool is_held = !scope.acc || may_accumulate(entry.dtype, *scope.acc);
    if (is_wanted && is_reduced && is_held) possible.push_back(entry.dtype);
  }
  return possible;
}

/// Requires: there are possible inputs.
DtypeCombination draw_dtypes(Entropy& entropy, const CallsScope& scope) {
  DtypeCombination d;
  d.in = pick(entropy, possible_inputs(scope));
  d.wire = d.in;
  d.out = d.in;
  d.acc = info(d.in).is_float ? default_acc(d.in) : d.in;
  if (scope.acc) {
    d.acc = *scope.acc;
  } else if (info(d.in).is_float && chance(entropy, 40)) {
    std::vector<Dtype> wider;
    for (const Dtype acc : {Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64}) {
      if (may_accumulate(d.in, acc)) wider.push_back(acc);
    }
    d.acc = pick(entropy, wider);
  }
  return d;
}

/// Where members reduce what an earlier call has made the same on all of them, or where there are
/// fewer elements than members, an operator has to show every one of them at every position.
bool must_show_all(const CallsScope& scope, const std::vector<Call>& calls) {
  if (scope.shape == BlockShape::empties && !divides(calls.front().collective)) return true;
  return std::any_of(calls.begin() + 1, calls.end(),
                     [](const Call& call) { return reduces(call.collective); });
}

Operator draw_operator(Entropy& entropy, const CallsScope& scope, const std::vector<Call>& calls,
                       Dtype in) {
  if (scope.op) return *scope.op;
  if (must_show_all(scope, calls)) {
    return chance(entropy, 30) ? Operator::average : Operator::sum;
  }
  if (info(in).is_float) {
    constexpr std::array of_floats{Operator::sum, Operator::product, Operator::min, Operator::max,
                                   Operator::average};
    return of_floats[weighted(entropy, {44, 16, 12, 12, 16})];
  }
  if (is_for(Operator::matrix, in) && chance(entropy, 50)) return Operator::matrix;
  constexpr std::array of_integers{Operator::sum,    Operator::product, Operator::min,
                                   Operator::max,    Operator::average, Operator::bit_and,
                                   Operator::bit_or, Operator::bit_xor};
  return of_integers[weighted(entropy, {26, 12, 12, 12, 12, 8, 9, 9})];
}

bool any_call(const CallsCase& subject, bool (*is_such)(Collective)) {
  return std::any_of(subject.calls.begin(), subject.calls.end(),
                     [is_such](const Call& call) { return is_such(call.collective); });
}

/// Sizes around those of vector registers now and then.
std::int64_t draw_length(Entropy& entropy, const CallsCase& subject) {
  const std::int64_t members = member_count(subject);
  if (chance(entropy, 8)) {
    constexpr std::array<std::int64_t, 3> widths{32, 64, 128};
    return pick(entropy, widths) + between(entropy, -1, 1);
  }
  // As many elements as members: then each member shows, where only one can at a position.
  if (chance(entropy, 20)) return members * between(entropy, 1, 3);
  const std::int64_t length = draw_extent(entropy);
  const bool shows_few = subject.op == Operator::min || subject.op == Operator::max ||
                         subject.op == Operator::product || subject.op == Operator::bit_and ||
                         subject.op == Operator::bit_or || info(subject.dtypes.in).bytes == 1;
  return shows_few && any_call(subject, reduces) && length > 0 ? std::max(length, members) : length;
}

std::vector<std::vector<std::int64_t>> draw_counts(Entropy& entropy, std::int64_t members) {
  const auto size = static_cast<std::size_t>(members);
  std::vector<std::vector<std::int64_t>> counts(size, std::vector<std::int64_t>(size));
  const std::int64_t same = between(entropy, 0, 3);
  const bool is_same = chance(entropy, 25);
  for (auto& row : counts) {
    for (std::int64_t& count : row) {
      count = is_same ? same : chance(entropy, 30) ? 0 : between(entropy, 1, 4);
    }
  }
  return counts;
}

/// A length whose blocks, cut balanced, have the shape.
std::int64_t length_of_shape(Entropy& entropy, BlockShape shape, std::int64_t members) {
  switch (shape) {
    case BlockShape::even: return members * between(entropy, 1, 4);
    case BlockShape::uneven:
      return members * between(entropy, 1, 3) + between(entropy, 1, members - 1);
    case BlockShape::empties: break;
  }
  return between(entropy, 0, members - 1);
}

void draw_size(Entropy& entropy, const CallsScope& scope, CallsCase& subject) {
  const std::int64_t members = member_count(subject);
  if (scope.shape && (members > 1 || *scope.shape != BlockShape::uneven)) {
    subject.n = length_of_shape(entropy, *scope.shape, members);
    const bool needs_equal_blocks =
        scope.algorithm == Algorithm::bruck && scope.collective == Collective::all_to_all;
    if (*scope.shape == BlockShape::empties && needs_equal_blocks) {
      subject.n = 0;
    } else if (*scope.shape == BlockShape::empties && any_call(subject, divides) && members > 1) {
      // Enough elements for all, and yet a member that gets nothing.
      subject.n += members;
      subject.split = draw_split(entropy, Split::Rule::sizes, subject.n, members - 1);
      subject.split.sizes.insert(subject.split.sizes.begin(), 0);
    }
    return;
  }
  const bool is_all_to_all =
      subject.calls.size() == 1 && subject.calls[0].collective == Collective::all_to_all;
  if (is_all_to_all && !scope.n && !scope.rule && chance(entropy, 50)) {
    subject.counts = draw_counts(entropy, members);
    return;
  }
  const std::int64_t drawn = draw_length(entropy, subject);
  subject.n = scope.n.value_or(drawn);
  if (!any_call(subject, divides)) return;
  constexpr std::array<std::uint64_t, split_rules.size()> weights{34, 12, 30, 12, 12};
  const Split::Rule rule = draw_rule(entropy, weights);
  subject.split = draw_split(entropy, scope.rule.value_or(rule), subject.n, members);
}

std::vector<std::int64_t> draw_destinations(Entropy& entropy, std::int64_t members) {
  std::vector<std::int64_t> to(static_cast<std::size_t>(members));
  for (std::int64_t m = 0; m < members; ++m) to[static_cast<std::size_t>(m)] = (m + 1) % members;
  if (chance(entropy, 30)) return to;
  shuffle(entropy, to);
  if (chance(entropy, 50)) return to;
  for (std::int64_t& member : to) {
    if (chance(entropy, 25)) member = -1;
  }
  return to;
}

void draw_algorithms(Entropy& entropy, const CallsScope& scope, CallsCase& subject) {
  for (Call& call : subject.calls) {
    std::vector<Algorithm> usable;
    for (const Algorithm algorithm : algorithms_of(call.collective)) {
      const Call candidate{call.collective, algorithm};
      const bool needs_equal_blocks =
          algorithm == Algorithm::bruck && call.collective == Collective::all_to_all;
      if (!keeps_order_enough(candidate, subject.op, subject.root)) continue;
      if (needs_equal_blocks && !has_equal_blocks(subject)) continue;
      usable.push_back(algorithm);
    }
    call.algorithm = pick(entropy, usable);
    const bool is_wanted = scope.algorithm && std::find(usable.begin(), usable.end(),
                                                        *scope.algorithm) != usable.end();
    if (is_wanted) call.algorithm = *scope.algorithm;
  }
}

}  // namespace

bool keeps_order_enough(const Call& call, Operator op, std::int64_t root) {
  if (op != Operator::matrix || !reduces(call.collective)) return true;
  switch (call.algorithm) {
    case Algorithm::direct: return true;
    case Algorithm::doubling: return true;
    case Algorithm::binomial:
    case Algorithm::chain: return call.collective != Collective::reduce || root == 0;
    default: return false;
  }
}

bool has_equal_blocks(const CallsCase& subject) {
  if (subject.counts.empty()) {
    const std::int64_t members = member_count(subject);
    return subject.n % members == 0 &&
           (subject.split.rule == Split::Rule::balanced || subject.split.rule == Split::Rule::ceil);
  }
  const std::int64_t first = subject.counts[0][0];
  return std::all_of(subject.counts.begin(), subject.counts.end(), [first](const auto& row) {
    return std::all_of(row.begin(), row.end(), [first](std::int64_t c) { return c == first; });
  });
}

CallsCase draw_calls_case(Entropy& entropy, const CallsScope& scope) {
  CallsCase subject;
  subject.mesh = draw_mesh(entropy, scope);
  subject.over = draw_over(entropy, subject.mesh);
  subject.calls = draw_calls(entropy, scope);
  subject.dtypes = draw_dtypes(entropy, scope);
  if (any_call(subject, reduces)) {
    subject.op = draw_operator(entropy, scope, subject.calls, subject.dtypes.in);
  }
  const std::int64_t members = member_count(subject);
  const std::int64_t root = chance(entropy, 60) ? between(entropy, 0, members - 1) : 0;
  if (any_call(subject, has_root)) subject.root = root;
  draw_size(entropy, scope, subject);
  if (subject.calls.back().collective == Collective::permute) {
    subject.destinations = draw_destinations(entropy, members);
  }
  const bool is_placed = chance(entropy, 30);
  const bool may_be_placed =
      subject.calls.size() == 1 && may_be_in_place(subject.calls[0].collective);
  subject.in_place = may_be_placed && scope.in_place.value_or(is_placed);
  draw_algorithms(entropy, scope, subject);
  const bool is_any = may_be_in_any_order(subject.calls) && chance(entropy, 8);
  subject.order = scope.order.value_or(is_any ? Order::any : Order::declared);
  // Where the order is free a bound may judge, and in a narrow format it is wider than a term.
  const bool is_narrow = subject.order == Order::any && info(subject.dtypes.in).bytes == 1;
  subject.data = draw_data(entropy, scope, is_narrow);
  subject.run = draw_run(entropy, scope, {.fibers = 78, .pct = 12, .threads = 10});
  return subject;
}

bool is_for_some_dtype(const CallsScope& scope) { return !possible_inputs(scope).empty(); }

std::optional<CallsCase> draw_in(const Cell& cell, Entropy& entropy, const CallsScope& scope) {
  constexpr int draws_in_cell_max = 500;
  CallsScope narrowed = scope;
  narrowed.collective = scope.collective.value_or(cell.call.collective);
  narrowed.algorithm = scope.algorithm.value_or(cell.call.algorithm);
  if (!scope.mesh) {
    narrowed.ranks = scope.ranks.value_or(cell.members);
    narrowed.mesh = Mesh{{{"x", *narrowed.ranks}}};
  }
  if (!scope.n && !scope.rule) narrowed.shape = cell.shape;
  narrowed.run = scope.run.value_or(cell.is_on_threads ? Run::Kind::threads : Run::Kind::fibers);
  for (int draw = 0; draw < draws_in_cell_max; ++draw) {
    CallsCase subject = draw_calls_case(entropy, narrowed);
    if (!allows(scope, subject) || !allows(narrowed, subject)) continue;
    const auto again = parse_calls(print(subject));
    if (again && *again == subject) return subject;
  }
  return std::nullopt;
}

CallsCase generate_calls(Entropy& entropy, const CallsScope& scope) {
  return std::get<CallsCase>(
      generate(entropy, Scopes{.products = std::nullopt, .calls = scope}, Kind::calls));
}

}  // namespace shardcheck
