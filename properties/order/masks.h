#pragma once

/// Numbers that tell the order of a sum (reveal.h) in given dtypes: a unit, and one so large that
/// any number of units that is summed vanishes beside it, whether a sum is held in acc or travels.

#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>

#include "reveal.h"

namespace shardcheck {

/// Powers of two: those of terms.
struct Masks {
  int unit = 0;
  int huge = 0;
  std::int64_t units_max = 1;  ///< so many at once are absorbed, and counted exactly in every dtype
};

/// `factors`: how many numbers of dtype in a term is the product of, 1 or 2. The error says why the
/// dtypes show no order.
tl::expected<Masks, std::string> masks_for(const DtypeCombination& d, int factors);

/// Factor number `factor` (from 0) of a masked term, in dtype in. A zero is a zero factor first.
Bits masked(const DtypeCombination& d, const Masks& masks, int factors, int factor,
            MaskedTerm term);

/// How many units a result is, in dtype out; -1 if it is no number of them.
std::int64_t units_in(const DtypeCombination& d, const Masks& masks, Bits result);

}  // namespace shardcheck
