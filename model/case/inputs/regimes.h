#pragma once

/// The regimes whose values depend on one place alone: what a sum meets at the ends of a format.
///
///   wide     exponents over the whole range, subnormals included: rows and columns have scales of
///            their own, so that results lie anywhere from underflow to overflow while the terms of
///            one result are mostly of a size
///   cancel   of the terms of a sum a third are large, a third cancel them exactly, and the rest
///            are of the size of what is rounded off on the way
///   special  NaN, infinities, both zeros, the largest, the least, among small integers
///
/// A place is a factor of a product's term or a term by itself:
///
///     wide_value(d, {.seed = 7, .tensor = 1, .term = k, .terms = K, .outer = row})
///
/// docs/case-format.md states the functions in full. Each gives a value of d.in.

#include <cstdint>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>

namespace shardcheck {

struct InputPlace {
  std::uint64_t seed = 0;
  std::uint64_t tensor = 1;  ///< 0: a term by itself, 1: a factor from A, 2: a factor from B
  std::int64_t term = 0;     ///< which of the terms of a sum: k
  std::int64_t terms = 1;    ///< how many there are
  std::int64_t outer = 0;    ///< what else names the place: the row of A, the column of B
};

Bits wide_value(const DtypeCombination& d, const InputPlace& place);
Bits cancel_value(const DtypeCombination& d, const InputPlace& place);
Bits special_value(const DtypeCombination& d, const InputPlace& place);

}  // namespace shardcheck
