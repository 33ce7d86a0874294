#include "values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/exact/native.h>
#include "free_order.h"
#include "reduction_tree.h"
#include "replay.h"

namespace shardcheck::model {
namespace {

/// Alterations by k that a diagnosis tries; beyond that a case is reduced first.
constexpr std::int64_t suspected_ks_max = 4096;

constexpr Change nothing_changed{};

/// Additions for the sets of one case: about what the replay costs, and enough for a small case
/// with a few ranks. Beyond, elements are judged by their bounds.
std::int64_t set_additions(const ProductCase& subject) {
  constexpr std::int64_t least = std::int64_t{1} << 21;
  return least + subject.i * subject.j * subject.k;
}

/// Of one set that is asked for by itself.
constexpr SetLimits limits_of_one{.additions_left = std::int64_t{1} << 16};

/// A step that shares no factor with `count` and is about its golden section: so many steps visit
/// all numbers below `count`, each far from those before it.
std::size_t spreading_step(std::size_t count) {
  auto step = static_cast<std::size_t>(0.618 * static_cast<double>(count));
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

/// Where it isn't known which plan was taken, a partial may have been sent whatever ours does.
const Reduction& sent_anywhere(Reduction& reduction, const ProductCase& subject,
                               Grouping grouping) {
  const DtypeCombination& dtypes = subject.dtypes;
  if (grouping == Grouping::unknown && rank_count(subject.mesh) > 1 && dtypes.wire != dtypes.acc) {
    reduction.uses_wire = true;
  }
  return reduction;
}

}  // namespace

struct Values::State {
  const ProductCase& subject;
  const ResolvedPlan& plan;
  Reduction reducing;
  std::unique_ptr<Replay> replay;
  std::vector<Bits> results;           ///< coordinate · result_count + result
  std::vector<std::uint8_t> is_exact;  ///< by coordinate
  FreeOrder free_order;
  std::vector<Allowed> free_results;  ///< as `results`; left out where `is_exact`

  State(const ProductCase& of, const ResolvedPlan& by, LocalOrder local_order, Grouping grouping)
      : subject(of),
        plan(by),
        reducing(reduction(of, by)),
        replay(make_replay(of, by, sent_anywhere(reducing, of, grouping))),
        free_order(of, reducing, *replay, local_order, grouping) {
    const auto columns = static_cast<std::size_t>(subject.j);
    const auto results_a_row = columns * static_cast<std::size_t>(reducing.result_count);
    results.resize(static_cast<std::size_t>(subject.i) * results_a_row);
    is_exact.resize(static_cast<std::size_t>(subject.i) * columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(subject.i); ++row) {
      replay->row(static_cast<std::int64_t>(row),
                  std::span(results).subspan(row * results_a_row, results_a_row),
                  std::span(is_exact).subspan(row * columns, columns));
    }
    if (free_order.is_free()) find_free_results();
  }

  /// Sets as far as the additions reach, for elements spread over all of C.
  void find_free_results() {
    free_results.resize(results.size());
    const std::size_t count = results.size();
    const std::size_t step = count > 1 ? spreading_step(count) : 0;
    SetLimits limits{.additions_left = set_additions(subject)};
    std::size_t entry = 0;
    for (std::size_t visited = 0; visited < count; ++visited) {
      const auto [coordinate, result] =
          std::ldiv(static_cast<std::int64_t>(entry), reducing.result_count);
      if (is_exact[static_cast<std::size_t>(coordinate)] == 0) {
        free_results[entry] = in_any_order(coordinate, result, nothing_changed, limits);
      }
      entry = (entry + step) % count;
    }
  }

  std::int64_t row_of(std::int64_t coordinate) const { return coordinate / subject.j; }
  std::int64_t column_of(std::int64_t coordinate) const { return coordinate % subject.j; }
  std::int64_t result_of(std::int64_t rank) const {
    return reducing.result_of_rank[static_cast<std::size_t>(rank)];
  }

  Bits replayed(std::int64_t rank, std::int64_t coordinate) const {
    return results[static_cast<std::size_t>(coordinate * reducing.result_count + result_of(rank))];
  }

  Bits replayed(std::int64_t rank, std::int64_t coordinate, const Change& change) const {
    return replay->result(row_of(coordinate), column_of(coordinate), result_of(rank), change);
  }

  /// What an alteration changes for an element of a rank: `none` if its result isn't concerned.
  Change change_for(std::int64_t rank, std::int64_t coordinate, const Alteration& alteration) const;

