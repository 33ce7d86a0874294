#include "exact_sums.h"

#include <algorithm>

#include <shardcheck/model/exact/native.h>

namespace shardcheck::model {

ExactLimits exact_limits(const DtypeCombination& dtypes, bool uses_wire) {
  const FloatFormat& acc = float_format(dtypes.acc);
  if (!uses_wire) return {acc.precision, acc.unit_exponent, acc.largest_value};
  const FloatFormat& wire = float_format(dtypes.wire);
  return {std::min(acc.precision, wire.precision), std::max(acc.unit_exponent, wire.unit_exponent),
          std::min(acc.largest_value, wire.largest_value)};
}

double largest_exact_sum(const ExactLimits& limits, std::int64_t grid) {
  if (grid < limits.unit_exponent) return -1;
  const std::int64_t exponent = grid + limits.precision;
  if (exponent > 1023) return limits.largest;
  if (exponent < -1022) return 0;
  return std::min(limits.largest, power_of_two(static_cast<int>(exponent)));
}

bool is_exact_in_every_order(const ExactLimits& limits, const ExactDot& dot) {
  if (dot.magnitude.sign() == 0) return true;
  const double largest = largest_exact_sum(limits, dot.grid);
  return largest >= 0 && dot.magnitude <= Number::of_double(largest);
}

}  // namespace shardcheck::model
