#include "reducer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <shardcheck/model/order/exact_sums.h>

#include "combining.h"

namespace shardcheck::model {
namespace {

/// An arithmetic over what may be missing: nothing ⊕ x = x.
template <class Arithmetic>
struct WithNothing {
  using Value = std::optional<typename Arithmetic::Value>;

  const Arithmetic& arithmetic;

  Value combine(const Value& x, const Value& y) const {
    if (!x) return y;
    return y ? arithmetic.combine(*x, *y) : x;
  }
  Value through_wire(const Value& x) const {
    return x ? Value(arithmetic.through_wire(*x)) : Value();
  }
};

/// Every partial sum of every grouping is a value of the formats that it passes through. The sum of
/// the magnitudes in double is compared exactly although it may round: as long as no partial sum
/// exceeds 2^(grid + 53) nothing rounds, rounding is monotone, and the limit is no larger.
bool is_sum_exact(const ExactLimits& limits, Dtype in, std::span<const Bits> contributions) {
  std::int64_t grid = lowest_bit(0);
  double magnitude = 0;
  for (const Bits bits : contributions) {
    const double value = value_of(in, bits);
    grid = std::min(grid, lowest_bit(value));
    magnitude += std::fabs(value);
  }
  return magnitude == 0 || magnitude <= largest_exact_sum(limits, grid);
}

/// Likewise of products: a partial product has no more significant bits than the whole one, since
/// an odd factor adds to them; its exponent is at least the sum of the negative ones, and it is
/// less than the product of the powers of two above the factors that exceed 1.
bool is_product_exact(const ExactLimits& limits, Dtype in, std::span<const Bits> contributions) {
  const double significands = power_of_two(limits.precision);
  double odd = 1;
  std::int64_t least = 0;
  std::int64_t above = 0;
  for (const Bits bits : contributions) {
    const double value = std::fabs(value_of(in, bits));
    if (!std::isfinite(value)) return false;
    if (value == 0) continue;
    const std::int64_t exponent = lowest_bit(value);
    // A product of two such numbers, each at most 2^53, may round, but not to below 2^precision.
    odd *= std::ldexp(value, static_cast<int>(-exponent));
    if (odd > significands) return false;
    least += std::min<std::int64_t>(exponent, 0);
    above += std::max<std::int64_t>(std::ilogb(value) + 1, 0);
  }
  return least >= limits.unit_exponent && above <= std::ilogb(limits.largest);
}

template <class Accumulator>
class TypedReducer final : public Reducer {
 public:
  TypedReducer(const DtypeCombination& dtypes, Operator op)
      : dtypes_(dtypes), op_(op), combining_(dtypes, op) {}

  Bits reduce(const ReductionTree& tree, std::span<const Bits> contributions,
              const Miscount& miscount) const override {
    const auto members = static_cast<std::int64_t>(contributions.size());
    const auto partial = [&](std::int64_t m) {
      return combining_.widen(contributions[static_cast<std::size_t>(m)]);
    };
    if (miscount.member < 0) {
      return combining_.finish(fold(combining_, tree, members, partial), members);
    }
    const WithNothing<Combining<Accumulator>> altered{combining_};
    const auto value = fold(altered, tree, members, [&](std::int64_t m) {
      using Value = typename WithNothing<Combining<Accumulator>>::Value;
      if (m != miscount.member) return Value(partial(m));
      return miscount.times == 0 ? Value() : Value(combining_.combine(partial(m), partial(m)));
    });
    SHARDCHECK_REQUIRE(value.has_value(), "something is left to reduce");
    return combining_.finish(*value, members);
  }

  bool is_exact(std::span<const Bits> contributions) const override {
    if constexpr (Accumulator::is_float) {
      if (op_ == Operator::min || op_ == Operator::max) return true;
      if (contributions.size() == 1) return true;
      const ExactLimits limits = exact_limits(dtypes_, true);
      return op_ == Operator::product ? is_product_exact(limits, dtypes_.in, contributions)
                                      : is_sum_exact(limits, dtypes_.in, contributions);
    }
    return true;
  }

 private:
  DtypeCombination dtypes_;
  Operator op_;
  Combining<Accumulator> combining_;
};

}  // namespace

std::unique_ptr<Reducer> make_reducer(const DtypeCombination& dtypes, Operator op) {
  switch (dtypes.acc) {
    case Dtype::f16:
      return std::make_unique<TypedReducer<NarrowAccumulator<Dtype::f16>>>(dtypes, op);
    case Dtype::bf16:
      return std::make_unique<TypedReducer<NarrowAccumulator<Dtype::bf16>>>(dtypes, op);
    case Dtype::f32: return std::make_unique<TypedReducer<NativeAccumulator<float>>>(dtypes, op);
    case Dtype::f64: return std::make_unique<TypedReducer<NativeAccumulator<double>>>(dtypes, op);
    default: break;
  }
  SHARDCHECK_REQUIRE(!info(dtypes.acc).is_float, "8-bit floats are no accumulators");
  return std::make_unique<TypedReducer<IntegerAccumulator>>(dtypes, op);
}

}  // namespace shardcheck::model