  bool is_proven_exact(std::int64_t coordinate) const {
    return is_exact[static_cast<std::size_t>(coordinate)] != 0;
  }

  /// Whatever the order: one result if that is proven, else what some order gives, else bounds. The
  /// replay proved exactness on the grid of a whole row and column; here every product counts by
  /// itself.
  Allowed in_any_order(std::int64_t coordinate, std::int64_t result, const Change& change,
                       SetLimits& limits) const {
    const std::int64_t i = row_of(coordinate);
    const std::int64_t j = column_of(coordinate);
    const TermSum sum = replay->sum(i, j, result, change);
    if (auto exact = free_order.exact(i, j, result, change, sum)) {
      return exact_result(coordinate, result, change, exact->low);
    }
    if (limits.additions_left > 0) {
      if (auto set = free_order.results(i, j, result, change, limits)) return *std::move(set);
    }
    return free_order.bounds(sum);
  }

  /// The one result of a sum that no order rounds. Only where no +0 need be added is there another:
  /// a sum of nothing but −0.
  Allowed exact_result(std::int64_t coordinate, std::int64_t result, const Change& change,
                       Bits bits) const {
    Allowed allowed = one_result(subject.dtypes.out, Grade::exact, bits);
    if (bits != 0 || !free_order.may_lack_zero()) return allowed;
    const std::vector<Term> terms =
        replay->terms(row_of(coordinate), column_of(coordinate), result, change);
    const bool are_negative_zeros = std::ranges::all_of(terms, [](const Term& term) {
      const double product = term.a * term.b;
      return product == 0 && std::signbit(product);
    });
    if (are_negative_zeros && !terms.empty()) {
      allowed.low = convert(Dtype::f64, subject.dtypes.out, std::bit_cast<Bits>(-0.0));
    }
    return allowed;
  }

  Allowed allowed(std::int64_t rank, std::int64_t coordinate) const {
    const Dtype out = subject.dtypes.out;
    if (is_proven_exact(coordinate)) {
      return exact_result(coordinate, result_of(rank), nothing_changed, replayed(rank, coordinate));
    }
    if (!free_order.is_free()) return one_result(out, Grade::declared, replayed(rank, coordinate));
    return free_results[static_cast<std::size_t>(coordinate * reducing.result_count +
                                                 result_of(rank))];
  }

  Allowed altered(std::int64_t rank, std::int64_t coordinate, const Change& change) const {
    if (change.kind == Change::Kind::none) return allowed(rank, coordinate);
    const bool is_proven = is_proven_exact(coordinate);
    if (free_order.is_free() && !is_proven) {
      SetLimits limits = limits_of_one;
      return in_any_order(coordinate, result_of(rank), change, limits);
    }
    return one_result(subject.dtypes.out, is_proven ? Grade::exact : Grade::declared,
                      replayed(rank, coordinate, change));
  }

