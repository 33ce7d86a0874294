#include "values.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "envelope.h"
#include "exact/native.h"
#include "exact_sums.h"
#include "reduction_tree.h"
#include "replay.h"

namespace shardcheck::model {
namespace {

/// Alterations by k that a diagnosis tries; beyond that a case is reduced first.
constexpr std::int64_t suspected_ks_max = 4096;

constexpr Change nothing_changed{};

Allowed one_result(const DtypeCombination& dtypes, Grade grade, Bits bits) {
  const bool nan = is_nan(dtypes.out, bits);
  return {.grade = grade, .nan = nan, .only_nan = nan, .low = bits, .high = bits, .set = {}};
}

}  // namespace

struct Values::State {
  const Case& subject;
  const ResolvedPlan& plan;
  Reduction reducing;
  std::unique_ptr<Replay> replay;
  std::vector<Bits> results;           ///< coordinate · result_count + result
  std::vector<std::uint8_t> is_exact;  ///< by coordinate
  // Where the order is free: bounds, as results are laid out; left out where `is_exact`.
  EnvelopeFactors factors;
  std::vector<Allowed> free_results;

  State(const Case& of, const ResolvedPlan& by)
      : subject(of), plan(by), reducing(reduction(of, by)), replay(make_replay(of, by, reducing)) {
    const auto columns = static_cast<std::size_t>(subject.j);
    const auto results_a_row = columns * static_cast<std::size_t>(reducing.result_count);
    results.resize(static_cast<std::size_t>(subject.i) * results_a_row);
    is_exact.resize(static_cast<std::size_t>(subject.i) * columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(subject.i); ++row) {
      replay->row(static_cast<std::int64_t>(row),
                  std::span(results).subspan(row * results_a_row, results_a_row),
                  std::span(is_exact).subspan(row * columns, columns));
    }
    if (has_free_order() && info(subject.dtypes.acc).is_float) bound_free_results();
  }

  void bound_free_results() {
    // A part counted twice is the most terms that an alteration makes.
    factors = envelope_factors(subject.dtypes, roundings(), subject.k + replay->longest_part());
    free_results.resize(results.size());
    for (std::size_t entry = 0; entry < results.size(); ++entry) {
      const auto [coordinate, result] =
          std::ldiv(static_cast<std::int64_t>(entry), reducing.result_count);
      if (is_exact[static_cast<std::size_t>(coordinate)] != 0) continue;
      free_results[entry] = in_any_order(coordinate, result, nothing_changed);
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

  std::vector<Term> terms(std::int64_t rank, std::int64_t coordinate, const Change& change) const {
    return replay->terms(row_of(coordinate), column_of(coordinate), result_of(rank), change);
  }

  Roundings roundings() const {
    const bool is_fused = subject.fma == Fma::yes;
    const bool is_product_exact = [&] {
      const FloatFormat& in = float_format(subject.dtypes.in);
      const FloatFormat& acc = float_format(subject.dtypes.acc);
      return 2 * in.precision <= acc.precision && 2 * in.unit_exponent >= acc.unit_exponent;
    }();
    const std::int64_t longest = replay->longest_part();
    // The first addition is to +0 and rounds only what a fused product brings.
    const std::int64_t local = is_product_exact || subject.fma == Fma::no
                                   ? std::max<std::int64_t>(longest - 1, 0)
                                   : longest;
    return {.products = is_fused || is_product_exact ? 0 : 1,
            .sums = local + reducing.additions_deep,
            .wire = reducing.wire_roundings_deep,
            .wire_everywhere = reducing.wire_roundings};
  }

  /// What an alteration changes for an element of a rank: `none` if its result isn't concerned.
  Change change_for(std::int64_t rank, std::int64_t coordinate, const Alteration& alteration) const;

  bool has_free_order() const { return subject.order == Order::any || subject.fma == Fma::any; }

  /// Whatever the order: one result if that is proven, else bounds. The replay proved exactness on
  /// the grid of a whole row and column; here every product counts by itself.
  Allowed in_any_order(std::int64_t coordinate, std::int64_t result, const Change& change) const {
    const std::int64_t i = row_of(coordinate);
    const std::int64_t j = column_of(coordinate);
    const TermSum sum = sum_of(replay->terms(i, j, result, change));
    const ExactLimits limits = exact_limits(subject.dtypes, reducing.uses_wire);
    if (sum.is_finite() && is_exact_in_every_order(limits, sum.finite)) {
      return one_result(subject.dtypes, Grade::exact, replay->result(i, j, result, change));
    }
    return envelope(factors, sum);
  }

  Allowed allowed(std::int64_t rank, std::int64_t coordinate) const {
    const auto entry = static_cast<std::size_t>(coordinate);
    if (is_exact[entry] != 0) {
      return one_result(subject.dtypes, Grade::exact, replayed(rank, coordinate));
    }
    if (!has_free_order()) {
      return one_result(subject.dtypes, Grade::declared, replayed(rank, coordinate));
    }
    return free_results[static_cast<std::size_t>(coordinate * reducing.result_count +
                                                 result_of(rank))];
  }

  Allowed altered(std::int64_t rank, std::int64_t coordinate, const Change& change) const {
    if (change.kind == Change::Kind::none) return allowed(rank, coordinate);
    const bool is_proven = is_exact[static_cast<std::size_t>(coordinate)] != 0;
    if (has_free_order() && !is_proven) {
      return in_any_order(coordinate, result_of(rank), change);
    }
    return one_result(subject.dtypes, is_proven ? Grade::exact : Grade::declared,
                      replayed(rank, coordinate, change));
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

Values::Values(const Case& subject, const ResolvedPlan& plan)
    : state_(std::make_unique<State>(subject, plan)) {}

Values::~Values() = default;
Values::Values(Values&&) noexcept = default;

Allowed Values::allowed(std::int64_t rank, std::int64_t coordinate) const {
  return state_->allowed(rank, coordinate);
}

Allowed Values::altered(std::int64_t rank, std::int64_t coordinate,
                        const Alteration& alteration) const {
  return state_->altered(rank, coordinate, state_->change_for(rank, coordinate, alteration));
}

Bits Values::partial(std::int64_t rank, std::int64_t coordinate) const {
  const std::int64_t part = state_->reducing.part_of_rank[static_cast<std::size_t>(rank)];
  return state_->replay->partial(state_->row_of(coordinate), state_->column_of(coordinate), part);
}

bool Values::is_rounded(std::int64_t rank, std::int64_t coordinate) const {
  const Dtype out = state_->subject.dtypes.out;
  if (!info(out).is_float) return false;
  const double result = value_of(out, state_->replayed(rank, coordinate));
  if (!std::isfinite(result)) return false;
  return dot(state_->terms(rank, coordinate, nothing_changed)).sum != Number::of_double(result);
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
