#pragma once

/// Which combinations of dtypes are legal: the one table that everything else reads.
///
///   floats    in   any float
///             acc  f16, bf16, f32 or f64, and every value of `in` is a value of `acc`
///             wire any float whose every value is a value of `acc`
///             out  any float
///   integers  in   any integer
///             acc  i32, i64, u32 or u64, and every value of `in` is a value of `acc`
///             wire 32 or 64 bits of acc's signedness, no wider than acc
///             out  32 or 64 bits of acc's signedness, no wider than wire
///
/// Integers wrap modulo 2^width, so that out <= wire <= acc makes every grouping give the same
/// bits.

#include <vector>

#include "dtype.h"

namespace shardcheck {

/// True if every finite value of `narrow` is a value of `wide`.
bool holds_every_value(Dtype wide, Dtype narrow);

bool is_legal(const DtypeCombination& combination);

/// Every legal combination, in the order of the enumerators (in slowest, out fastest).
const std::vector<DtypeCombination>& legal_combinations();

/// acc if the case doesn't say: f32 for floats narrower than 32 bits, i32 for 8- and 16-bit
/// integers, else `in`.
Dtype default_acc(Dtype in);

/// out if the case doesn't say: `in` for floats, `acc` for integers.
Dtype default_out(Dtype in, Dtype acc);

}  // namespace shardcheck
