#include "free_order.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/order/exact_sums.h>
#include <shardcheck/model/order/local_sums.h>
#include <shardcheck/model/order/sum_sets.h>

namespace shardcheck::model {
namespace {

/// An accumulator whose values are sets: what a tree gives if each leaf may be one of several
/// values. An empty set is one beyond the limits, and so is what is made of it.
template <class Arithmetic>
class SetArithmetic {
 public:
  using Value = typename SumSets<Arithmetic>::Set;

  SetArithmetic(const Arithmetic& arithmetic, SumSets<Arithmetic>& sets)
      : arithmetic_(arithmetic), sets_(sets) {}

  Value add(const Value& x, const Value& y) const {
    const bool fits = sets_.add_pairs(x, y);
    Value sums = sets_.taken();
    if (!fits) sums.clear();
    return sums;
  }

  Value through_wire(const Value& x) const {
    for (const auto value : x) sets_.add(arithmetic_.through_wire(value));
    return sets_.taken();
  }

 private:
  const Arithmetic& arithmetic_;
  SumSets<Arithmetic>& sets_;
};

/// The documented tree over sets. `partials`: by part; those of other results may be empty.
std::optional<SumSet> in_declared_order(const DtypeCombination& dtypes, const Reduction& reduction,
                                        std::int64_t i, std::int64_t j, std::int64_t result,
                                        const std::vector<SumSet>& partials, SetLimits& limits) {
  return with_float_accumulator(dtypes, [&](const auto& arithmetic) -> std::optional<SumSet> {
    SumSets sets(arithmetic, limits);
    std::vector<std::vector<typename std::decay_t<decltype(arithmetic)>::Value>> values;
    values.reserve(partials.size());
    for (const SumSet& partial : partials) values.push_back(sets.from_patterns(partial));
    reduce(SetArithmetic(arithmetic, sets), reduction, i, j, std::span(values));
    const auto& sums = values[static_cast<std::size_t>(result)];
    if (sums.empty()) return std::nullopt;
    return sets.patterns_of(sums);
  });
}

}  // namespace

FreeOrder::FreeOrder(const ProductCase& subject, const Reduction& reduction, const Replay& replay,
                     LocalOrder local_order, Grouping grouping)
    : subject_(subject),
      reduction_(reduction),
      replay_(replay),
      is_across_ranks_(subject.order == Order::any),
      is_fusing_open_(subject.fma == Fma::any),
      is_local_open_(local_order == LocalOrder::free),
      is_grouping_open_(grouping == Grouping::unknown),
      may_fuse_(is_fusing_open_ || is_local_open_ || subject.fma == Fma::yes),
      uses_wire_(reduction.uses_wire) {
  if (!info(subject.dtypes.acc).is_float) {
    is_across_ranks_ = is_fusing_open_ = is_local_open_ = is_grouping_open_ = false;
    return;
  }
  // A part counted twice is the most terms that an alteration makes.
  factors_ = envelope_factors(subject.dtypes, roundings(), subject.k + replay.longest_part());
}

Roundings FreeOrder::roundings() const {
  const bool is_fused = subject_.fma == Fma::yes && !is_local_open_ && !is_grouping_open_;
  const bool is_product_exact = [&] {
    const FloatFormat& in = float_format(subject_.dtypes.in);
    const FloatFormat& acc = float_format(subject_.dtypes.acc);
    return 2 * in.precision <= acc.precision && 2 * in.unit_exponent >= acc.unit_exponent;
  }();
  const std::int64_t longest = replay_.longest_part();
  // The first addition is to +0 and rounds only what a fused product brings.
  const std::int64_t local =
      is_product_exact || !may_fuse_ ? std::max<std::int64_t>(longest - 1, 0) : longest;
  Roundings most{.products = is_fused || is_product_exact ? 0 : 1,
                 .sums = local + reduction_.additions_deep,
                 .wire = reduction_.wire_roundings_deep,
                 .wire_everywhere = reduction_.wire_roundings};
  if (is_grouping_open_) return roundings_of_any_grouping(most);
  if (!is_across_ranks_) return most;
  // A tree over all partials of a result, whatever mesh axis they lie along: a term passes all
  // additions at most, and before each its operand may be rounded to wire. The root is too in the
  // end, perhaps.
  const std::int64_t additions = reduction_.part_count / reduction_.result_count - 1;
  most.sums = local + additions;
  if (reduction_.uses_wire) {
    most.wire = additions + 1;
    most.wire_everywhere = 2 * additions + 1;
  }
  return most;
}

/// A tree over all terms: each may be added last, and each operand may have been sent.
Roundings FreeOrder::roundings_of_any_grouping(const Roundings& planned) const {
  const std::int64_t additions = std::max<std::int64_t>(subject_.k + replay_.longest_part(), 1);
  Roundings most{.products = planned.products, .sums = additions};
  if (uses_wire_) {
    most.wire = additions + 1;
    most.wire_everywhere = 2 * additions + 1;
  }
  return most;
}

Allowed FreeOrder::bounds(const TermSum& sum) const {
  Allowed allowed = envelope(factors_, sum);
  const bool is_zero = sum.is_finite() && sum.finite.magnitude.sign() == 0;
  if (is_zero && may_lack_zero()) {
    allowed.low = convert(Dtype::f64, subject_.dtypes.out, std::bit_cast<Bits>(-0.0));
  }
  return allowed;
}

std::optional<Allowed> FreeOrder::exact(std::int64_t i, std::int64_t j, std::int64_t result,
                                        const Change& change, const TermSum& sum) const {
  const ExactLimits limits = exact_limits(subject_.dtypes, uses_wire_);
  if (!sum.is_finite() || !is_exact_in_every_order(limits, sum.finite)) return std::nullopt;
  return one_result(subject_.dtypes.out, Grade::exact, replay_.result(i, j, result, change));
}

std::optional<SumSet> FreeOrder::local_sums(std::int64_t i, std::int64_t j, std::int64_t part,
                                            const Change& change, SetLimits& limits) const {
  if (!is_local_open_ && !is_fusing_open_) return SumSet{replay_.partial(i, j, part, change)};
  const std::vector<Term> terms = replay_.part_terms(i, j, part, change);
  std::optional<SumSet> sums = is_local_open_
                                   ? sums_of_free_terms(subject_.dtypes, terms, {}, limits)
                                   : sums_fused_or_not(subject_.dtypes, terms, limits);
  const bool is_double = change.kind == Change::Kind::double_part && change.index == part;
  if (!sums || !is_double) return sums;
  const std::vector<SumSet> twice{*sums, *sums};
  return sums_in_rank_order(subject_.dtypes, twice, limits);
}

std::optional<Allowed> FreeOrder::results(std::int64_t i, std::int64_t j, std::int64_t result,
                                          const Change& change, SetLimits& limits) const {
  if (is_grouping_open_) return results_of_any_grouping(i, j, result, change, limits);
  std::vector<SumSet> partials(static_cast<std::size_t>(reduction_.part_count));
  std::vector<SumSet> own;
  for (const std::int64_t part : replay_.parts_of(result)) {
    std::optional<SumSet> sums = local_sums(i, j, part, change, limits);
    if (!sums) return std::nullopt;
    if (is_across_ranks_) {
      own.push_back(*std::move(sums));
    } else {
      partials[static_cast<std::size_t>(part)] = *std::move(sums);
    }
  }
  const DtypeCombination& dtypes = subject_.dtypes;
  std::optional<SumSet> sums =
      is_across_ranks_ ? sums_in_any_order(dtypes, own, limits)
                       : in_declared_order(dtypes, reduction_, i, j, result, partials, limits);
  if (!sums) return std::nullopt;
  if (is_across_ranks_ && is_sum_rounded_to_wire(reduction_, i, j)) {
    sums = through_wire(dtypes, *sums);
  }
  return one_of(dtypes.out, rounded_to_out(dtypes, *sums));
}

std::optional<Allowed> FreeOrder::results_of_any_grouping(std::int64_t i, std::int64_t j,
                                                          std::int64_t result, const Change& change,
                                                          SetLimits& limits) const {
  const DtypeCombination& dtypes = subject_.dtypes;
  const FreeTerms how{.may_be_fused = may_fuse_, .may_be_sent = uses_wire_};
  const auto sums = sums_of_free_terms(dtypes, replay_.terms(i, j, result, change), how, limits);
  if (!sums) return std::nullopt;
  return one_of(dtypes.out, rounded_to_out(dtypes, *sums));
}

}  // namespace shardcheck::model