  bool shows(std::int64_t rank, std::int64_t coordinate, const Change& change,
             std::int64_t& additions_left) const {
    if (change.kind == Change::Kind::none) return false;
    const Dtype out = subject.dtypes.out;
    const Allowed right = allowed(rank, coordinate);
    if (!free_order.is_free() || is_proven_exact(coordinate)) {
      return are_disjoint(out, right, altered(rank, coordinate, change));
    }
    const std::int64_t i = row_of(coordinate);
    const std::int64_t j = column_of(coordinate);
    const std::int64_t result = result_of(rank);
    const TermSum sum = replay->sum(i, j, result, change);
    if (auto exact = free_order.exact(i, j, result, change, sum)) {
      return are_disjoint(out, right, *exact);
    }
    if (are_disjoint(out, right, free_order.bounds(sum))) return true;
    if (additions_left <= 0) return false;
    SetLimits limits{.additions_left = additions_left};
    const auto wrong = free_order.results(i, j, result, change, limits);
    additions_left = limits.additions_left;
    return wrong && are_disjoint(out, right, *wrong);
  }
};

Change Values::State::change_for(std::int64_t rank, std::int64_t coordinate,
                                 const Alteration& alteration) const {
  Change change{Change::Kind::none, alteration.index};
  switch (alteration.kind) {
    case Alteration::Kind::drop_k: change.kind = Change::Kind::drop_k; break;
    case Alteration::Kind::double_k: change.kind = Change::Kind::double_k; break;
    case Alteration::Kind::mispair_k: change.kind = Change::Kind::mispair_k; break;
    case Alteration::Kind::drop_rank: change.kind = Change::Kind::drop_part; break;
    case Alteration::Kind::double_rank: change.kind = Change::Kind::double_part; break;
  }
  const bool is_rank = alteration.kind == Alteration::Kind::drop_rank ||
                       alteration.kind == Alteration::Kind::double_rank;
  if (is_rank) {
    change.index = reducing.part_of_rank[static_cast<std::size_t>(alteration.index)];
  }
  if (!replay->concerns(change, result_of(rank))) return nothing_changed;
  // Of the ranks that hold the same part, one alone contributes to what this rank gets.
  if (is_rank && !contributes(subject, plan, alteration.index, rank, row_of(coordinate),
                              column_of(coordinate))) {
    return nothing_changed;
  }
  return change;
}

std::string describe(const Alteration& alteration) {
  const std::string index = std::to_string(alteration.index);
  switch (alteration.kind) {
    case Alteration::Kind::drop_k: return "k = " + index + " is missing";
    case Alteration::Kind::double_k: return "k = " + index + " counted twice";
    case Alteration::Kind::mispair_k:
      return "k = " + index + " of A multiplied with k = " + std::to_string(alteration.index + 1) +
             " of B, and the reverse";
    case Alteration::Kind::drop_rank: return "rank " + index + " is missing";
    case Alteration::Kind::double_rank: return "rank " + index + " counted twice";
  }
  return "";
}

Values::Values(const ProductCase& subject, const ResolvedPlan& plan, LocalOrder local_order,
               Grouping grouping)
    : state_(std::make_unique<State>(subject, plan, local_order, grouping)) {}

Values::~Values() = default;

Allowed Values::allowed(std::int64_t rank, std::int64_t coordinate) const {
  return state_->allowed(rank, coordinate);
}

Allowed Values::altered(std::int64_t rank, std::int64_t coordinate,
                        const Alteration& alteration) const {
  return state_->altered(rank, coordinate, state_->change_for(rank, coordinate, alteration));
}

bool Values::shows(std::int64_t rank, std::int64_t coordinate, const Alteration& alteration,
                   std::int64_t& additions_left) const {
  return state_->shows(rank, coordinate, state_->change_for(rank, coordinate, alteration),
                       additions_left);
}

Bits Values::partial(std::int64_t rank, std::int64_t coordinate) const {
  const std::int64_t part = state_->reducing.part_of_rank[static_cast<std::size_t>(rank)];
  return state_->replay->partial(state_->row_of(coordinate), state_->column_of(coordinate), part,
                                 nothing_changed);
}

bool Values::is_rounded(std::int64_t rank, std::int64_t coordinate) const {
  const Dtype out = state_->subject.dtypes.out;
  if (!info(out).is_float) return false;
  const double result = value_of(out, state_->replayed(rank, coordinate));
  if (!std::isfinite(result)) return false;
  return !state_->replay->is_sum(state_->row_of(coordinate), state_->column_of(coordinate),
                                 state_->result_of(rank), result);
}

std::vector<Alteration> Values::suspects(std::int64_t rank, std::int64_t coordinate,
                                         Bits got) const {
  const State& state = *state_;
  const Dtype out = state.subject.dtypes.out;
  const Bits seen = canonical(out, got);
  std::vector<Alteration> found;
  if (seen == state.replayed(rank, coordinate)) return found;
  const auto try_out = [&](Alteration::Kind kind, std::int64_t index) {
    const Alteration alteration{kind, index};
    const Change change = state.change_for(rank, coordinate, alteration);
    if (change.kind == Change::Kind::none) return;
    if (state.replayed(rank, coordinate, change) == seen) found.push_back(alteration);
  };
  if (state.subject.k <= suspected_ks_max) {
    for (std::int64_t k = 0; k < state.subject.k; ++k) {
      try_out(Alteration::Kind::drop_k, k);
      try_out(Alteration::Kind::double_k, k);
      if (k + 1 < state.subject.k) try_out(Alteration::Kind::mispair_k, k);
    }
  }
  for (std::int64_t other = 0; other < rank_count(state.subject.mesh); ++other) {
    try_out(Alteration::Kind::drop_rank, other);
    try_out(Alteration::Kind::double_rank, other);
  }
  return found;
}

}  // namespace shardcheck::model
