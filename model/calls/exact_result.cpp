#include "exact_result.h"

#include <algorithm>
#include <cstdint>

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/exact/number.h>

namespace shardcheck::model {
bool is_rounded(const DtypeCombination& dtypes, Operator op, std::span<const Bits> contributions,
                Bits result) {
  const bool is_product = op == Operator::product;
  const bool is_sum = op == Operator::sum || op == Operator::average;
  if (!info(dtypes.in).is_float || !(is_sum || is_product)) return false;
  const Decoded got = decode(dtypes.out, result);
  if (got.kind != Decoded::Kind::finite) return false;
  Number exact(is_product ? 1 : 0);
  for (const Bits bits : contributions) {
    const Decoded decoded = decode(dtypes.in, bits);
    if (decoded.kind != Decoded::Kind::finite) return false;
    exact = is_product ? exact * number_of(decoded) : exact + number_of(decoded);
  }
  const auto divisor =
      static_cast<std::int64_t>(op == Operator::average ? contributions.size() : 1);
  return number_of(got) * Number(divisor) != exact;
}

}  // namespace shardcheck::model
