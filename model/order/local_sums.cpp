#include "local_sums.h"

#include <utility>
#include <vector>

#include "sum_sets.h"

namespace shardcheck::model {
namespace {

/// A term's factors in the type of the accumulator.
template <class Value>
struct Factors {
  Value a{};
  Value b{};
};

template <class Value>
Factors<Value> factors_of(const Term& term) {
  return {static_cast<Value>(term.a), static_cast<Value>(term.b)};
}

template <class Arithmetic>
std::optional<SumSet> in_order(const Arithmetic& arithmetic, std::span<const Term> terms,
                               SetLimits& limits) {
  using Value = typename Arithmetic::Value;
  SumSets<Arithmetic> sets(arithmetic, limits);
  std::vector<Value> sums{Value{0}};
  for (const Term& term : terms) {
    const auto [a, b] = factors_of<Value>(term);
    if (!sets.spend(2 * static_cast<std::int64_t>(sums.size()))) return std::nullopt;
    for (const Value sum : sums) {
      sets.add(arithmetic.multiply_add(sum, a, b));
      sets.add(arithmetic.fused(sum, a, b));
    }
    sums = sets.taken();
    if (sums.empty()) return std::nullopt;
  }
  return sets.patterns_of(sums);
}

/// Element 0 of a subset is the +0 that a local sum may start at, element t + 1 is term t.
template <class Arithmetic>
std::optional<SumSet> in_any_order(const Arithmetic& arithmetic, std::span<const Term> terms,
                                   const FreeTerms& how, SetLimits& limits) {
  using Value = typename Arithmetic::Value;
  using Set = typename SumSets<Arithmetic>::Set;
  SumSets<Arithmetic> sets(arithmetic, limits);
  const std::uint32_t all = (std::uint32_t{1} << (terms.size() + 1)) - 1;
  const auto operands = [&](Set values) {
    return how.may_be_sent ? sets.operands(std::move(values)) : values;
  };
  // By subset: what it may come to, as an operand of others.
  std::vector<Set> sums(all + 1);
  sums[1] = {Value{0}};
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const auto [a, b] = factors_of<Value>(terms[t]);
    // −0 + x is x for every x, the zeros included.
    sums[std::size_t{2} << t] = operands({arithmetic.multiply_add(-Value{0}, a, b)});
  }
  for (std::uint32_t mask = 1; mask <= all; ++mask) {
    if ((mask & (mask - 1)) == 0) continue;
    const bool fits = for_each_split(mask, [&](std::uint32_t left, std::uint32_t right) {
      return sets.add_pairs(sums[left], sums[right]);
    });
    if (!fits) return std::nullopt;
    for (std::size_t t = 0; how.may_be_fused && t < terms.size(); ++t) {
      const std::uint32_t term = std::uint32_t{2} << t;
      if ((mask & term) == 0) continue;
      const Set& others = sums[mask ^ term];
      if (!sets.spend(static_cast<std::int64_t>(others.size()))) return std::nullopt;
      const auto [a, b] = factors_of<Value>(terms[t]);
      for (const Value sum : others) sets.add(arithmetic.fused(sum, a, b));
    }
    sums[mask] = operands(sets.taken());
    if (sums[mask].empty()) return std::nullopt;
  }
  for (const Value value : sums[all]) sets.add(value);
  // Without the +0 a sum of nothing but −0 stays one.
  if (!terms.empty()) {
    for (const Value value : sums[all ^ 1]) sets.add(value);
  }
  return sets.patterns_of(sets.taken());
}

}  // namespace

std::optional<SumSet> sums_fused_or_not(const DtypeCombination& dtypes, std::span<const Term> terms,
                                        SetLimits& limits) {
  return with_float_accumulator(
      dtypes, [&](const auto& arithmetic) { return in_order(arithmetic, terms, limits); });
}

std::optional<SumSet> sums_of_free_terms(const DtypeCombination& dtypes,
                                         std::span<const Term> terms, const FreeTerms& how,
                                         SetLimits& limits) {
  if (terms.size() > free_terms_max) return std::nullopt;
  return with_float_accumulator(
      dtypes, [&](const auto& arithmetic) { return in_any_order(arithmetic, terms, how, limits); });
}

}  // namespace shardcheck::model
