#pragma once

/// The exact result of a reduction, without any rounding: what a result is held beside to tell
/// whether this data rounds at all.

#include <span>

#include <shardcheck/model/case/calls_case.h>

namespace shardcheck::model {

/// Whether `result`, dtype out, differs from the exact sum, product or average of the
/// contributions, dtype in. False for other operators, for integers, and where a NaN or an infinity
/// is involved.
bool is_rounded(const DtypeCombination& dtypes, Operator op, std::span<const Bits> contributions,
                Bits result);

}  // namespace shardcheck::model
