#include "any_order.h"

#include <algorithm>
#include <utility>

#include <shardcheck/model/case/contract.h>

#include "sum_sets.h"

namespace shardcheck::model {
namespace {

/// 2^12 subsets are the most that is ever asked for; this many fit the masks with room.
constexpr std::size_t contributions_bound = 20;

/// Those that aren't {+0}, and one {+0} if there is any.
std::vector<SumSet> without_repeated_zeros(std::span<const SumSet> contributions) {
  const SumSet zero{0};
  std::vector<SumSet> kept;
  bool has_zero = false;
  for (const SumSet& contribution : contributions) {
    if (contribution == zero && std::exchange(has_zero, true)) continue;
    kept.push_back(contribution);
  }
  return kept;
}

/// An accumulator whose additions are multiplications.
template <class Arithmetic>
struct Multiplying : Arithmetic {
  explicit Multiplying(const Arithmetic& arithmetic) : Arithmetic(arithmetic) {}

  using Value = typename Arithmetic::Value;
  static Value add(Value x, Value y) { return Arithmetic::multiply(x, y); }
};

template <class Arithmetic>
std::optional<SumSet> over_subsets(const Arithmetic& arithmetic,
                                   const std::vector<SumSet>& contributions, SetLimits& limits) {
  using Set = typename SumSets<Arithmetic>::Set;
  SumSets<Arithmetic> sets(arithmetic, limits);
  const std::uint32_t all = (std::uint32_t{1} << contributions.size()) - 1;
  std::vector<Set> operands(all + 1);
  for (std::uint32_t mask = 1; mask <= all; ++mask) {
    Set sums;
    if ((mask & (mask - 1)) == 0) {
      sums = sets.from_patterns(contributions[static_cast<std::size_t>(std::countr_zero(mask))]);
    } else {
      const bool fits = for_each_split(mask, [&](std::uint32_t left, std::uint32_t right) {
        return sets.add_pairs(operands[left], operands[right]);
      });
      sums = sets.taken();
      if (!fits || sums.empty()) return std::nullopt;
    }
    if (mask == all) return sets.patterns_of(sums);
    operands[mask] = sets.operands(std::move(sums));
    if (operands[mask].empty()) return std::nullopt;
  }
  return std::nullopt;
}

template <class Arithmetic>
std::optional<SumSet> over_intervals(const Arithmetic& arithmetic,
                                     std::span<const SumSet> contributions, SetLimits& limits) {
  using Set = typename SumSets<Arithmetic>::Set;
  SumSets<Arithmetic> sets(arithmetic, limits);
  const std::size_t count = contributions.size();
  // Of the interval of `length` contributions from `begin` on: [length − 1][begin].
  std::vector<std::vector<Set>> operands(count);
  for (std::size_t length = 1; length <= count; ++length) {
    for (std::size_t begin = 0; begin + length <= count; ++begin) {
      Set sums;
      if (length == 1) {
        sums = sets.from_patterns(contributions[begin]);
      } else {
        bool fits = true;
        for (std::size_t left = 1; left < length && fits; ++left) {
          fits =
              sets.add_pairs(operands[left - 1][begin], operands[length - left - 1][begin + left]);
        }
        sums = sets.taken();
        if (!fits || sums.empty()) return std::nullopt;
      }
      if (length == count) return sets.patterns_of(sums);
      operands[length - 1].push_back(sets.operands(std::move(sums)));
      if (operands[length - 1].back().empty()) return std::nullopt;
    }
  }
  return std::nullopt;
}

void require_contributions(std::span<const SumSet> contributions) {
  const bool is_any_empty = std::any_of(contributions.begin(), contributions.end(),
                                        [](const SumSet& set) { return set.empty(); });
  SHARDCHECK_REQUIRE(!contributions.empty() && !is_any_empty,
                     "a sum has contributions, and each has a value");
}

/// `results` in dtype `dtype`, ascending, each once, NaN last.
std::vector<Bits> sorted(Dtype dtype, std::vector<Bits> results) {
  const auto place = [dtype](Bits bits) {
    return is_nan(dtype, bits) ? ~std::uint64_t{0} : order_of(dtype, bits);
  };
  std::sort(results.begin(), results.end(), [&](Bits x, Bits y) { return place(x) < place(y); });
  results.erase(std::unique(results.begin(), results.end()), results.end());
  return results;
}

}  // namespace

std::optional<SumSet> sums_in_any_order(const DtypeCombination& dtypes,
                                        std::span<const SumSet> contributions, SetLimits& limits,
                                        Combination combination) {
  require_contributions(contributions);
  const bool is_sum = combination == Combination::sum;
  const std::vector<SumSet> kept =
      is_sum ? without_repeated_zeros(contributions)
             : std::vector<SumSet>(contributions.begin(), contributions.end());
  if (kept.size() > contributions_bound ||
      static_cast<std::int64_t>(kept.size()) > limits.contributions_max) {
    return std::nullopt;
  }
  return with_float_accumulator(dtypes, [&](const auto& arithmetic) {
    return is_sum ? over_subsets(arithmetic, kept, limits)
                  : over_subsets(Multiplying(arithmetic), kept, limits);
  });
}

std::optional<SumSet> sums_in_rank_order(const DtypeCombination& dtypes,
                                         std::span<const SumSet> contributions, SetLimits& limits) {
  require_contributions(contributions);
  return with_float_accumulator(dtypes, [&](const auto& arithmetic) {
    return over_intervals(arithmetic, contributions, limits);
  });
}

SumSet through_wire(const DtypeCombination& dtypes, const SumSet& sums) {
  return with_float_accumulator(dtypes, [&](const auto& arithmetic) {
    std::vector<Bits> results;
    results.reserve(sums.size());
    for (const Bits bits : sums) {
      results.push_back(arithmetic.to_acc(arithmetic.through_wire(arithmetic.from_acc(bits))));
    }
    return sorted(dtypes.acc, std::move(results));
  });
}

std::vector<Bits> rounded_to_out(const DtypeCombination& dtypes, const SumSet& sums) {
  return with_float_accumulator(dtypes, [&](const auto& arithmetic) {
    std::vector<Bits> results;
    results.reserve(sums.size());
    for (const Bits bits : sums) results.push_back(arithmetic.to_out(arithmetic.from_acc(bits)));
    return sorted(dtypes.out, std::move(results));
  });
}

}  // namespace shardcheck::model
